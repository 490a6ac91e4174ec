// Package hours holds the owner's pages for schedules, overrides, holidays and absences.
package hours

import (
	"embed"

	"slotd/internal/booking/records"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html *.js
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site    *page.Site
	Records *records.Service
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, hoursRoutes, p.begin)
}
