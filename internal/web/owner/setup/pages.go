// Package setup holds the four screens that lead an owner from an empty database to a live booking page.
package setup

import (
	"embed"

	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site    *page.Site
	ToFiles bool // mails are written to files instead of being sent
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, setupRoutes, p.begin)
}
