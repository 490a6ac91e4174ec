package jobs

import (
	"context"
	"testing"
	"time"

	"slotd/internal/store"
)

// A due job sees only committed data. The caller of BringForward has not committed yet, so the job must not finish
// before that.
func TestBringForward_ADueJobRunsAfterTheTransaction(t *testing.T) {
	w := onPostgres(t)
	w.enqueue(w.job("settle"))
	runs := 0
	r := w.runner(func(context.Context, *Job) (func(context.Context, *store.Tx) error, error) {
		runs++
		return nil, nil
	})
	w.inTx(func(ctx context.Context, tx *store.Tx) error {
		if err := BringForward(ctx, tx, w.job("settle")); err != nil {
			return err
		}
		w.runDue(r)
		if runs != 0 {
			t.Error("it was done with before the transaction was")
		}
		return Enqueue(ctx, tx, []Job{w.job("settle")})
	})
	w.runDue(r)
	if runs != 1 {
		t.Errorf("it ran %d times", runs)
	}
	w.wantNone()
}

func TestBringForward_RunsWhatIsScheduledForLater(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		later := w.job("settle")
		later.DueAt = monday.Add(time.Hour)
		w.enqueue(later)
		var ran record
		w.runDue(w.runner(ran.handle))
		ran.want(t)
		w.inTx(func(ctx context.Context, tx *store.Tx) error { return BringForward(ctx, tx, w.job("settle")) })
		w.runDue(w.runner(ran.handle))
		ran.want(t, "settle")
		w.wantNone()
	})
}

// The clock of a server was set back: what it had postponed by a few minutes is now due in years.
func TestBringForwardAll_RunsWhatIsFartherAheadThanAnythingIsPostponed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const maxDelay = time.Hour
		later := func(id string, queue Queue, by time.Duration) Job {
			j := w.job(id)
			j.Queue, j.DueAt = queue, monday.Add(by)
			return j
		}
		w.enqueue(w.job("given.up"))
		var ran record
		w.runDue(w.runner(ran.returning(refused)))
		w.enqueue(later("soon", Mail, maxDelay), later("far", Mail, maxDelay+time.Millisecond),
			later("elsewhere", Calendar, 2*maxDelay))
		w.must(BringForwardAll(background, w.db, Mail, monday, maxDelay))
		ran = record{}
		w.runDue(w.runner(ran.handle))
		ran.want(t, "far")
		if left := w.list(false); len(left) != 3 {
			t.Errorf("left: %+v", left)
		}
	})
}
