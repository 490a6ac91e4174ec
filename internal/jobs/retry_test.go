package jobs

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func (w *world) retry(id string, want bool) {
	w.t.Helper()
	found, err := Retry(background, w.db, id, w.clock.Now())
	if w.must(err); found != want {
		w.t.Errorf("retry of %s: found %v, want %v", id, found, want)
	}
}

func refused() error { return fmt.Errorf("send: %w", Permanent(errors.New("550 no such mailbox"))) }

func TestPermanent_StopsAtOnceAndIsShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		var ran record
		r := w.runner(ran.returning(refused))
		w.runDue(r)
		want := Entry{ID: "a", Workspace: "w1", Kind: "tell", State: Failed, DueAt: monday, Failures: 1,
			LastError: refused().Error()}
		if got := w.list(true); len(got) != 1 || got[0] != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		for range 5 {
			w.clock.Advance(24 * time.Hour)
			w.runDue(r)
		}
		ran.want(t, "a")
		w.wantLogged(1, "")
		w.wantLogged(1, `level=ERROR msg="a job is given up; slotd jobs list --failed shows it, slotd jobs retry tries again" job=a`)
	})
}

func TestList_ShowsTheOldestOrThoseGivenUpAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("given.up"))
		var ran record
		w.runDue(w.runner(ran.returning(refused)))
		other, later := w.job("other"), w.job("later")
		other.DueAt, later.DueAt, other.WorkspaceID = monday.Add(-time.Hour), monday.Add(time.Hour), 2
		w.enqueue(later, other)
		var seen string
		for _, e := range w.list(false) {
			seen += fmt.Sprintln(e.ID, e.Workspace, e.State, e.NextAt.Sub(monday))
		}
		if want := fmt.Sprintf("other w2 waiting -1h0m0s\ngiven.up w1 failed %s\nlater w1 waiting 1h0m0s\n",
			time.Time{}.Sub(monday)); seen != want {
			t.Errorf("got\n%swant\n%s", seen, want)
		}
		if failed := w.list(true); len(failed) != 1 || failed[0].ID != "given.up" {
			t.Errorf("given up: %+v", failed)
		}
		few, err := List(background, w.db, false, 2)
		if w.must(err); len(few) != 2 || few[0].ID != "other" {
			t.Errorf("the first two: %+v", few)
		}
	})
}

func TestRetry_GivesTheJobItsWholeTimeAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		var ran record
		w.runDue(w.runner(ran.returning(refused)))
		w.clock.Advance(retryFor + time.Hour)
		w.retry("a", true)
		if again := w.clock.Now(); w.only() != (Entry{ID: "a", Workspace: "w1", Kind: "tell", State: Waiting,
			DueAt: again, NextAt: again, LastError: refused().Error()}) {
			t.Errorf("%+v", w.only())
		}
		fails := w.runner(ran.returning(down))
		w.runDue(fails)
		if e := w.only(); e.State != Waiting || e.Failures != 1 { // not given up, although it was first due long ago
			t.Errorf("%+v", e)
		}
		w.clock.Advance(firstPause)
		w.runDue(w.runner(ran.handle))
		ran.want(t, "a", "a", "a")
		w.wantNone()
	})
}

func TestRetry_OfWhatWasNotGivenUpFindsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		var ran record
		w.runDue(w.runner(ran.returning(down)))
		before := w.only()
		w.clock.Advance(time.Second)
		w.retry("a", false)
		w.retry("unknown", false)
		if after := w.only(); after != before {
			t.Errorf("before %+v, after %+v", before, after)
		}
		w.clock.Advance(firstPause)
		w.runDue(w.runner(ran.handle))
		w.retry("a", false) // the job is done
	})
}

func TestRetry_FindsNothingIfTheDatabaseFails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		var ran record
		w.runDue(w.runner(ran.returning(refused)))
		w.exec("ALTER TABLE jobs RENAME COLUMN due_at TO away")
		found, err := Retry(background, w.db, "a", w.clock.Now())
		w.exec("ALTER TABLE jobs RENAME COLUMN away TO due_at")
		if found || err == nil {
			t.Errorf("found %v, %v", found, err)
		}
		w.retry("a", true)
	})
}

func TestPermanent_KeepsItsCause(t *testing.T) {
	cause := errors.New("550 no such mailbox")
	if err := Permanent(cause); !errors.Is(err, cause) || err.Error() != cause.Error() {
		t.Errorf("%v", err)
	}
}

func TestRetryAll_IsForAllThatWereGivenUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		elsewhere := w.job("elsewhere")
		elsewhere.WorkspaceID = 2
		w.enqueue(w.job("a"), elsewhere)
		var ran record
		w.runDue(w.runner(ran.returning(refused)))
		later := w.job("later")
		later.DueAt = monday.Add(time.Hour)
		w.enqueue(later)
		for _, want := range []int64{2, 0} {
			if n, err := RetryAll(background, w.db, w.clock.Now()); n != want || err != nil {
				t.Errorf("%d, %v, want %d", n, err, want)
			}
		}
		ran = record{}
		w.runDue(w.runner(ran.handle))
		if len(ran.jobs) != 2 || w.only().NextAt != later.DueAt {
			t.Errorf("handled %q, left %+v", ran.ids(), w.only())
		}
	})
}
