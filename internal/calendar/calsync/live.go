package calsync

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar"
)

// liveTimeout is how long a guest waits for the host's calendars.
const liveTimeout = 3 * time.Second

// ReadAll reads all calendars of a workspace concurrently, before a booking. It returns when the read of each started.
// A calendar that could not be read in time is missing; its copy counts until it is stale.
func (s *Service) ReadAll(ctx context.Context, c *snapshot.Config) map[int64]time.Time {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.LiveTimeout, liveTimeout))
	defer cancel()
	reads := make(map[int64]time.Time, len(c.Calendars))
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, cal := range c.Calendars {
		all.Go(func() {
			startedAt := s.Now()
			if err := s.Read(ctx, c.WorkspaceID, cal.ID); err != nil {
				s.logUnread(c, cal.Name, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			reads[cal.ID] = startedAt
		})
	}
	all.Wait()
	return reads
}

// logUnread says why a booking relies on the copy of a calendar. What the calendar itself says is recorded elsewhere.
func (s *Service) logUnread(c *snapshot.Config, name string, err error) {
	var calErr *calendar.Error
	switch {
	case errors.As(err, &calErr) || errors.Is(err, context.Canceled) || errors.Is(err, ErrGone):
	case errors.Is(err, context.DeadlineExceeded):
		s.Log.Info("a calendar was not read in time for a booking; its copy counts", "workspace", c.WorkspaceID,
			"calendar", name)
	default:
		s.Log.Warn("a calendar could not be read for a booking; its copy counts", "workspace", c.WorkspaceID,
			"calendar", name, "error", err)
	}
}
