package jobs

import (
	"context"
	"testing"

	"slotd/internal/store"
)

// A job that is due looks at what is committed. Who hurries it has something to say that is not yet: it must not be
// done with before that.
func TestHurry_OneThatIsDueRunsAfterTheTransaction(t *testing.T) {
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
