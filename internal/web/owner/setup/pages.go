// Package setup holds the owner's pages about the four screens from an empty database to a live booking page.
package setup

import (
	"embed"

	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages are the pages of this area.
type Pages struct {
	Site    *page.Site
	ToFiles bool // mails are not sent but written as files
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes adds the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, setupRoutes, p.begin)
}
