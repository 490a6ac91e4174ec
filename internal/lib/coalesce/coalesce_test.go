package coalesce

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// joined reports whether a caller waits for the next run.
func joined(r *Group) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.next != nil
}

func TestRace_OneRunServesAllWhoCameBeforeItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Group
		var runs atomic.Int64
		finish := make(chan struct{})
		fn := func() error {
			runs.Add(1)
			<-finish
			return nil
		}
		var all sync.WaitGroup
		call := func() {
			all.Go(func() {
				if err := r.Do(context.Background(), fn); err != nil {
					t.Error(err)
				}
			})
		}
		call()
		synctest.Wait() // the first run is in progress
		const late = 100
		for range late {
			call()
		}
		synctest.Wait() // all of them wait
		if !joined(&r) {
			t.Error("nobody waits for the next round")
		}
		close(finish)
		all.Wait()
		if n := runs.Load(); n != 2 {
			t.Errorf("%d runs for one early and %d late askers, want 2", n, late)
		}
		synctest.Wait()
		if r.running || r.next != nil {
			t.Error("it goes on")
		}
	})
}

func TestRace_NeverServesByARunThatBeganBeforeYouCame(t *testing.T) {
	var r Group
	var written, seen atomic.Int64
	update := func() error {
		current := written.Load()
		for {
			old := seen.Load()
			if current <= old || seen.CompareAndSwap(old, current) {
				return nil
			}
		}
	}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 2000 {
				version := written.Add(1)
				if err := r.Do(context.Background(), update); err != nil {
					t.Error(err)
				}
				if got := seen.Load(); got < version {
					t.Errorf("the run that served %d saw only %d", version, got)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestRace_CallersShareTheErrorOfTheirRunOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Group
		var runs atomic.Int64
		broken := errors.New("broken")
		finish := make(chan struct{})
		first := make(chan error, 1)
		go func() {
			first <- r.Do(context.Background(), func() error { // it also makes the run for the late ones
				if runs.Add(1) > 1 {
					return broken
				}
				<-finish
				return nil
			})
		}()
		synctest.Wait() // the first run is in progress
		late := make(chan error, 2)
		for range 2 {
			go func() { late <- r.Do(context.Background(), func() error { return broken }) }()
		}
		synctest.Wait() // both wait for the second run
		if !joined(&r) {
			t.Error("nobody waits for the second run")
		}
		close(finish)
		if err := <-first; err != nil {
			t.Errorf("the first run: %v", err)
		}
		for range 2 {
			if err := <-late; err != broken {
				t.Errorf("one who waited for the second run got %v", err)
			}
		}
		synctest.Wait() // nothing runs any more
		if err := r.Do(context.Background(), func() error { return nil }); err != nil {
			t.Errorf("the next run inherits the error: %v", err)
		}
	})
}

func TestGroup_AResultThatIsThereCountsAlthoughTheContextHasEnded(t *testing.T) {
	for range 100 { // a select between both would choose either
		var r Group
		ctx, cancel := context.WithCancel(context.Background())
		if err := r.Do(ctx, func() error { cancel(); return nil }); err != nil {
			t.Fatalf("got %v", err)
		}
	}
}

// If one who went away blocked those who come after, the last call would never return, which synctest reports.
func TestGroup_WaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Group
		var runs atomic.Int64
		finish := make(chan struct{})
		go r.Do(context.Background(), func() error {
			if runs.Add(1) == 1 {
				<-finish
			}
			return nil
		})
		synctest.Wait() // the first run is in progress
		ctx, cancel := context.WithCancel(context.Background())
		waiting := make(chan error, 1)
		go func() { waiting <- r.Do(ctx, func() error { return nil }) }()
		synctest.Wait()
		cancel()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(finish)
		synctest.Wait()
		if err := r.Do(context.Background(), func() error { return nil }); err != nil {
			t.Errorf("the next call: %v", err)
		}
	})
}
