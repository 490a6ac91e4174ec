package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

func TestRun_StoppedInTheMiddleOfAClaim(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const unclaimed = 5
		list := w.dueJobs(roundSize + unclaimed)
		w.enqueue(list...)
		w.exec("UPDATE jobs SET failures = 2, last_error = 'before' WHERE id = 'j005'")
		ctx, stop := context.WithCancel(background)
		var ran record
		w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			if ran.add(j); j.ID == "j002" {
				stop()
			}
			return nil, nil
		}).Run(ctx, background)
		ran.want(t, "j000", "j001", "j002")
		for i, j := range list[3:] {
			want := state{runAt: monday.UnixMilli(), fence: 1}
			if 3+i >= roundSize {
				want.fence = 0
			}
			if j.ID == "j005" {
				want.failures, want.lastError = 2, "before"
			}
			if got := w.state(j.ID); got != want {
				t.Errorf("%s: %+v, want %+v", j.ID, got, want)
			}
		}
		w.wantLogged(0, "")
		other := record{}
		w.runDue(w.runnerOn(testdb.Open(t, w.target), other.handle))
		if wrong := notRunOnce(list[3:], &other); len(wrong) > 0 || len(other.jobs) != len(list)-3 {
			t.Errorf("the next server handled %q", other.ids())
		}
	})
}

// The handler's context must not end with the server's.
func TestRun_StoppedTheRunningJobIsNotCanceled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		ctx, stop := context.WithCancel(background)
		w.runner(func(handlerCtx context.Context, _ *Job) (func(context.Context, *store.Tx) error, error) {
			stop()
			return nil, handlerCtx.Err()
		}).Run(ctx, background)
		w.wantNone()
	})
}

func TestRunDue_AfterTheEndClaimsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enqueue(w.job("a"))
		ctx, stop := context.WithCancel(background)
		stop()
		var ran record
		if err := w.runner(ran.handle).RunDue(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		w.runner(ran.handle).Run(ctx, background)
		if ran.want(t); w.state("a").fence != 0 {
			t.Error("it was claimed")
		}
	})
}

// running calls test with a runner in a synctest bubble, where the clock stands still while any goroutine works.
func running(t *testing.T, test func(w *world, r *Runner, ran *record)) {
	w := onSQLite(t)
	synctest.Test(t, func(t *testing.T) {
		w.clock.Set(time.Now())
		ctx, stop := context.WithCancel(background)
		defer synctest.Wait()
		defer stop()
		var ran record
		r := New(w.db, Mail, map[string]Handler{"tell": ran.handle}, time.Now,
			slog.New(slog.NewTextHandler(w.log, nil)))
		go r.Run(ctx, background)
		synctest.Wait()
		test(w, r, &ran)
	})
}

func TestWake_StartsASleepingRunnerAtOnce(t *testing.T) {
	running(t, func(w *world, r *Runner, ran *record) {
		w.enqueue(w.job("a"))
		for range 3 {
			r.Wake()
		}
		synctest.Wait()
		ran.want(w.t, "a")
		if now := time.Now(); !now.Equal(w.clock.Now()) {
			w.t.Errorf("after %s", now.Sub(w.clock.Now()))
		}
	})
}

func TestRun_FindsByItselfWhatOthersEnqueued(t *testing.T) {
	running(t, func(w *world, r *Runner, ran *record) {
		w.enqueue(w.job("a"))
		synctest.Wait()
		ran.want(w.t)
		time.Sleep(pollEvery)
		synctest.Wait()
		ran.want(w.t, "a")
	})
}

func TestRun_ADatabaseThatIsAwayIsLoggedOnceAndComesBack(t *testing.T) {
	running(t, func(w *world, r *Runner, ran *record) {
		w.enqueue(w.job("a"))
		for outage := 1; outage <= 2; outage++ {
			w.exec("ALTER TABLE jobs RENAME TO away")
			time.Sleep(10 * pollEvery)
			synctest.Wait()
			w.wantLogged(outage, "")
			w.wantLogged(outage, `level=ERROR msg="jobs cannot be run"`)
			w.exec("ALTER TABLE away RENAME TO jobs")
			time.Sleep(pollEvery)
			synctest.Wait()
		}
		ran.want(w.t, "a")
	})
}

func TestRun_AClosedDatabaseIsLoggedOnce(t *testing.T) {
	running(t, func(w *world, r *Runner, ran *record) {
		w.must(w.db.Close())
		time.Sleep(10 * pollEvery)
		synctest.Wait()
		w.wantLogged(1, "")
	})
}
