package workspace

import (
	"context"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
)

// Store creates and changes the workspaces of one database, for callers that have no other use for it.
type Store struct {
	DB   *store.DB
	Keys *seal.Keys // seals the passwords of calendars
}

// Edit is the function Edit with the store's keys.
func (s *Store) Edit(ctx context.Context, e EditRequest) (Previous, error) {
	e.Keys = s.Keys
	return Edit(ctx, s.DB, e)
}

// Put is the function Put with the store's keys.
func (s *Store) Put(ctx context.Context, c Change) (Previous, error) {
	c.Keys = s.Keys
	return Put(ctx, s.DB, c)
}

// CountMovable counts the bookings of an event type that can still be moved.
func (s *Store) CountMovable(ctx context.Context, c *snapshot.Config, e *slotd.EventType,
	now time.Time) (int64, error) {
	return CountMovable(ctx, s.DB.Read(), c, e, now)
}
