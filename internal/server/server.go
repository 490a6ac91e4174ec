// Package server puts the program together that `slotd serve` runs: the verbs, the endpoint, the pages, the jobs and the
// metrics. It decides nothing about bookings; it starts things in the right order and stops them without losing work.
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

// Config is what an operator has set, and the parts that were made from it. The server closes Cache and Sender.
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
	KeepDays        int           // attendees' data of older bookings is erased; 0: never
	MetricsListen   string        // address of the metrics; empty: none

	Sender   delivery.Sender
	MailFrom netmail.Address
	ToFiles  bool                    // Sender writes files
	Erased   func([]uuid.UUID) error // removes what lies outside the database of erased attendees

	RateLimits bool
	RateReads  int // a second, for each client address
	RateWrites int // a second, for each token, and for each client address on the pages
	Origins    mcp.Origins
	Proxies    limit.Proxies
}

// Server is everything that runs.
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

// New puts a server together. It starts nothing.
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
		Erased: s.erased}
	s.prepareJobs()
	s.prepareRoutes()
	return s
}

// Close ends what New was given to own. Run must have returned.
func (s *Server) Close() {
	s.Cache.Close()
	s.Sender.Close()
}

// wake runs new jobs at once.
func (s *Server) wake() {
	for _, r := range s.jobs {
		if r.wakes {
			r.Wake()
		}
	}
}

func (s *Server) erased(bookings []uuid.UUID) {
	if err := s.Erased(bookings); err != nil {
		s.Log.Error("erased attendees' mails lie in the outbox still", "error", err)
	}
}
