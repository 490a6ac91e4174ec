// Package public serves the pages for guests: the booking pages, the attendees' own pages and the files that belong to
// them. It reads and writes bookings through package booking and decides nothing about them itself.
package public

import (
	"context"
	"embed"
	"net/netip"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/money/accounts"
	"slotd/internal/web/kit"
)

//go:embed *.html *.js robots.txt
var files embed.FS

var view = kit.NewView(files)

// Site serves the pages of all workspaces.
type Site struct {
	Booking   *booking.Service
	Cache     *snapshot.Cache
	Links     *links.Signer
	Calendars *calsync.Service
	Now       func() time.Time
	BaseURL   string
	Accounts  *accounts.Service
	kit.Guard
	Bookings *limit.Limiter[netip.Addr]          // limits bookings
	Holds    *limit.Limiter[netip.Addr]          // limits bookings that await their payment
	Unowned  func(context.Context) (bool, error) // whether nobody has set the server up yet; nil means false
	Wait     func(time.Duration)                 // time.Sleep, or a test's replacement

	responses snapshot.Responses
}

// Routes registers the pages. Any other path gets a not-found page.
func (s *Site) Routes(mux kit.Mux) {
	for _, prefix := range []string{"", "/embed"} {
		mux.Handle(prefix+"/{workspace}", s.handle(getRoute{(*visit).workspacePage}))
		mux.Handle(prefix+"/{workspace}/{event_type}", s.handle(formRoute{(*visit).eventPage, (*visit).book}))
		mux.Handle(prefix+"/b/booking/{token}", s.handle(getRoute{(*visit).bookingPage}))
	}
	mux.Handle("/b/cancel/{token}", s.handle(formRoute{(*visit).cancelPage, (*visit).cancel}))
	mux.Handle("/b/reschedule/{token}", s.handle(formRoute{(*visit).reschedulePage, (*visit).reschedule}))
	mux.Handle("/b/pay/{token}", s.handle(getRoute{(*visit).payPage}))
	mux.Handle("/b/unpaid/{token}", s.handle(formRoute{(*visit).unpaidPage, (*visit).releaseHold}))
	mux.Handle("/b/ics/{token}", s.handle(getRoute{(*visit).attendeeFile}))
	mux.Handle("/b/host-ics/{token}", s.handle(getRoute{(*visit).hostFile}))
	mux.Handle(calsync.ConsentPath, s.handle(formRoute{(*visit).consentPage, (*visit).consent}))
	mux.Handle("/static/{hash}/{name}", s.handle(getRoute{(*visit).static}))
	for name, file := range map[string]string{"/embed.js": "embed.js", "/favicon.ico": "icon.png",
		"/robots.txt": "robots.txt"} {
		mux.Handle(name, s.handle(getRoute{func(v *visit) error { kit.SendFile(v.w, v.r, file); return nil }}))
	}
	mux.Handle("/schemas/workspace.json", s.handle(getRoute{(*visit).schema}))
	mux.Handle("/llms.txt", s.handle(getRoute{(*visit).llms}))
	mux.Handle("/{$}", s.handle(getRoute{(*visit).home}))
	mux.Handle("/", s.handle(formRoute{(*visit).notFound, (*visit).notFound}))
}
