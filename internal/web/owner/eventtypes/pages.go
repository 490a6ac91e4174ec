// Package eventtypes holds the owner's pages for event types.
package eventtypes

import (
	"embed"

	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/money/accounts"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html *.js
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site     *page.Site
	Booking  *booking.Service
	Records  *records.Service
	Accounts *accounts.Service
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, eventTypeRoutes, p.begin)
}
