// Package public is what the server shows to guests: the booking pages, the attendee's own pages and
// the files around them. It reads and writes through the verbs of booking and decides nothing about
// bookings itself.
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

// Site is the pages of all workspaces.
type Site struct {
	Booking   *booking.Service
	Cache     *snapshot.Cache
	Links     *links.Signer
	Calendars *calsync.Service
	Now       func() time.Time
	BaseURL   string
	Accounts  *accounts.Service
	kit.Guard
	Bookings *limit.Limiter[netip.Addr]          // of bookings made
	Holds    *limit.Limiter[netip.Addr]          // of those that are to be paid for
	Unowned  func(context.Context) (bool, error) // whether nobody has set the server up yet; nil: somebody has
	Wait     func(time.Duration)                 // time.Sleep, or what a test puts in its place

	kept snapshot.Responses
}

// Routes adds the pages. What fits nothing else gets a page that says so.
func (s *Site) Routes(mux kit.Mux) {
	for _, prefix := range []string{"", "/embed"} {
		mux.Handle(prefix+"/{workspace}", s.handle(reads{(*visit).workspacePage}))
		mux.Handle(prefix+"/{workspace}/{event_type}", s.handle(writes{(*visit).eventPage, (*visit).book}))
		mux.Handle(prefix+"/b/booking/{token}", s.handle(reads{(*visit).bookingPage}))
	}
	mux.Handle("/b/cancel/{token}", s.handle(writes{(*visit).cancelPage, (*visit).cancel}))
	mux.Handle("/b/reschedule/{token}", s.handle(writes{(*visit).reschedulePage, (*visit).reschedule}))
	mux.Handle("/b/pay/{token}", s.handle(reads{(*visit).payPage}))
	mux.Handle("/b/unpaid/{token}", s.handle(writes{(*visit).unpaidPage, (*visit).unpaid}))
	mux.Handle("/b/ics/{token}", s.handle(reads{(*visit).attendeeFile}))
	mux.Handle("/b/host-ics/{token}", s.handle(reads{(*visit).hostFile}))
	mux.Handle(calsync.ConsentPath, s.handle(writes{(*visit).consentPage, (*visit).consent}))
	mux.Handle("/static/{hash}/{name}", s.handle(reads{(*visit).static}))
	for name, file := range map[string]string{"/embed.js": "embed.js", "/favicon.ico": "icon.png",
		"/robots.txt": "robots.txt"} {
		mux.Handle(name, s.handle(reads{func(v *visit) error { kit.SendFile(v.w, v.r, file); return nil }}))
	}
	mux.Handle("/llms.txt", s.handle(reads{(*visit).llms}))
	mux.Handle("/{$}", s.handle(reads{(*visit).home}))
	mux.Handle("/", s.handle(writes{(*visit).elsewhere, (*visit).elsewhere}))
}
