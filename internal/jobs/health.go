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

// Health is what a monitor needs to know about a queue.
type Health struct {
	Failed  int64
	Overdue time.Duration // how late the oldest job is: unclaimed, or failing repeatedly
}

// CheckHealth returns the health of a queue.
func CheckHealth(ctx context.Context, db *store.DB, queue Queue, now time.Time) (h Health, err error) {
	q := db.Read()
	h.Failed, err = q.CountFailedJobs(ctx, sqlcgen.CountFailedJobsParams{Queue: string(queue), RunAt: never})
	if err != nil {
		return h, fmt.Errorf("count failed jobs: %w", err)
	}
	for _, oldestJob := range []func(context.Context, string) (int64, error){q.OldestDueJob, q.OldestRetriedJob} {
		at, err := oldestJob(ctx, string(queue))
		if err == nil {
			h.Overdue = max(h.Overdue, now.Sub(time.UnixMilli(at)))
		} else if !errors.Is(err, sql.ErrNoRows) {
			return h, fmt.Errorf("look for the oldest job: %w", err)
		}
	}
	return h, nil
}
