package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slotd/internal/calendar/calsync"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/store"
)

// Calendars reads the hosts' calendars.
type Calendars struct{ Sync *calsync.Service }

// retryAfterError is the pause after a failure on our own side.
const retryAfterError = time.Minute

// calendarJob is the detail of a job about a calendar.
type calendarJob struct {
	Calendar int64 `json:"calendar"`
}

// calendarID returns the calendar that a job is about.
func calendarID(j *jobs.Job) (int64, error) {
	var d calendarJob
	if err := json.Unmarshal([]byte(j.Detail), &d); err != nil {
		return 0, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	return d.Calendar, nil
}

// Read reads a calendar. The job stays for as long as the calendar is connected. Sync stores the time of the next read
// together with what it read.
func (c *Calendars) Read(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	id, err := calendarID(j)
	if err != nil {
		return nil, err
	}
	next, err := c.Sync.Sync(ctx, j.WorkspaceID, id)
	switch {
	case errors.Is(err, calsync.ErrGone):
		return nil, nil
	case ctx.Err() != nil: // the server stops; an unfinished read stores nothing, so another server starts over
		return nil, jobs.RetryAt(c.Sync.Now(), say.T("the server stopped in the meantime"))
	case err != nil: // the job must not be given up, or the calendar would never be read again
		c.Sync.Log.Error("a calendar cannot be kept", "workspace", j.WorkspaceID, "calendar", id, "error", err)
		return nil, jobs.RetryAt(c.Sync.Now().Add(retryAfterError), say.T("the calendar couldn't be saved: %s", err))
	case next.IsZero(): // only the owner can repair it, and reconnecting it creates a new job
		return nil, nil
	}
	return nil, jobs.RetryAt(next, say.T("syncing every few minutes"))
}
