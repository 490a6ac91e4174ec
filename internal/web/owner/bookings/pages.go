// Package bookings holds the owner's pages for bookings (lists, single bookings, moving and canceling them), for
// people's data, and for explaining why a time is or is not offered.
package bookings

import (
	"embed"

	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/money/accounts"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site     *page.Site
	Booking  *booking.Service
	Records  *records.Service
	Accounts *accounts.Service
	ToFiles  bool // mails are written to files instead of being sent
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, bookingRoutes, p.begin)
	page.Add(mux, p.Site, view, personRoutes, p.begin)
	page.Add(mux, p.Site, view, explainRoutes, p.begin)
}
