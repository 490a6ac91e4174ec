package jobs

import (
	"testing"
	"time"
)

// wantPause checks a pause against the range of its step.
func wantPause(t *testing.T, failures int, got time.Duration) {
	t.Helper()
	longest := longestStep(failures)
	if got > longest || got < longest*3/4 {
		t.Errorf("after %d failures: a pause of %s, want %s to %s", failures, got, longest*3/4, longest)
	}
}

// longestStep lists the steps that pause should take.
func longestStep(failures int) time.Duration {
	seconds := []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 900}
	return seconds[min(failures, len(seconds))-1] * time.Second
}

func TestPause_DoublesUpToAQuarterOfAnHour(t *testing.T) {
	for _, failures := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 64, 65, 400, 1 << 40} {
		shortest, longest := pause(failures), time.Duration(0)
		for range 1000 {
			p := pause(failures)
			wantPause(t, failures, p)
			shortest, longest = min(shortest, p), max(longest, p)
		}
		if spread := longestStep(failures) / 4; longest-shortest < spread/2 {
			t.Errorf("after %d failures a thousand pauses lie within %s, want them all over %s", failures,
				longest-shortest, spread)
		}
	}
}

// untilNextTry moves the clock to the next try and reports whether there is one.
func (w *world) untilNextTry() bool {
	w.t.Helper()
	var next time.Time
	for _, e := range w.list(false) {
		if e.State == Waiting && (next.IsZero() || e.NextAt.Before(next)) {
			next = e.NextAt
		}
	}
	if next.IsZero() {
		return false
	}
	w.clock.Advance(next.Sub(w.clock.Now()))
	return true
}

// This test uses SQLite only: it makes three hundred tries with their commits, and the database makes no difference.
func TestFailure_IsTriedForThreeDaysAndThenGivenUp(t *testing.T) {
	w := onSQLite(t)
	w.enqueue(w.job("a"))
	var ran record
	var tries []time.Duration // time since the job was due
	r := w.runner(ran.returning(func() error {
		if tries = append(tries, w.clock.Now().Sub(monday)); len(tries) == 1000 {
			t.Fatal("there is no end to it")
		}
		return errDown
	}))
	for w.untilNextTry() {
		w.runDue(r)
	}
	last := len(tries) - 1
	for i := 1; i < last; i++ {
		wantPause(t, i, tries[i]-tries[i-1])
	}
	if tries[last] != 72*time.Hour || tries[last-1] >= tries[last] {
		t.Errorf("tried %d times, the last two after %s, want the last after 72 h", len(tries), tries[last-1:])
	}
	if e := w.only(); e.State != Failed || e.Failures != len(tries) || e.LastError != errDown.Error() {
		t.Errorf("after %d tries: %+v", len(tries), e)
	}
	w.clock.Advance(1000 * time.Hour)
	if w.runDue(r); len(tries) != last+1 {
		t.Error("tried after it was given up")
	}
	w.wantLogged(2, "")
	w.wantLogged(1, "level=WARN")
	w.wantLogged(1, "is given up")
}

func TestRecovery_EveryJobIsDoneWithinOneStep(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, outage := range []time.Duration{time.Minute, 2 * time.Hour} {
			recovery := w.clock.Now().Add(outage)
			w.enqueue(w.dueJobs(3)...)
			done := 0
			var ran record
			r := w.runner(ran.returning(func() error {
				now, failures := w.clock.Now(), ran.jobs[len(ran.jobs)-1].Failures
				if now.Before(recovery) {
					return errDown
				}
				done++
				if late := now.Sub(recovery); late > longestStep(failures) {
					t.Errorf("done %s after the recovery with %d failures", late, failures)
				}
				return nil
			}))
			for w.untilNextTry() {
				w.runDue(r)
			}
			if done != 3 {
				t.Errorf("%d jobs were done, want 3", done)
			}
		}
	})
}
