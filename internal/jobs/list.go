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

// State is the state of a job as an operator sees it.
type State string

const (
	Waiting State = "waiting" // for its time or for the next try
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

// List returns up to limit unfinished jobs, oldest first. If failed is set, it returns only jobs that were given up.
func List(ctx context.Context, db *store.DB, failed bool, limit int) ([]Entry, error) {
	minFailedAt := int64(0)
	if failed {
		minFailedAt = 1
	}
	rows, err := db.Read().Jobs(ctx, sqlcgen.JobsParams{FailedAt: minFailedAt, Limit: int32(limit)})
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

// Retry makes a job that was given up run again, with its full retry time. It reports whether there was such a job.
func Retry(ctx context.Context, db *store.DB, id string, now time.Time) (found bool, err error) {
	return changeFailed(ctx, db, id,
		func(ctx context.Context, tx *store.Tx, place sqlcgen.PlaceOfJobRow) (int64, error) {
			return tx.RetryJob(ctx, sqlcgen.RetryJobParams{WorkspaceID: place.WorkspaceID, BookingID: place.BookingID,
				ID:    id,
				DueAt: now.UnixMilli()})
		})
}

// DropFailed deletes a job that was given up. It reports whether there was such a job.
func DropFailed(ctx context.Context, db *store.DB, id string) (found bool, err error) {
	return changeFailed(ctx, db, id,
		func(ctx context.Context, tx *store.Tx, place sqlcgen.PlaceOfJobRow) (int64, error) {
			return tx.DropFailedJob(ctx, sqlcgen.DropFailedJobParams{WorkspaceID: place.WorkspaceID,
				BookingID: place.BookingID,
				ID:        id})
		})
}

// changeFailed calls change with the place of the job in the table and reports whether it changed a row.
func changeFailed(ctx context.Context, db *store.DB, id string,
	change func(context.Context, *store.Tx, sqlcgen.PlaceOfJobRow) (int64, error)) (found bool, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		place, err := tx.PlaceOfJob(ctx, id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		n, err := change(ctx, tx, place)
		found = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("change job %s: %w", id, err)
	}
	return found, nil
}

// RetryAll retries all jobs that were given up and returns how many there were.
func RetryAll(ctx context.Context, db *store.DB, now time.Time) (n int64, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = tx.RetryFailedJobs(ctx, now.UnixMilli())
		return err
	})
	return n, err
}

// DropAllFailed deletes all jobs that were given up and returns how many there were.
func DropAllFailed(ctx context.Context, db *store.DB) (n int64, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err = tx.DropFailedJobs(ctx)
		return err
	})
	return n, err
}
