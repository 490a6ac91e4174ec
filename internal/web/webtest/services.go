// Package webtest provides the tests of pages and tools with what they share: the services behind them, requests and
// what is answered, pages as trees, forms as browsers send them, and calls of tools.
package webtest

import (
	"context"

	"slotd"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/booking/bookingtest"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/test/worlds"
)

// Services are what the pages and tools of one server use.
type Services struct {
	Cache     *snapshot.Cache
	Calendars *calsync.Service
	Accounts  *accounts.Service
	Tokens    *identity.Tokens
	Booking   *booking.Service

	w *worlds.World
}

// NewServices returns the services of a server. With a database that was opened again and a cache of its own, they act
// like those of another machine.
func NewServices(w *worlds.World, db *store.DB, cache *snapshot.Cache, adapt ...func(*booking.Config)) *Services {
	s := &Services{
		Cache:     cache,
		Calendars: w.Calendars(db, cache),
		Accounts:  &accounts.Service{DB: db, Keys: w.Keys, API: stripe.DefaultAPI},
		Tokens:    &identity.Tokens{DB: db, Now: w.Clock.Now},
		w:         w,
	}
	s.Booking = bookingtest.New(w, append([]func(*booking.Config){func(c *booking.Config) {
		c.DB, c.Cache, c.Calendars, c.Accounts = db, cache, s.Calendars, s.Accounts
	}}, adapt...)...)
	return s
}

// Token creates a token of the workspace and returns its plaintext.
func (s *Services) Token(slug string) string {
	s.w.T.Helper()
	plaintext, _, err := s.Tokens.Create(context.Background(), s.w.WorkspaceID(slug), "test", slotd.Operator)
	s.w.Must(err)
	return plaintext
}
