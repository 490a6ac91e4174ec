// Package mail holds the owner's pages about who the host is, how mails leave, and those that failed.
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

// Pages are the pages of this area.
type Pages struct {
	Site     *page.Site
	Records  *records.Service
	Sender   delivery.Sender
	MailFrom netmail.Address
	ToFiles  bool // mails are not sent but written as files

	Tests *limit.Limiter[int64] // how many test mails a user sends
}

// visit is one request to a page of this area.
type visit struct {
	*page.Visit
	*Pages
}

func (p *Pages) begin(v *page.Visit) *visit { return &visit{v, p} }

// Routes adds the pages.
func (p *Pages) Routes(mux kit.Mux) {
	page.Add(mux, p.Site, view, mailRoutes, p.begin)
}
