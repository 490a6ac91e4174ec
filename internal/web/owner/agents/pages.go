// Package agents holds the owner's pages for agents' tokens, the snippets that connect agents, and a form to try the
// endpoint.
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

// Pages serves the pages of this area.
type Pages struct {
	Site     *page.Site
	Tokens   *identity.Tokens
	Endpoint http.Handler // the MCP endpoint, to try it out
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, mcpRoutes, p.begin)
}
