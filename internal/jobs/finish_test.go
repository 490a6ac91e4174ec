package jobs

import (
	"context"
	"errors"
	"slices"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// putQuota writes a row that a handler could write when it is done.
func putQuota(ctx context.Context, tx *store.Tx, id string) error {
	return tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{WorkspaceID: 1, BookingID: aBooking.String(), ID: id,
		AddressHash: []byte{}, TurnAt: 1})
}

func (w *world) hasQuota(id string) bool {
	w.t.Helper()
	var n int
	w.must(w.raw.QueryRowContext(background, "SELECT COUNT(*) FROM mails WHERE id = $1", id).Scan(&n))
	return n == 1
}

func TestDone_IsWrittenWithTheEndOfTheJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.exec("DELETE FROM mails")
		w.enqueue(w.job("a"))
		w.runDue(w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			return func(ctx context.Context, tx *store.Tx) error { return putQuota(ctx, tx, j.ID) }, nil
		}))
		if !w.hasQuota("a") {
			t.Error("what the handler had to write is not there")
		}
		w.wantNone()
	})
}

// If the result of a job cannot be saved, the job failed. It must neither be retried forever nor block the jobs that
// were claimed with it.
func TestDone_ThatFailsIsAFailureOfThatJobAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.exec("DELETE FROM mails")
		w.enqueue(w.job("a"), w.job("b"))
		var ran record
		r := w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			ran.add(j)
			return func(ctx context.Context, tx *store.Tx) error {
				if j.ID == "b" {
					return nil
				}
				return errors.Join(putQuota(ctx, tx, j.ID), errors.New("no"))
			}, nil
		})
		if err := r.RunDue(background); err != nil {
			t.Error(err)
		}
		if ran.want(t, "a", "b"); w.hasQuota("a") {
			t.Error("half of the end was written")
		}
		if remaining := w.list(false); len(remaining) != 1 || remaining[0].ID != "a" || remaining[0].Failures != 1 {
			t.Errorf("left: %+v", remaining)
		}
	})
}

// If nothing can be written, nothing is lost: the lease ends and the job runs again.
func TestFinish_ThatCannotBeWrittenLeavesTheJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"), w.job("b"))
		var ran record
		gone := false
		r := w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			if ran.add(j); !gone {
				gone = true
				w.exec("ALTER TABLE jobs RENAME TO away")
			}
			return nil, nil
		})
		if err := r.RunDue(background); err == nil {
			t.Error("no error")
		}
		w.exec("ALTER TABLE away RENAME TO jobs")
		if remaining := w.list(false); len(remaining) != 2 {
			t.Errorf("left: %+v", remaining)
		}
		w.clock.Advance(leaseDuration)
		w.runDue(r)
		w.wantNone()
		if ids := ran.ids(); !slices.Contains(ids[1:], "a") || !slices.Contains(ids, "b") {
			t.Errorf("handled %q", ids)
		}
	})
}
