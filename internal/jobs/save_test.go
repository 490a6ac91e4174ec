package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"slotd/internal/store"
)

// countingResult returns a result of job id that counts how often it is saved.
func countingResult(id string, saves *int, err error) result {
	return result{job: &Job{ID: id}, save: func(context.Context, *store.Tx) error {
		*saves++
		return err
	}}
}

func TestSaveResults_SavesEachOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var a, b int
		w.must(w.runner(nil).saveResults([]result{countingResult("a", &a, nil), countingResult("b", &b, nil)}))
		if a != 1 || b != 1 {
			t.Errorf("saved %d and %d times", a, b)
		}
	})
}

// A database that hangs is not asked again for each job: that would take as many timeouts as there are jobs.
func TestSaveResults_StopsAtATimeout(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var a, b int
		results := []result{countingResult("a", &a, context.DeadlineExceeded), countingResult("b", &b, nil)}
		if err := w.runner(nil).saveResults(results); !errors.Is(err, context.DeadlineExceeded) || a != 1 || b != 0 {
			t.Errorf("saved %d and %d times: %v", a, b, err)
		}
	})
}

// No handler is to blame if not even a postponement can be written, so the job has not failed once more.
func TestSaveResults_BlamesNoJobIfTheDatabaseFails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.runner(nil)
		j := w.job("a")
		w.exec("ALTER TABLE jobs RENAME TO away")
		err := r.saveResults([]result{r.postpone(&j, monday.Add(time.Hour), "waits")})
		w.exec("ALTER TABLE away RENAME TO jobs")
		if err == nil || j.Failures != 0 {
			t.Errorf("%d failures: %v", j.Failures, err)
		}
		w.wantLogged(0, "")
	})
}

// The write lock belongs to the requests. A runner that has nothing to do must not wait for it every second.
func TestRunDue_WithNothingDueWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.runner(nil)
		r.writeTimeout = 0
		w.runDue(r)
		w.enqueue(w.job("a"))
		if err := r.RunDue(background); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a due job: %v", err)
		}
	})
}
