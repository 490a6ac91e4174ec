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

// WriteBackJob updates a booking's entry in the host's calendar.
const WriteBackJob = "write_back"

// enqueueWriteBack enqueues the update of the host's calendar, in the transaction of the change. The job reads the
// booking and the calendars again, so it does not matter which of several jobs runs last. It also detects that there
// is nothing to write.
func enqueueWriteBack(ctx context.Context, tx *store.Tx, c *snapshot.Config, b *slotd.Booking, now time.Time) error {
	if len(c.Calendars) == 0 {
		return nil
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: c.WorkspaceID, Booking: b.ID, ID: fmt.Sprintf("%s.%d.%s", b.ID, b.Sequence, WriteBackJob),
		Queue: jobs.WriteBack, Kind: WriteBackJob, Sequence: b.Sequence, Detail: "{}", CreatedAt: now, DueAt: now,
	}})
}
