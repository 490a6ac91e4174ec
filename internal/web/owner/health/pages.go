// Package health holds the owner's page that shows whether the server and the workspace are in order.
package health

import (
	"embed"

	"slotd/internal/doctor"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site   *page.Site
	Doctor *doctor.Server
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, doctorRoutes, p.begin)
}
