// Package calendars holds the owner's pages for connected calendars.
package calendars

import (
	"embed"

	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/seal"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site      *page.Site
	Calendars *calsync.Service
	Keys      *seal.Keys // seals what a form carries from one step to the next
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, calendarRoutes, p.begin)
}
