package calsync

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/coalesce"
	"slotd/internal/store/testdb"
	"slotd/test/await"
)

// Each feed responds only when all have been requested: sequential requests would never end.
func TestReadAll_AsksAllCalendarsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		feeds := []*published{w.feed, newFeed(t), newFeed(t)}
		var requested atomic.Int64
		all := make(chan struct{})
		release := sync.OnceFunc(func() { close(all) })
		t.Cleanup(release)
		for i, f := range feeds {
			if i > 0 {
				w.file.Calendars = append(w.file.Calendars, f.calendar(fmt.Sprint("other ", i)))
			}
			f.setHandler(func(out http.ResponseWriter, _ *http.Request) {
				if int(requested.Add(1)) == len(feeds) {
					release()
				}
				<-all
				fmt.Fprint(out, f.text)
			})
		}
		w.apply()
		if reads := w.ReadAll(background, w.config()); len(reads) != len(feeds) {
			t.Errorf("%d of %d calendars were read", len(reads), len(feeds))
		}
	})
}

func TestReadAll_LeavesOutWhatCannotBeRead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		down := newFeed(t)
		down.fail(http.StatusInternalServerError)
		w.file.Calendars = append(w.file.Calendars, down.calendar("down"))
		w.apply()
		_, id := w.key("club")
		reads := w.ReadAll(background, w.config())
		if at, ok := reads[id]; !ok || len(reads) != 1 || !at.Equal(monday) {
			t.Errorf("got %v", reads)
		}
	})
}

// A guest who stops waiting for a slow calendar has the fast one.
func TestReadAll_GivesUpOnASlowCalendar(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	slow := newFeed(t)
	arrived, release := slow.stall(t)
	w.file.Calendars = append(w.file.Calendars, slow.calendar("slow"))
	w.apply()
	_, quick := w.key("club")
	c, before := w.config(), w.state().Round
	ctx, giveUp := context.WithCancel(background)
	done := make(chan map[int64]time.Time, 1)
	go func() { done <- w.ReadAll(ctx, c) }()
	await.Signal(t, "a request to the slow calendar", arrived)
	await.True(t, "the read of the fast calendar", func() bool { return w.state().Round > before })
	w.must(w.read()) // comes after that read, whose result the guest now has
	giveUp()
	reads := await.Signal(t, "the guest's answer", done)
	if _, ok := reads[quick]; !ok || len(reads) != 1 {
		t.Errorf("got %v", reads)
	}
	release()
}

func TestReadAll_WaitsNoLongerThanLiveTimeout(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	arrived, release := w.feed.stall(t)
	stalled := w.feed.handler
	var givenUp atomic.Bool
	w.feed.setHandler(func(out http.ResponseWriter, r *http.Request) {
		defer context.AfterFunc(r.Context(), func() { givenUp.Store(true) })()
		stalled(out, r)
	})
	w.LiveTimeout = time.Millisecond
	c := w.config()
	done := make(chan map[int64]time.Time, 1)
	go func() {
		reads := w.ReadAll(background, c)
		if givenUp.Load() {
			t.Error("the guest waited until the read itself was given up")
		}
		done <- reads
	}()
	if reads := await.Signal(t, "an answer although the calendar hangs", done); len(reads) != 0 {
		t.Errorf("got %v", reads)
	}
	await.Signal(t, "the request, which goes on without the guest", arrived)
	release()
}

// In the synctest bubble, the clock advances only when everybody waits.
func TestReadAll_WaitsForThreeSecondsByDefault(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{0: 3 * time.Second, time.Minute: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := &Service{LiveTimeout: timeout, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
			hanging, release := &coalesce.Group{}, make(chan struct{})
			defer close(release)
			s.reads.Store(calendarKey{1, 2}, hanging)
			go hanging.Join(background, func() error { <-release; return nil })
			synctest.Wait()
			began := time.Now()
			reads := s.ReadAll(background,
				&snapshot.Config{WorkspaceID: 1, Workspace: slotd.Workspace{Calendars: []slotd.Calendar{{ID: 2}}}})
			if took := time.Since(began); took != want || len(reads) != 0 {
				t.Errorf("waited for %v, want %v; got %v", took, want, reads)
			}
		})
	}
}

// A guest who leaves has started a read that others may need: its result is saved all the same.
func TestRead_GoesOnWhenItsGuestIsGone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		arrived, release := w.feed.stall(t)
		ctx, cancel := context.WithCancel(background)
		done := make(chan int, 1)
		c, before := w.config(), w.state().Round
		go func() { done <- len(w.ReadAll(ctx, c)) }()
		<-arrived
		cancel()
		if n := <-done; n != 0 {
			t.Errorf("%d calendars were read", n)
		}
		w.feed.setEvents() // which the current read does not see
		next := make(chan error, 1)
		go func() { next <- w.read() }() // waits for the first to end
		release()
		w.must(<-next)
		if n := w.state().Round - before; n != 2 {
			t.Errorf("%d reads were kept, want both", n)
		}
		w.wantBusy()
	})
}

// However many callers there are, a calendar is read once at a time, and nobody gets a result that is older than the
// call. All callers of the crowd wait when the first read is released, so one more read serves them all.
func TestRace_ACrowdIsServedByOneReadAtATime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		workspaceID, id := w.key("club")
		arrived, release := w.feed.stall(t)
		stalled := w.feed.handler
		var inside, peak, total atomic.Int64
		w.feed.setHandler(func(out http.ResponseWriter, r *http.Request) {
			total.Add(1)
			peak.Store(max(peak.Load(), inside.Add(1)))
			defer inside.Add(-1)
			stalled(out, r)
		})
		first := make(chan error, 1)
		go func() { first <- w.Read(background, workspaceID, id) }()
		await.Signal(t, "the first request", arrived)
		w.feed.setEvents(ten)
		const callers = 50
		var crowd, waiting sync.WaitGroup
		waiting.Add(callers)
		for range callers {
			crowd.Go(func() {
				ctx := &waitedFor{Context: background, waits: sync.OnceFunc(waiting.Done)}
				if err := w.Read(ctx, workspaceID, id); err != nil {
					t.Error(err)
				}
				if p, err := w.Cache.Latest(background, workspaceID); err != nil || len(p.Busy.Busy()) != 1 ||
					p.Busy.Busy()[0].Start.Hour() != 10 {
					t.Errorf("got an answer that is older than the question (%v)", err)
				}
			})
		}
		waiting.Wait()
		if n := total.Load(); n != 1 {
			t.Errorf("%d requests while the first is held", n)
		}
		release()
		w.must(<-first)
		crowd.Wait()
		if peak.Load() != 1 || total.Load() != 2 {
			t.Errorf("%d requests, %d at once", total.Load(), peak.Load())
		}
	})
}

// waitedFor is a context that says when somebody waits for its end.
type waitedFor struct {
	context.Context
	waits func()
}

func (w *waitedFor) Done() <-chan struct{} {
	w.waits()
	return w.Context.Done()
}

func TestRead_AnotherServersReadIsSeen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.server(w.Keys)
		wantBusyBy(w, other)
		w.feed.setEvents(nine)
		w.mustRead()
		wantBusyBy(w, other, "+0 09:00-09:30")
		w.clock.Advance(10 * time.Minute)
		w.mustRead() // and finds nothing new
		p, err := other.Cache.Latest(background, w.config().WorkspaceID)
		w.must(err)
		_, id := w.key("club")
		if at := p.Busy.ReadAt(id); !at.Equal(w.clock.Now()) {
			t.Errorf("the other server takes the copy for one of %v", at)
		}
	})
}
