package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// State is a job's, as an operator sees it.
type State string

const (
	Waiting State = "waiting" // for its time, or for the next try
	Failed  State = "failed"  // given up
)

// Entry is a job as an operator sees it.
type Entry struct {
	ID        string
	Workspace string // slug
	Kind      string
	State     State
	DueAt     time.Time
	NextAt    time.Time // zero if it was given up
	Failures  int
	LastError string
}

// List shows up to limit jobs that are not done, the oldest first, or those that were given up alone.
func List(ctx context.Context, db *store.DB, failed bool, limit int) ([]Entry, error) {
	since := int64(0)
	if failed {
		since = 1
	}
	rows, err := db.Read().Jobs(ctx, sqlcgen.JobsParams{FailedAt: since, Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	entries := make([]Entry, len(rows))
	for i, row := range rows {
		entries[i] = Entry{
			ID: row.ID, Workspace: row.Slug, Kind: row.Kind, State: Failed,
			DueAt: time.UnixMilli(row.DueAt).UTC(), Failures: int(row.Failures), LastError: row.LastError,
		}
		if row.FailedAt == 0 {
			entries[i].State, entries[i].NextAt = Waiting, time.UnixMilli(row.RunAt).UTC()
		}
	}
	return entries, nil
}

// Retry gives a job that was given up its whole time again. It reports whether there was one.
func Retry(ctx context.Context, db *store.DB, id string, now time.Time) (found bool, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		place, err := tx.PlaceOfJob(ctx, id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		n, err := tx.RetryJob(ctx, sqlcgen.RetryJobParams{WorkspaceID: place.WorkspaceID, BookingID: place.BookingID, ID: id, DueAt: now.UnixMilli()})
		found = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("retry job %s: %w", id, err)
	}
	return found, nil
}

// RetryAll does so for all of them and returns how many there were.
func RetryAll(ctx context.Context, db *store.DB, now time.Time) (n int64, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = tx.RetryFailedJobs(ctx, now.UnixMilli())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("retry the failed jobs: %w", err)
	}
	return n, nil
}

// Health is what a monitor wants to know of a queue.
type Health struct {
	Failed  int64
	Overdue time.Duration // of the job that should have been claimed first
}

// Check looks at a queue.
func Check(ctx context.Context, db *store.DB, queue Queue, now time.Time) (h Health, err error) {
	h.Failed, err = db.Read().CountFailedJobs(ctx, sqlcgen.CountFailedJobsParams{Queue: string(queue), RunAt: never})
	if err != nil {
		return h, fmt.Errorf("count failed jobs: %w", err)
	}
	oldest, err := db.Read().OldestDueJob(ctx, string(queue))
	if errors.Is(err, sql.ErrNoRows) {
		return h, nil
	} else if err != nil {
		return h, fmt.Errorf("look for the oldest job: %w", err)
	}
	h.Overdue = max(0, now.Sub(time.UnixMilli(oldest)))
	return h, nil
}
