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

// never is later than any time at which a job could be claimed.
const never = int64(1) << 62

// result is the outcome of a claimed job. If the lease has expired and another runner has claimed the job, the fence
// makes save change nothing.
type result struct {
	job  *Job
	done bool // the job ran; running it again could be visible
	save func(ctx context.Context, tx *store.Tx) error
}

// saveResults saves the results of some jobs. If one result cannot be saved, only that job counts as failed.
func (r *Runner) saveResults(results []result) error {
	err := r.saveInTx(results)
	if err == nil || errors.Is(err, context.DeadlineExceeded) { // not the jobs' fault
		return err
	}
	for _, res := range results {
		jobErr := r.saveInTx([]result{res})
		if jobErr != nil && res.done {
			jobErr = r.saveInTx([]result{r.failed(res.job, jobErr)})
		}
		if jobErr != nil { // not the job's fault: the database fails
			return jobErr
		}
	}
	return nil
}

// saveInTx saves all results in one transaction.
func (r *Runner) saveInTx(results []result) error {
	ctx, cancel := context.WithTimeout(context.Background(), r.writeTimeout)
	defer cancel()
	return r.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, res := range results {
			if err := res.save(ctx, tx); err != nil {
				return fmt.Errorf("write what became of job %s: %w", res.job.ID, err)
			}
		}
		return nil
	})
}

// finish returns the result that deletes the job and runs write, if any, in the same transaction.
func finish(j *Job, write func(context.Context, *store.Tx) error) result {
	return result{j, true, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.FinishJob(ctx, sqlcgen.FinishJobParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(),
			ID: j.ID, Fence: j.fence})
		if err != nil || n == 0 || write == nil {
			return err
		}
		return write(ctx, tx)
	}}
}

// failed returns the result for a job whose handler returned an error: retry later or give up.
func (r *Runner) failed(j *Job, cause error) result {
	now := r.now()
	var wait *retryAt
	if errors.As(cause, &wait) {
		return r.postpone(j, wait.at, wait.reason)
	}
	if j.Failures == 0 {
		j.DueAt = now // retryFor counts from the first try, however late that was
	}
	j.Failures++
	if isPermanent(cause) || now.Sub(j.DueAt) >= retryFor {
		return r.giveUp(j, now, cause)
	}
	r.outage.logFailure(r, j, cause)
	next := now.Add(pause(j.Failures))
	if end := j.DueAt.Add(retryFor); next.After(end) {
		next = end
	}
	return r.postpone(j, next, cause.Error())
}

// postpone returns the result that runs the job again at the given time.
func (r *Runner) postpone(j *Job, until time.Time, reason string) result {
	return result{j, false, func(ctx context.Context, tx *store.Tx) error {
		return tx.PostponeJob(ctx, sqlcgen.PostponeJobParams{
			WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence,
			RunAt: until.UnixMilli(), DueAt: j.DueAt.UnixMilli(), Failures: int64(j.Failures),
			LastError: sanitize(reason),
		})
	}}
}

// giveUp returns the result that stops retrying. The job stays in the database so that the operator can see it.
func (r *Runner) giveUp(j *Job, now time.Time, cause error) result {
	r.log.Error("a job is given up; slotd jobs list --failed shows it, slotd jobs retry tries again", "job", j.ID,
		"kind", j.Kind, "failures", j.Failures, "error", cause)
	return result{j, false, func(ctx context.Context, tx *store.Tx) error {
		return tx.GiveUpJob(ctx, sqlcgen.GiveUpJobParams{
			WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, Fence: j.fence,
			RunAt: never, Failures: int64(j.Failures), LastError: sanitize(cause.Error()), FailedAt: now.UnixMilli(),
		})
	}}
}

// sanitize makes an error text one line and bounds its length: remote servers may have written it.
func sanitize(text string) string {
	const maxLen = 500
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text) // strings.Map also replaces invalid UTF-8
	if len(text) <= maxLen {
		return text
	}
	return strings.ToValidUTF8(text[:maxLen], "") + "…"
}
