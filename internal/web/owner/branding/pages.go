// Package branding holds the owner's pages for the look of the booking pages and for the code that embeds them.
package branding

import (
	"embed"

	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html *.js
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site *page.Site
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, lookRoutes, p.begin)
}
