// Package mail holds the owner's page for the host's name and address, how mails are sent, and failed mails.
package mail

import (
	"embed"
	netmail "net/mail"

	"slotd/internal/booking/records"
	"slotd/internal/lib/limit"
	"slotd/internal/mail/delivery"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

//go:embed *.html
var files embed.FS

var view = page.NewView(files)

// Pages serves the pages of this area.
type Pages struct {
	Site     *page.Site
	Records  *records.Service
	Sender   delivery.Sender
	MailFrom netmail.Address
	ToFiles  bool // mails are written to files instead of being sent

	Tests *limit.Limiter[int64] // limits the test mails of each user
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes registers the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, mailRoutes, p.begin)
}
