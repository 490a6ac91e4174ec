package jobs

import (
	"testing"
	"time"
)

func (w *world) wantHealth(want Health) {
	w.t.Helper()
	got, err := Check(background, w.db, Mail, w.clock.Now())
	if w.must(err); got != want {
		w.t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCheck_CountsWhatWasGivenUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wantHealth(Health{})
		other := w.job("other")
		other.Queue = "calendar"
		w.enqueue(w.job("a"), w.job("b"), other)
		var ran record
		w.runDue(w.runner(ran.with(refused)))
		w.clock.advance(time.Hour)
		w.wantHealth(Health{Failed: 2}) // the other queue's is overdue, and none of ours
		w.retry("a", true)
		w.wantHealth(Health{Failed: 1})
	})
}

func TestCheck_SaysHowLateTheQueueIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		later := w.job("later")
		later.DueAt = monday.Add(time.Hour)
		w.enqueue(w.job("a"), later)
		w.wantHealth(Health{})
		w.clock.advance(5 * time.Minute)
		w.wantHealth(Health{Overdue: 5 * time.Minute})
		w.claim(w.db)
		w.wantHealth(Health{})
		w.clock.advance(lease + time.Second)
		w.wantHealth(Health{Overdue: time.Second})
		var ran record
		w.runDue(w.runner(ran.with(down)))
		w.wantHealth(Health{}) // it waits for its next try
		w.clock.advance(2 * time.Hour)
		w.runDue(w.runner(ran.handle))
		w.wantHealth(Health{})
	})
}

func TestLog_OneLineWhenJobsFailAndOneWhenTheySucceedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.due(100)...)
		outage := true
		var ran record
		r := w.runner(ran.with(func() error {
			if outage {
				return errDown
			}
			return nil
		}))
		const failed, again = "level=WARN", `level=INFO msg="jobs succeed again"`
		w.runDue(r)
		w.wantLogged(1, "")
		w.wantLogged(1, failed)
		outage = false
		w.clock.advance(firstPause)
		if w.runDue(r); len(ran.jobs) != 200 {
			t.Errorf("%d tries", len(ran.jobs))
		}
		w.wantLogged(2, "")
		w.wantLogged(1, again)
		outage = true
		w.enqueue(w.due(2)...)
		w.runDue(r)
		w.wantLogged(3, "")
		w.wantLogged(2, failed)
	})
}
