// Package access holds the owner's pages for signing in and out, the account with its passkeys and sessions, members,
// the activity, and switching between workspaces.
package access

import (
	"embed"
	"time"

	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html *.js
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site    *page.Site
	ToFiles bool                // mails are written to files instead of being sent
	Wait    func(time.Duration) // time.Sleep, or a test's replacement
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, loginRoutes, p.begin)
	page.Add(mux, p.Site, view, homeRoutes, p.begin)
	page.Add(mux, p.Site, view, memberRoutes, p.begin)
	page.Add(mux, p.Site, view, activityRoutes, p.begin)
	page.Add(mux, p.Site, view, accountRoutes, p.begin)
	page.Add(mux, p.Site, view, passkeyRoutes, p.begin)
}
