package jobs

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// claim claims the due jobs of workspace 1 like a server that then dies or is slow.
func (w *world) claim(db *store.DB) []sqlcgen.Job {
	w.t.Helper()
	return w.claimAt(db, w.clock.Now())
}

func (w *world) claimAt(db *store.DB, now time.Time) []sqlcgen.Job {
	w.t.Helper()
	rows, err := db.ClaimJobs(background, []int64{1}, string(Mail), now.UnixMilli(), now.Add(leaseDuration).UnixMilli(),
		roundSize)
	w.must(err)
	return rows
}

// state holds the columns of a job that saving a result changes.
type state struct {
	runAt, fence, failures, failedAt int64
	lastError                        string
}

func (w *world) state(id string) (s state) {
	w.t.Helper()
	const query = "SELECT run_at, fence, failures, failed_at, last_error FROM jobs WHERE id = $1"
	w.must(w.raw.QueryRowContext(background, query, id).Scan(&s.runAt, &s.fence, &s.failures, &s.failedAt,
		&s.lastError))
	return s
}

func TestLease_ADeadServersJobsRunElsewhereWhenItEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"), w.job("b"))
		if rows := w.claim(testdb.Open(t, w.target)); len(rows) != 2 {
			t.Fatalf("claimed %+v", rows)
		}
		var ran record
		other := w.runner(ran.handle)
		w.runDue(other)
		w.clock.Advance(leaseDuration - time.Millisecond)
		w.runDue(other)
		ran.want(t)
		w.clock.Advance(time.Millisecond)
		w.runDue(other)
		if ran.want(t, "a", "b"); ran.jobs[0].Failures != 0 {
			t.Error("a server's death counts as the job's failure")
		}
		w.wantNone()
	})
}

// The lease of the running job, and of the jobs waiting behind it, is renewed while the server lives.
func TestLease_IsRenewedHoweverLongAHandlerTakes(t *testing.T) {
	w := onSQLite(t)
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		w.enqueue(Job{WorkspaceID: 1, ID: "a", Queue: Mail, Kind: "tell", DueAt: now},
			Job{WorkspaceID: 1, ID: "b", Queue: Mail, Kind: "tell", DueAt: now})
		var ran record
		slow := func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			ran.add(j)
			for range 8 {
				time.Sleep(leaseDuration / 2)
				if taken := w.claimAt(w.db, time.Now()); len(taken) > 0 {
					t.Errorf("after %v others can claim %v", time.Since(now), taken[0].ID)
				}
			}
			return nil, nil
		}
		w.runDue(New(w.db, Mail, map[string]Handler{"tell": slow}, time.Now, slog.New(slog.DiscardHandler)))
		ran.want(t, "a", "b")
		w.wantNone()
	})
}

// lateOutcomes are all the ways in which a handler can end.
var lateOutcomes = map[string]error{
	"success": nil, "failure": errDown, "permanent": Permanent(errDown),
	"wait": RetryAt(monday.Add(time.Hour), "waits"),
}

// runLate runs a job whose lease ends while it is handled. It calls meanwhile after that and reports whether the
// handler's done function ran.
func (w *world) runLate(outcome error, meanwhile func()) (doneRan bool) {
	w.t.Helper()
	w.runDue(w.runner(func(context.Context, *Job) (func(context.Context, *store.Tx) error, error) {
		w.clock.Advance(leaseDuration)
		meanwhile()
		return func(context.Context, *store.Tx) error { doneRan = true; return nil }, outcome
	}))
	return doneRan
}

func TestFence_WhoComesLateChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := testdb.Open(t, w.target)
		for name, outcome := range lateOutcomes {
			w.enqueue(w.job("a"))
			var claimed []sqlcgen.Job
			var held state
			if w.runLate(outcome, func() { claimed, held = w.claim(second), w.state("a") }) {
				t.Errorf("%s: the late one's last word was written", name)
			}
			if got := w.state("a"); got != held || held.fence != 2 {
				t.Errorf("%s: the second's claim %+v became %+v", name, held, got)
			}
			var ran record
			r := w.runnerOn(second, ran.handle)
			w.must(r.saveResults([]result{r.run(background, jobFromRow(claimed[0]), false)}))
			ran.want(t, "a")
			w.wantNone()
		}
	})
}

func TestFence_WhatTheSecondDidStays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := testdb.Open(t, w.target)
		for name, outcome := range lateOutcomes {
			w.enqueue(w.job("a"))
			var ran record
			if w.runLate(outcome, func() { w.runDue(w.runnerOn(second, ran.handle)) }) {
				t.Errorf("%s: the late one's last word was written", name)
			}
			ran.want(t, "a")
			w.wantNone()

			w.enqueue(w.job("b"))
			var failed state
			w.runLate(outcome, func() { w.runDue(w.runnerOn(second, ran.returning(down))); failed = w.state("b") })
			if got := w.state("b"); got != failed || failed.failures != 1 {
				t.Errorf("%s: what the second left was %+v and became %+v", name, failed, got)
			}
			w.exec("DELETE FROM jobs")
		}
	})
}
