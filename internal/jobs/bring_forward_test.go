package jobs

import (
	"context"
	"testing"

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
