// Package bookings holds the owner's pages about bookings: lists, one booking, moving and canceling it; people's data; why a time is offered or not.
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

// Pages are the pages of this area.
type Pages struct {
	Site     *page.Site
	Booking  *booking.Service
	Records  *records.Service
	Accounts *accounts.Service
	ToFiles  bool // mails are not sent but written as files
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes adds the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, bookingRoutes, p.begin)
	page.Add(mux, p.Site, view, personRoutes, p.begin)
	page.Add(mux, p.Site, view, explainRoutes, p.begin)
}
