package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"slotd/internal/store"
)

func TestFailure_IsKeptAndTheNextTryWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		var ran record
		r := w.runner(ran.returning(down))
		w.runDue(r)
		ran.want(t, "a")
		e := w.only()
		if e.State != Waiting || e.Failures != 1 || e.LastError != errDown.Error() || !e.NextAt.After(monday) ||
			e.DueAt != monday {
			t.Errorf("%+v", e)
		}
		w.clock.Advance(e.NextAt.Sub(monday))
		w.runDue(r)
		if ran.want(t, "a", "a"); ran.jobs[1].Failures != 1 || ran.jobs[1].lastError != errDown.Error() {
			t.Errorf("the second try knows of %d failures and of %q", ran.jobs[1].Failures, ran.jobs[1].lastError)
		}
	})
}

func TestUnknownKind_WaitsForAServerThatKnowsIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		newer := w.job("newer")
		newer.Kind = "refund"
		w.enqueue(newer, w.job("z"))
		var ran record
		old := w.runner(ran.handle)
		w.runDue(old)
		ran.want(t, "z")
		e := w.only()
		if e.State != Waiting || e.Failures != 1 || !strings.Contains(e.LastError, "refund") {
			t.Errorf("%+v", e)
		}
		w.clock.Advance(firstPause)
		w.runDue(New(w.db, Mail, map[string]Handler{"refund": ran.handle}, w.clock.Now, old.log))
		ran.want(t, "z", "newer")
		w.wantNone()
	})
}

func TestPanic_IsLoggedAndTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"), w.job("b"))
		broken := true
		var ran record
		r := w.runner(ran.returning(func() error {
			if broken {
				broken = false
				panic("oh")
			}
			return nil
		}))
		w.runDue(r)
		ran.want(t, "a", "b")
		w.wantLogged(1, `msg="a job panicked" job=a panic=oh`)
		w.wantLogged(1, "failure_test.go") // the stack
		if e := w.only(); e.State != Waiting || e.Failures != 1 || strings.Contains(e.LastError, "oh") {
			t.Errorf("%+v", e)
		}
		w.clock.Advance(firstPause)
		w.runDue(r)
		ran.want(t, "a", "b", "a")
		w.wantNone()
	})
}

// The clock of the synctest bubble advances only when all goroutines are blocked, so the timeout takes no real time.
func TestHandler_ThatOutlivesItsTimeIsCanceled(t *testing.T) {
	w := onSQLite(t)
	synctest.Test(t, func(t *testing.T) {
		w.enqueue(Job{WorkspaceID: 1, ID: "a", Queue: Mail, Kind: "tell", DueAt: time.Now()})
		began := time.Now()
		hangs := func(ctx context.Context, _ *Job) (func(context.Context, *store.Tx) error, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		w.runDue(New(w.db, Mail, map[string]Handler{"tell": hangs}, time.Now, slog.New(slog.DiscardHandler)))
		if took := time.Since(began); took != handlerTimeout {
			t.Errorf("it had %s, want %s", took, handlerTimeout)
		}
		if e := w.only(); e.State != Waiting || e.Failures != 1 || e.LastError != context.DeadlineExceeded.Error() {
			t.Errorf("%+v", e)
		}
	})
}

// An error text may come from any remote server.
func TestFailure_WhateverItSaysItIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, text := range map[string]string{"not UTF-8": "552 Postfach \xfcberf\xfcllt", "a zero": "oh\x00no",
			"long": strings.Repeat("é", 5000)} {
			w.exec("DELETE FROM jobs")
			w.enqueue(w.job("a"), w.job("b"))
			var ran record
			if err := w.runner(ran.returning(func() error { return errors.New(text) })).RunDue(background); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			ran.want(t, "a", "b")
			for _, e := range w.list(false) {
				if e.Failures != 1 || e.LastError == "" || len(e.LastError) > 510 || !utf8.ValidString(e.LastError) {
					t.Errorf("%s: %+v", name, e)
				}
			}
		}
	})
}

func TestRetryAt_IsNoFailure(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		later := monday.Add(time.Hour)
		var ran record
		r := w.runner(ran.returning(func() error {
			if w.clock.Now().Before(later) {
				return RetryAt(later, "waits for its turn")
			}
			return nil
		}))
		w.runDue(r)
		if e := w.only(); e.State != Waiting || e.Failures != 0 || e.NextAt != later ||
			e.LastError != "waits for its turn" || e.DueAt != monday {
			t.Errorf("%+v", e)
		}
		w.clock.Advance(time.Hour - time.Millisecond)
		w.runDue(r)
		ran.want(t, "a")
		w.clock.Advance(time.Millisecond)
		w.runDue(r)
		ran.want(t, "a", "a")
		w.wantNone()
		w.wantLogged(0, "")
	})
}
