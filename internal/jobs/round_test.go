package jobs

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"slotd/internal/store"
)

func TestRun_TakesItsTimeBetweenRounds(t *testing.T) {
	running(t, func(w *world, r *Runner, ran *record) {
		w.enqueue(w.dueJobs(2*roundSize + 1)...)
		r.Wake()
		for _, want := range []int{roundSize, 2 * roundSize, 2*roundSize + 1} {
			synctest.Wait()
			if got := len(ran.ids()); got != want {
				t.Errorf("%d jobs after %v, want %d", got, time.Since(w.clock.Now()), want)
			}
			time.Sleep(roundEvery)
		}
	})
}

// If running a job twice would be visible, its result is saved before the next job starts.
func TestResults_AreSavedOneByOneUnlessBatched(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var events []string
		handle := func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			events = append(events, "do "+j.ID)
			return func(context.Context, *store.Tx) error {
				events = append(events, "end "+j.ID)
				return nil
			}, nil
		}
		w.enqueue(w.job("a"), w.job("b"))
		r := w.runner(handle)
		w.runDue(r)
		if want := []string{"do a", "end a", "do b", "end b"}; !slices.Equal(events, want) {
			t.Errorf("one by one: %v", events)
		}
		w.enqueue(w.job("a"), w.job("b"))
		events = nil
		r.SaveInBatches()
		w.runDue(r)
		if want := []string{"do a", "do b", "end a", "end b"}; !slices.Equal(events, want) {
			t.Errorf("together: %v", events)
		}
		w.wantNone()
	})
}
