package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// never is beyond every time at which a job could be claimed.
const never = int64(1) << 62

// ending is what becomes of a claimed job. If its lease ended and somebody else has the job by now,
// the fence keeps everything as it is.
type ending struct {
	job   *Job
	done  bool // it was done, so doing it again may show
	write func(ctx context.Context, tx *store.Tx) error
}

// end writes what became of some jobs. What cannot be written with a job's end is that job's failure
// and nobody else's.
func (r *Runner) end(ends []ending) error {
	err := r.write(ends)
	if err == nil || errors.Is(err, context.DeadlineExceeded) { // which is not the jobs' fault
		return err
	}
	for _, e := range ends {
		one := r.write([]ending{e})
		if one != nil && e.done {
			one = r.write([]ending{r.failed(e.job, one)})
		}
		if one != nil { // then it is the database's
			return one
		}
	}
	return nil
}

func (r *Runner) write(ends []ending) error {
	ctx, cancel := context.WithTimeout(context.Background(), r.writeFor)
	defer cancel()
	return r.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, e := range ends {
			if err := e.write(ctx, tx); err != nil {
				return fmt.Errorf("write what became of job %s: %w", e.job.ID, err)
			}
		}
		return nil
	})
}

// finish deletes the job and writes what its handler wants to be written with that.
func finish(j *Job, write func(context.Context, *store.Tx) error) ending {
	return ending{j, true, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.FinishJob(ctx, sqlcgen.FinishJobParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(),
			ID: j.ID, Fence: j.fence})
		if err != nil || n == 0 || write == nil {
			return err
		}
		return write(ctx, tx)
	}}
}

// failed decides what becomes of a job that could not be done.
func (r *Runner) failed(j *Job, cause error) ending {
	now := r.now()
	var wait *notBefore
	if errors.As(cause, &wait) {
		return r.postpone(j, wait.at, wait.reason)
	}
	if j.Failures == 0 {
		j.DueAt = now // the time it is tried for begins with the first try, however late that was
	}
	j.Failures++
	if isPermanent(cause) || now.Sub(j.DueAt) >= triesFor {
		return r.giveUp(j, now, cause)
	}
	r.trouble.begins(r, j, cause)
	next := now.Add(pause(j.Failures))
	if end := j.DueAt.Add(triesFor); next.After(end) {
		next = end
	}
	return r.postpone(j, next, cause.Error())
}

func (r *Runner) postpone(j *Job, until time.Time, reason string) ending {
	return ending{j, false, func(ctx context.Context, tx *store.Tx) error {
		return tx.PostponeJob(ctx, sqlcgen.PostponeJobParams{
			WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence,
			RunAt: until.UnixMilli(), DueAt: j.DueAt.UnixMilli(), Failures: int64(j.Failures), LastError: short(reason),
		})
	}}
}

// giveUp keeps the job for the operator to see.
func (r *Runner) giveUp(j *Job, now time.Time, cause error) ending {
	r.log.Error("a job is given up; slotd jobs list --failed shows it, slotd jobs retry tries again", "job", j.ID,
		"kind", j.Kind, "failures", j.Failures, "error", cause)
	return ending{j, false, func(ctx context.Context, tx *store.Tx) error {
		return tx.GiveUpJob(ctx, sqlcgen.GiveUpJobParams{
			WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence,
			RunAt: never, Failures: int64(j.Failures), LastError: short(cause.Error()), FailedAt: now.UnixMilli(),
		})
	}}
}

// short bounds what a stranger's server can make us keep, and makes it one line of text.
func short(text string) string {
	const most = 500
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text) // which also mends what is not UTF-8
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
