package booking

import (
	"context"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/jobs"
	"slotd/internal/store"
)

// WriteBackJob makes the host's own calendar show a booking as it is.
const WriteBackJob = "write_back"

// writeBack has a change of a booking written into the host's calendar, in the change's own
// transaction. The job looks at the booking and the calendars anew, so that it does not matter which of
// several runs last, and finds out by itself if there is nothing to write.
func writeBack(ctx context.Context, tx *store.Tx, c *snapshot.Config, b *slotd.Booking, now time.Time) error {
	if len(c.Calendars) == 0 {
		return nil
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: c.WorkspaceID, Booking: b.ID, ID: fmt.Sprintf("%s.%d.%s", b.ID, b.Sequence, WriteBackJob),
		Queue: jobs.WriteBack, Kind: WriteBackJob, Sequence: b.Sequence, Detail: "{}", CreatedAt: now, DueAt: now,
	}})
}
