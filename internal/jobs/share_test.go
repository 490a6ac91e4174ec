package jobs

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

const shared = 200

// notRunOnce returns the jobs that two servers did not handle exactly once between them.
func notRunOnce(want []Job, ran *record) (wrong []string) {
	times := map[string]int{}
	for _, id := range ran.ids() {
		times[id]++
	}
	for _, j := range want {
		if times[j.ID] != 1 {
			wrong = append(wrong, fmt.Sprintf("%s %d times", j.ID, times[j.ID]))
		}
	}
	return wrong
}

// twoServers runs two servers at once and blocks each at its first job until the other has one too.
func twoServers(w *world, serve func(db *store.DB, handle Handler) error) *record {
	var ran record
	var both, all sync.WaitGroup
	both.Add(2)
	for range 2 {
		db := testdb.Open(w.t, w.target)
		meet := sync.OnceFunc(func() { both.Done(); both.Wait() })
		all.Go(func() {
			err := serve(db, func(ctx context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
				meet()
				return ran.handle(ctx, j)
			})
			if err != nil {
				w.t.Error(err)
			}
		})
	}
	all.Wait()
	return &ran
}

func TestRace_TwoServersRunEachJobOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		want := w.dueJobs(shared)
		w.enqueue(want...)
		ran := twoServers(w, func(db *store.DB,
			handle Handler) error {
			return w.runnerOn(db, handle).RunDue(background)
		})
		if wrong := notRunOnce(want, ran); len(wrong) > 0 {
			t.Errorf("of %d jobs: %v", shared, wrong)
		}
		w.wantNone()
	})
}

// This is the control: without the claim, notRunOnce finds jobs that ran twice.
func TestRace_WithoutAClaimJobsRunTwice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		want := w.dueJobs(shared)
		w.enqueue(want...)
		ran := twoServers(w, func(db *store.DB, handle Handler) error {
			rows, err := db.Read().Jobs(background, sqlcgen.JobsParams{Limit: shared})
			for _, row := range rows {
				handle(background, &Job{ID: row.ID})
			}
			return err
		})
		if len(notRunOnce(want, ran)) == 0 {
			t.Error("every job ran once")
		}
	})
}
