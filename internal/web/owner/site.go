// Package owner serves the pages for owners: setup, sign-in and settings. Each page is an alternative to editing the
// workspace file or running a command. All changes go through the packages workspace, booking, calsync, accounts and
// identity, which decide what is allowed. The subpackages hold the pages by area; package page holds what they share.
package owner

import (
	"net/http"
	netmail "net/mail"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/calendar/calsync"
	"slotd/internal/doctor"
	"slotd/internal/identity"
	"slotd/internal/lib/limit"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/access"
	"slotd/internal/web/owner/agents"
	"slotd/internal/web/owner/bookings"
	"slotd/internal/web/owner/branding"
	"slotd/internal/web/owner/calendars"
	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/owner/health"
	"slotd/internal/web/owner/hours"
	"slotd/internal/web/owner/mail"
	"slotd/internal/web/owner/money"
	"slotd/internal/web/owner/page"
	"slotd/internal/web/owner/setup"
	"slotd/internal/workspace"
)

// Site serves the owner's pages of all workspaces.
type Site struct {
	Booking    *booking.Service
	Records    *records.Service
	Calendars  *calsync.Service
	Accounts   *accounts.Service
	Owners     *identity.Service
	Tokens     *identity.Tokens
	Workspaces *workspace.Store
	Cache      *snapshot.Cache
	Doctor     *doctor.Server
	Endpoint   http.Handler // the MCP endpoint, which owners can try out from a page

	Sender   delivery.Sender
	MailFrom netmail.Address
	ToFiles  bool // mails are written to files instead of being sent

	BaseURL string
	kit.Guard
	Now  func() time.Time
	Wait func(time.Duration) // time.Sleep, or a test's replacement
	Wake func()              // called when there are new jobs; may be nil

	testMails *limit.Limiter[int64] // limits the test mails of each user
}

// area is a group of pages.
type area interface{ Routes(mux kit.Mux) }

// Routes registers the pages of all areas.
func (s *Site) Routes(mux kit.Mux) {
	if s.testMails == nil {
		s.testMails = mail.NewTestLimit()
	}
	site := &page.Site{
		Owners: s.Owners, Workspaces: s.Workspaces, Cache: s.Cache, Clock: s.Now, Wake: s.Wake, BaseURL: s.BaseURL,
		Guard: s.Guard,
	}
	for _, a := range []area{
		&setup.Pages{Site: site, ToFiles: s.ToFiles},
		&access.Pages{Site: site, ToFiles: s.ToFiles, Wait: s.Wait},
		&bookings.Pages{Site: site, Booking: s.Booking, Records: s.Records, Accounts: s.Accounts, ToFiles: s.ToFiles},
		&eventtypes.Pages{Site: site, Booking: s.Booking, Records: s.Records, Accounts: s.Accounts},
		&hours.Pages{Site: site, Records: s.Records},
		&calendars.Pages{Site: site, Calendars: s.Calendars, Keys: s.Workspaces.Keys},
		&agents.Pages{Site: site, Tokens: s.Tokens, Endpoint: s.Endpoint},
		&money.Pages{Site: site, Records: s.Records, Accounts: s.Accounts},
		&mail.Pages{Site: site, Records: s.Records, Sender: s.Sender, MailFrom: s.MailFrom, ToFiles: s.ToFiles,
			Tests: s.testMails},
		&branding.Pages{Site: site},
		&health.Pages{Site: site, Doctor: s.Doctor},
	} {
		a.Routes(mux)
	}
}
