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
	return ofFailed(ctx, db, id, func(ctx context.Context, tx *store.Tx, at sqlcgen.PlaceOfJobRow) (int64, error) {
		return tx.RetryJob(ctx, sqlcgen.RetryJobParams{WorkspaceID: at.WorkspaceID, BookingID: at.BookingID, ID: id,
			DueAt: now.UnixMilli()})
	})
}

// DropFailed forgets a job that was given up. It reports whether there was one.
func DropFailed(ctx context.Context, db *store.DB, id string) (found bool, err error) {
	return ofFailed(ctx, db, id, func(ctx context.Context, tx *store.Tx, at sqlcgen.PlaceOfJobRow) (int64, error) {
		return tx.DropFailedJob(ctx, sqlcgen.DropFailedJobParams{WorkspaceID: at.WorkspaceID, BookingID: at.BookingID,
			ID: id})
	})
}

func ofFailed(ctx context.Context, db *store.DB, id string,
	do func(context.Context, *store.Tx, sqlcgen.PlaceOfJobRow) (int64, error)) (found bool, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		at, err := tx.PlaceOfJob(ctx, id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		n, err := do(ctx, tx, at)
		found = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("change job %s: %w", id, err)
	}
	return found, nil
}

// RetryAll and DropAllFailed do so for all of them and return how many there were.
func RetryAll(ctx context.Context, db *store.DB, now time.Time) (n int64, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = tx.RetryFailedJobs(ctx, now.UnixMilli())
		return err
	})
	return n, err
}

func DropAllFailed(ctx context.Context, db *store.DB) (n int64, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = tx.DropFailedJobs(ctx)
		return err
	})
	return n, err
}
