package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// never is beyond every time at which a job could be claimed.
const never = int64(1) << 62

// finish deletes the job.
func (r *Runner) finish(ctx context.Context, j *Job, done func(context.Context, *store.Tx) error) error {
	err := r.end(ctx, "finish", j, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.FinishJob(ctx, sqlcgen.FinishJobParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence})
		if err != nil || n == 0 || done == nil {
			return err
		}
		return done(ctx, tx)
	})
	if err != nil {
		return err
	}
	if r.failing {
		r.failing = false
		r.log.Info("jobs succeed again", "queue", r.queue)
	}
	return nil
}

// failed decides what becomes of a job that could not be done.
func (r *Runner) failed(ctx context.Context, j *Job, cause error) error {
	now := r.now()
	var wait *notBefore
	if errors.As(cause, &wait) {
		return r.postpone(ctx, j, wait.at, j.Failures, wait.reason)
	}
	failures := j.Failures + 1
	if isPermanent(cause) || now.Sub(j.DueAt) >= triesFor {
		return r.giveUp(ctx, j, failures, now, cause)
	}
	if !r.failing {
		r.failing = true
		r.log.Warn("a job failed and will be tried again; so will others, without a line for each", "job", j.ID, "kind", j.Kind, "error", cause)
	}
	next := now.Add(pause(failures))
	if end := j.DueAt.Add(triesFor); next.After(end) {
		next = end
	}
	return r.postpone(ctx, j, next, failures, cause.Error())
}

func (r *Runner) postpone(ctx context.Context, j *Job, until time.Time, failures int, reason string) error {
	return r.end(ctx, "postpone", j, func(ctx context.Context, tx *store.Tx) error {
		return tx.PostponeJob(ctx, sqlcgen.PostponeJobParams{
			WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence, RunAt: until.UnixMilli(), Failures: int64(failures), LastError: short(reason),
		})
	})
}

// giveBack leaves a job to whoever comes next.
func (r *Runner) giveBack(ctx context.Context, j *Job) error {
	return r.postpone(ctx, j, r.now(), j.Failures, j.lastError)
}

// giveUp keeps the job for the operator to see.
func (r *Runner) giveUp(ctx context.Context, j *Job, failures int, now time.Time, cause error) error {
	r.log.Error("a job is given up; slotd jobs list --failed shows it, slotd jobs retry tries again", "job", j.ID, "kind", j.Kind, "failures", failures, "error", cause)
	return r.end(ctx, "give up", j, func(ctx context.Context, tx *store.Tx) error {
		return tx.GiveUpJob(ctx, sqlcgen.GiveUpJobParams{
			WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence, RunAt: never, Failures: int64(failures), LastError: short(cause.Error()), FailedAt: now.UnixMilli(),
		})
	})
}

// end ends this claim. If the lease ended before and somebody else has the job now, nothing changes.
func (r *Runner) end(ctx context.Context, what string, j *Job, write func(context.Context, *store.Tx) error) error {
	err := r.db.InTx(ctx, write)
	if err != nil {
		return fmt.Errorf("%s job %s: %w", what, j.ID, err)
	}
	return nil
}

// short bounds what a stranger's server can make us keep.
func short(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
