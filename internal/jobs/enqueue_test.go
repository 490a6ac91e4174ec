package jobs

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"slotd/internal/store"
)

func TestEnqueue_IsUndoneWithItsTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		no := errors.New("no")
		err := w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			w.must(Enqueue(ctx, tx, w.dueJobs(3)))
			return no
		})
		if !errors.Is(err, no) {
			t.Fatal(err)
		}
		w.wantNone()
	})
}

func TestEnqueue_TakesAnyNumberAndKeepsAllOfEachJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, n := range []int{0, 1, 12, 13, 30} {
			want := w.dueJobs(n)
			for i := range want {
				want[i].Booking = uuid.New()
				want[i].Detail = fmt.Sprintf(`{"n": %d}`, i)
				want[i].CreatedAt = monday.Add(-time.Duration(i) * time.Minute)
				want[i].DueAt = monday.Add(time.Duration(i-n) * time.Second)
			}
			w.enqueue(want...)
			var ran record
			w.runDue(w.runner(ran.handle))
			if diff := cmp.Diff(want, ran.jobs, cmpopts.IgnoreUnexported(Job{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%d jobs (-enqueued +handled):\n%s", n, diff)
			}
			w.wantNone()
		}
	})
}

func TestEnqueue_TheSameEffectTwiceIsWantedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, again := w.job("a"), w.job("a")
		again.Kind, again.DueAt = "other", monday.Add(time.Hour)
		w.enqueue(first, w.job("b"), again)
		w.enqueue(again, w.job("c"))
		var ran record
		w.runDue(w.runner(ran.handle))
		ran.want(t, "a", "b", "c")
		w.clock.Advance(2 * time.Hour)
		w.runDue(w.runner(ran.handle))
		ran.want(t, "a", "b", "c")
	})
}

// Another booking or another workspace may use the same name.
func TestEnqueue_TheSameNameElsewhereIsAnotherEffect(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		booking, workspace := w.job("a"), w.job("a")
		booking.Booking, workspace.WorkspaceID = uuid.New(), 2
		w.enqueue(w.job("a"), booking, workspace)
		var ran record
		w.runDue(w.runner(ran.handle))
		ran.want(t, "a", "a", "a")
	})
}

func TestDrop_TakesBackOneKindOfOneBooking(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		kind, booking, workspace := w.job("kind"), w.job("booking"), w.job("workspace")
		kind.Kind, booking.Booking, workspace.WorkspaceID = "remind", uuid.New(), 2
		w.enqueue(w.job("a"), w.job("b"), kind, booking, workspace)
		w.inTx(func(ctx context.Context, tx *store.Tx) error { return Drop(ctx, tx, 1, aBooking, "tell") })
		var remaining []string
		for _, e := range w.list(false) {
			remaining = append(remaining, e.ID)
		}
		if diff := cmp.Diff([]string{"booking", "kind", "workspace"}, remaining); diff != "" {
			t.Error(diff)
		}
	})
}

// A reminder that is dropped while it is being sent must not reappear.
func TestDrop_OfARunningJobIsFinal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, outcome := range map[string]error{"success": nil, "failure": errDown,
			"permanent": Permanent(errDown)} {
			w.enqueue(w.job("a"))
			w.runDue(w.runner(func(context.Context, *Job) (func(context.Context, *store.Tx) error, error) {
				w.inTx(func(ctx context.Context, tx *store.Tx) error { return Drop(ctx, tx, 1, aBooking, "tell") })
				return nil, outcome
			}))
			if remaining := w.list(false); len(remaining) > 0 {
				t.Errorf("%s: %+v", name, remaining)
			}
		}
	})
}
