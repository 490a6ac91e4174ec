// Package agents holds the owner's pages about tokens for agents, snippets that connect them, and a form that tries a tool.
package agents

import (
	"embed"
	"net/http"

	"slotd/internal/identity"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages are the pages of this area.
type Pages struct {
	Site     *page.Site
	Tokens   *identity.Tokens
	Endpoint http.Handler // of agents, for trying it
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes adds the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, mcpRoutes, p.begin)
}
