package calsync

import (
	"context"
	"sync"
	"time"

	"slotd/internal/availability/snapshot"
)

// liveFor is how long a guest waits for the host's calendars.
const liveFor = 3 * time.Second

// ReadAll reads all calendars of a workspace at once, before a booking. It returns when each was read;
// one that could not be read in time is missing, and its copy counts as long as it is not too old.
func (s *Service) ReadAll(ctx context.Context, c *snapshot.Config) map[int64]time.Time {
	ctx, cancel := context.WithTimeout(ctx, liveFor)
	defer cancel()
	reads := make(map[int64]time.Time, len(c.Calendars))
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, cal := range c.Calendars {
		all.Go(func() {
			began := s.Now()
			if err := s.Read(ctx, c.WorkspaceID, cal.ID); err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			reads[cal.ID] = began
		})
	}
	all.Wait()
	return reads
}
