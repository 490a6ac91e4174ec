package jobs

import (
	"context"
	"testing"
	"time"

	"slotd/internal/store"
)

func (w *world) wantHealth(want Health) {
	w.t.Helper()
	got, err := CheckHealth(background, w.db, Mail, w.clock.Now())
	if w.must(err); got != want {
		w.t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCheckHealth_CountsWhatWasGivenUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wantHealth(Health{})
		other := w.job("other")
		other.Queue = "calendar"
		w.enqueue(w.job("a"), w.job("b"), other)
		var ran record
		w.runDue(w.runner(ran.returning(refused)))
		w.clock.Advance(time.Hour)
		w.wantHealth(Health{Failed: 2}) // only the other queue has an overdue job
		w.retry("a", true)
		w.wantHealth(Health{Failed: 1})
	})
}

func TestCheckHealth_SaysHowLateTheQueueIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		later := w.job("later")
		later.DueAt = monday.Add(time.Hour)
		w.enqueue(w.job("a"), later)
		w.wantHealth(Health{})
		w.clock.Advance(5 * time.Minute)
		w.wantHealth(Health{Overdue: 5 * time.Minute})
		w.claim(w.db)
		w.wantHealth(Health{})
		w.clock.Advance(leaseDuration + time.Second)
		w.wantHealth(Health{Overdue: time.Second})
		var ran record
		w.runDue(w.runner(ran.returning(down)))
		w.wantHealth(Health{}) // a failure does not count as a delay yet
		w.clock.Advance(4 * time.Second)
		w.wantHealth(Health{Overdue: 4 * time.Second}) // although the next try is still in the future
		w.clock.Advance(2 * time.Hour)
		w.runDue(w.runner(ran.handle))
		w.wantHealth(Health{})
	})
}

func TestCheckHealth_IsUnknownIfTheDatabaseFails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, column := range []string{"queue", "failures"} { // of all queries, and of the last one alone
			w.exec("ALTER TABLE jobs RENAME COLUMN " + column + " TO away")
			_, err := CheckHealth(background, w.db, Mail, w.clock.Now())
			w.exec("ALTER TABLE jobs RENAME COLUMN away TO " + column)
			if err == nil {
				t.Errorf("without the column %s: no error", column)
			}
		}
	})
}

func TestLog_OneLineWhenJobsFailAndOneWhenTheySucceedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.dueJobs(100)...)
		outage := true
		var ran record
		r := w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			if ran.add(j); outage {
				return nil, errDown
			}
			return func(context.Context, *store.Tx) error { return nil }, nil
		})
		const failed, again = "level=WARN", `level=INFO msg="jobs succeed again"`
		w.runDue(r)
		w.wantLogged(1, "")
		w.wantLogged(1, failed)
		outage = false
		w.clock.Advance(minOutage)
		if w.runDue(r); len(ran.jobs) != 200 {
			t.Errorf("%d tries", len(ran.jobs))
		}
		w.wantLogged(2, "")
		w.wantLogged(1, again)
		outage = true
		w.enqueue(w.dueJobs(2)...)
		w.runDue(r)
		w.wantLogged(3, "")
		w.wantLogged(2, failed)
	})
}

// If some jobs succeed and others fail for hours, the log gets at most one line a minute.
func TestLog_IsCalmWhenSomeSucceed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.dueJobs(100)...)
		n := 0
		w.runDue(w.runner(func(context.Context, *Job) (func(context.Context, *store.Tx) error, error) {
			if n++; n%2 == 0 {
				return nil, errDown
			}
			return func(context.Context, *store.Tx) error { return nil }, nil
		}))
		w.wantLogged(1, "")
	})
}
