package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slotd/internal/calendar/calsync"
	"slotd/internal/jobs"
	"slotd/internal/store"
)

// Calendars reads the hosts' calendars.
type Calendars struct{ Sync *calsync.Service }

// afterTrouble is the pause when it is our own side that fails.
const afterTrouble = time.Minute

// calendarJob is what a calendar's jobs are about.
type calendarJob struct {
	Calendar int64 `json:"calendar"`
}

func calendarOf(j *jobs.Job) (int64, error) {
	var d calendarJob
	if err := json.Unmarshal([]byte(j.Detail), &d); err != nil {
		return 0, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	return d.Calendar, nil
}

// Read reads a calendar. The job stays for as long as the calendar is connected; when it is due next
// was written with what it read.
func (c *Calendars) Read(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	id, err := calendarOf(j)
	if err != nil {
		return nil, err
	}
	next, err := c.Sync.Sync(ctx, j.WorkspaceID, id)
	switch {
	case errors.Is(err, calsync.ErrGone):
		return nil, nil
	case ctx.Err() != nil: // the server stops; reading leaves no trace, so another one begins anew
		return nil, jobs.RetryAt(c.Sync.Now(), "the server stopped meanwhile")
	case err != nil: // the job must not be given up: nobody would read the calendar any more
		c.Sync.Log.Error("a calendar cannot be kept", "workspace", j.WorkspaceID, "calendar", id, "error", err)
		return nil, jobs.RetryAt(c.Sync.Now().Add(afterTrouble), "the calendar could not be kept: "+err.Error())
	case next.IsZero(): // only its owner can mend it, and connecting it anew makes a new job
		return nil, nil
	}
	return nil, jobs.RetryAt(next, "reads the calendar every few minutes")
}
