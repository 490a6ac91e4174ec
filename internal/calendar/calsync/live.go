package calsync

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"slotd/internal/availability/snapshot"
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
				if errors.Is(err, context.DeadlineExceeded) {
					s.Log.Info("a calendar was not read in time for a booking; its copy counts", "workspace",
						c.WorkspaceID, "calendar", cal.Name)
				}
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
