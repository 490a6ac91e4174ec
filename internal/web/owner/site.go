// Package owner is what the server shows to owners: setting up, signing in, and the settings. Each page is two doors to
// the same thing as the workspace file and the commands: what it changes goes through the verbs of workspace, booking,
// calsync and owners, which decide.
package owner

import (
	"log/slog"
	"net/http"
	netmail "net/mail"
	"net/netip"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/calendar/calsync"
	"slotd/internal/doctor"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/seal"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
)

// Site is the owner's pages of all workspaces.
type Site struct {
	Booking   *booking.Service
	Records   *records.Service
	Calendars *calsync.Service
	DB        *store.DB
	Cache     *snapshot.Cache
	Links     *links.Signer
	Now       func() time.Time
	Wake      func() // called when there are new jobs; may be nil
	BaseURL   string

	Owners   *identity.Service
	Tokens   *identity.Tokens
	Accounts *accounts.Service
	Keys     *seal.Keys
	Sender   delivery.Sender
	MailFrom netmail.Address
	ToFiles  bool         // mails are not sent but written as files
	Endpoint http.Handler // of agents, for trying it
	Reads    *limit.Limiter[netip.Addr]
	Writes   *limit.Limiter[netip.Addr]
	Proxies  limit.Proxies
	Log      *slog.Logger
	Doctor   *doctor.Server
	Wait     func(time.Duration) // time.Sleep, or what a test puts in its place

	trials trials // of mail
}

// need is who may pass a door.
type need int

const (
	anyone   need = iota
	signedIn      // whoever has a session
	member        // an owner of the workspace that the session shows
	fresh         // the same, who said so a short time ago
)

type step func(*visit) error

// door is one page: who may open it, and what it does. A post that is nil is refused.
type route struct {
	path      string
	need      need
	get, post step
}

// Mux is what pages are added to.
type Mux interface {
	Handle(pattern string, handler http.Handler)
}

// Routes adds the pages.
func (s *Site) Routes(mux Mux) {
	for _, doors := range [][]route{
		setupRoutes, loginRoutes, homeRoutes, bookingRoutes, personRoutes, eventTypeRoutes, hoursRoutes, calendarRoutes,
		mcpRoutes,
		paymentRoutes, mailRoutes, lookRoutes, explainRoutes, memberRoutes, activityRoutes, accountRoutes,
		passkeyRoutes, doctorRoutes,
	} {
		for _, d := range doors {
			mux.Handle(d.path, s.open(d))
		}
	}
}

// section is an entry of the menu.
type section struct{ Path, Text, Icon string }

// sections are in the order of the menu.
var sections = []section{
	{"/settings/bookings", "Bookings", "calendar"},
	{"/settings/event-types", "Event types", "list"},
	{"/settings/hours", "Hours", "clock"},
	{"/settings/calendars", "Calendars", "calendar"},
	{"/settings/mcp", "MCP access", "agent"},
	{"/settings/payments", "Payments", "price"},
	{"/settings/mail", "Mail", "mail"},
	{"/settings/look", "Look and embed", "look"},
	{"/settings/explain", "Explain", "question"},
	{"/settings/people", "People’s data", "people"},
	{"/settings/members", "Members", "people"},
	{"/settings/activity", "Activity", "list"},
	{"/settings/doctor", "Doctor", "doctor"},
}
