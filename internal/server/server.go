// Package server assembles what `slotd serve` runs: the booking service, the MCP endpoint, the pages, the jobs and the
// metrics. It decides nothing about bookings. It starts things in the right order and stops them without losing work.
package server

import (
	"log/slog"
	netmail "net/mail"
	"time"

	"github.com/google/uuid"

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
	"slotd/internal/mcp"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
	"slotd/internal/web/hooks"
	"slotd/internal/web/owner"
	"slotd/internal/web/public"
)

// Config holds the operator's settings and the parts that were built from them. The server closes Cache and Sender.
type Config struct {
	DB        *store.DB
	Cache     *snapshot.Cache
	Links     *links.Signer
	Keys      *seal.Keys
	Calendars *calsync.Service
	Accounts  *accounts.Service
	Doctor    *doctor.Server
	Now       func() time.Time
	Log       *slog.Logger

	Version, Commit string
	BaseURL         string
	VideoURL        string
	OpenSignUp      bool
	HoldFor         time.Duration // how long a slot is held while its guest pays
	KeepDays        int           // days after which the attendees of past bookings are erased; 0: never
	MetricsListen   string        // address to serve the metrics on; empty: not served

	Sender   delivery.Sender
	MailFrom netmail.Address
	ToFiles  bool                    // Sender writes files
	Erased   func([]uuid.UUID) error // removes what is stored about erased attendees outside the database

	RateLimits bool
	RateReads  int // per second, for each client address
	RateWrites int // per second, for each token, and for each client address on the pages
	Origins    mcp.Origins
	Proxies    limit.Proxies
}

// Server is the assembled program.
type Server struct {
	Config
	Booking *booking.Service
	Records *records.Service
	Owners  *identity.Service
	Tokens  *identity.Tokens
	Public  *public.Site
	Owner   *owner.Site

	mcp    *mcp.Handler
	stripe *hooks.Stripe
	jobs   []runner
	state  state
}

// New assembles a server. It starts nothing.
func New(c Config) *Server {
	s := &Server{Config: c}
	s.Owners = identity.New(identity.Service{DB: c.DB, Links: c.Links, Now: c.Now, Wake: s.wake,
		OpenSignUp: c.OpenSignUp, Log: c.Log, Limits: identity.NewLimits()})
	s.Tokens = &identity.Tokens{DB: c.DB, Now: c.Now}
	s.Booking = booking.New(booking.Config{
		DB: c.DB, Cache: c.Cache, Links: c.Links, Calendars: c.Calendars, Accounts: c.Accounts,
		Now: c.Now, Wait: time.Sleep, Wake: s.wake,
		BaseURL: c.BaseURL, VideoURL: c.VideoURL, MailFrom: c.MailFrom, HoldFor: c.HoldFor,
	})
	s.Records = &records.Service{DB: c.DB, Cache: c.Cache, Accounts: c.Accounts, Now: c.Now, Wake: s.wake,
		Erased: s.removeErased}
	s.prepareJobs()
	s.prepareRoutes()
	return s
}

// Close closes Cache and Sender. Call it after Run has returned.
func (s *Server) Close() {
	s.Cache.Close()
	s.Sender.Close()
}

// wake makes the wakeable runners look for new jobs at once.
func (s *Server) wake() {
	for _, r := range s.jobs {
		if r.wakeable {
			r.Wake()
		}
	}
}

// removeErased removes what is stored about these bookings' attendees outside the database.
func (s *Server) removeErased(bookings []uuid.UUID) {
	if err := s.Erased(bookings); err != nil {
		s.Log.Error("erased attendees' mails lie in the outbox still", "error", err)
	}
}
