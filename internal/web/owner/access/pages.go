// Package access holds the owner's pages about sign in and out, the own account with its passkeys and sessions, members, the activity, and the workspaces to switch between.
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

// Pages are the pages of this area.
type Pages struct {
	Site    *page.Site
	ToFiles bool                // mails are not sent but written as files
	Wait    func(time.Duration) // time.Sleep, or what a test puts in its place
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes adds the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, loginRoutes, p.begin)
	page.Add(mux, p.Site, view, homeRoutes, p.begin)
	page.Add(mux, p.Site, view, memberRoutes, p.begin)
	page.Add(mux, p.Site, view, activityRoutes, p.begin)
	page.Add(mux, p.Site, view, accountRoutes, p.begin)
	page.Add(mux, p.Site, view, passkeyRoutes, p.begin)
}
