package calsync

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/lib/seal"
)

func TestPause_DoublesUpToItsLongest(t *testing.T) {
	for kind, want := range map[calendar.Kind][]time.Duration{
		calendar.Unreachable: {15, 30, 60, 120, 240, 480, 900, 900},
		calendar.Unusable:    {15, 30, 60, 120, 240, 480, 900, 900},
		calendar.Refused:     {15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600},
		calendar.Revoked:     {15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600},
	} {
		for i, seconds := range want {
			if got := pause(calendar.Errorf(kind, ""), int64(i+1)); got != seconds*time.Second {
				t.Errorf("kind %d, failure %d: %v, want %v", kind, i+1, got, seconds*time.Second)
			}
		}
		if got := pause(calendar.Errorf(kind, ""), 1_000_000); got != want[len(want)-1]*time.Second {
			t.Errorf("kind %d after a million failures: %v", kind, got)
		}
	}
}

func TestSync_ComesBackLessAndLessOften(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.fail(http.StatusInternalServerError)
		workspaceID, id := w.key("club")
		for i, seconds := range []time.Duration{15, 30, 60} {
			next, err := w.Sync(background, workspaceID, id)
			w.must(err)
			if next.Sub(w.clock.Now()) != seconds*time.Second {
				t.Fatalf("after failure %d: next at %v", i+1, next)
			}
			w.clock.Set(next)
		}
		w.feed.setHandler(nil)
		w.feed.setEvents(nine)
		next, err := w.Sync(background, workspaceID, id)
		w.must(err)
		s := w.state()
		if !next.Equal(w.clock.Now().Add(5*time.Minute)) || s.Failures != 0 || s.LastError != "" ||
			s.ReadAt != w.clock.Now().UnixMilli() {
			t.Errorf("after a success: next at %v, %+v", next, s)
		}
		w.wantBusy("+0 09:00-09:30")
	})
}

// The first read after a failure is written even if nothing changed and the copy is fresh.
func TestRead_TheFirstSuccessClearsTheFailure(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mustRead()
		w.feed.fail(http.StatusBadGateway)
		w.wantUnreadable(calendar.Unreachable)
		if s := w.state(); s.Failures != 1 ||
			!strings.Contains(s.LastError, "is having problems (502). We'll try again automatically.") {
			t.Errorf("got %+v", s)
		}
		w.feed.setHandler(nil)
		w.mustRead()
		if s := w.state(); s.Failures != 0 || s.LastError != "" || s.WaitUntil != 0 {
			t.Errorf("got %+v", s)
		}
	})
}

func TestRead_WaitsAsLongAsTheServerWishes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mustRead()
		w.feed.fail(http.StatusTooManyRequests, "Retry-After", "120")
		w.wantUnreadable(calendar.Unreachable)
		if s := w.state(); s.NextAt != w.clock.Now().Add(2*time.Minute).UnixMilli() {
			t.Errorf("next at %v", time.UnixMilli(s.NextAt))
		}
		w.feed.setHandler(nil)
		before, _ := w.feed.requests()
		w.clock.Advance(2*time.Minute - time.Millisecond)
		w.wantUnreadable(calendar.Unreachable)
		if reads := w.ReadAll(background, w.config()); len(reads) != 0 {
			t.Errorf("a guest's read got through: %v", reads)
		}
		if n, _ := w.feed.requests(); n != before {
			t.Errorf("it was asked %d times more", n-before)
		}
		w.clock.Advance(time.Millisecond)
		w.mustRead()
		if s := w.state(); s.WaitUntil != 0 || s.Failures != 0 {
			t.Errorf("got %+v", s)
		}
	})
}

func TestRead_WaitsNoLongerThanAnHourForAServer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.fail(http.StatusServiceUnavailable, "Retry-After", "86400")
		w.wantUnreadable(calendar.Unreachable)
		if s := w.state(); s.WaitUntil != monday.Add(time.Hour).UnixMilli() || s.NextAt != s.WaitUntil {
			t.Errorf("got %+v", s)
		}
	})
}

func (w *world) ownerJobs() int {
	w.t.Helper()
	return len(w.rows("SELECT id FROM jobs WHERE kind = 'calendar_trouble'"))
}

func TestRead_MailsTheOwnerOnceUntilItWorksAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		step := func(about string, status, want int) {
			t.Helper()
			w.clock.Advance(time.Hour)
			w.feed.fail(status)
			if status == http.StatusOK {
				w.feed.setHandler(nil)
			}
			if err := w.read(); (err == nil) != (status == http.StatusOK) {
				t.Fatalf("%s: %v", about, err)
			}
			if got := w.ownerJobs(); got != want {
				t.Errorf("%s: %d mails, want %d", about, got, want)
			}
		}
		step("never read and refused", 401, 0)
		step("read", 200, 0)
		step("down", 500, 0)
		step("refused", 401, 1)
		step("refused again", 403, 1)
		step("down", 500, 1)
		step("refused after that", 401, 1)
		step("read again", 200, 1)
		step("refused anew", 401, 2)
	})
}

// A server with another key file leaves the copy unchanged, sends no request, and says why.
func TestRead_WithAnotherKeyFileACalendarIsUnreadable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.file.Calendars[0].Username = "ada"
		w.applyWith(map[string]string{"club": "correct horse"})
		w.feed.setEvents(nine)
		w.mustRead()
		keys, err := seal.Ensure(filepath.Join(t.TempDir(), "other.key"))
		w.must(err)
		before, _ := w.feed.requests()
		w.clock.Advance(time.Hour)
		err = readBy(w, w.server(keys))
		if err == nil || !strings.Contains(err.Error(), "another key file") {
			t.Errorf("got %v", err)
		}
		if n, _ := w.feed.requests(); n != before || w.ownerJobs() != 0 {
			t.Errorf("%d requests, %d mails", n-before, w.ownerJobs())
		}
		w.wantBusy("+0 09:00-09:30")
		w.mustRead() // by the server that has the key
	})
}

// The time for a read is over when it fails. Still, the failure must be saved, because it schedules the next read.
func TestRead_AReadThatTookTooLongIsNoted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(background)
		w.feed.setHandler(func(out http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		workspaceID, id := w.key("club")
		if err := w.readOnce(ctx, workspaceID, id); err == nil {
			t.Error("the read went well")
		}
		if s := w.state(); s.Failures != 1 || s.LastError == "" || s.NextAt != monday.Add(minPause).UnixMilli() {
			t.Errorf("got %+v", s)
		}
	})
}

// After any failure the next read is in the future: a job that is already due would come back at once, again and
// again.
func TestSync_ItsNextTimeIsNeverPast(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		workspaceID, id := w.key("club")
		sync := func() {
			t.Helper()
			next, err := w.Sync(background, workspaceID, id)
			w.must(err)
			if !next.After(w.clock.Now()) {
				t.Fatalf("at %v it is to run at %v", w.clock.Now(), next)
			}
		}
		w.feed.fail(http.StatusUnauthorized)
		for range 8 {
			sync()
			w.clock.Advance(15 * time.Second)
		}
		w.clock.Advance(time.Hour)
		w.feed.fail(http.StatusInternalServerError)
		sync()
		w.feed.setHandler(func(out http.ResponseWriter, _ *http.Request) { // and a guest's read is asked to wait
			out.Header().Set("Retry-After", "3600")
			out.WriteHeader(http.StatusTooManyRequests)
		})
		w.wantUnreadable(calendar.Unreachable)
		for range 8 {
			w.clock.Advance(8 * time.Minute)
			sync()
		}
	})
}

func TestSync_AfterTheClockWasPutBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		workspaceID, id := w.key("club")
		w.clock.Advance(26 * time.Hour)
		w.mustRead()
		w.clock.Advance(-26 * time.Hour)
		next, err := w.Sync(background, workspaceID, id)
		w.must(err)
		if s := w.state(); s.ReadAt != w.clock.Now().UnixMilli() || next.Sub(w.clock.Now()) > DefaultInterval {
			t.Errorf("read at %v, next at %v", time.UnixMilli(s.ReadAt), next)
		}
	})
}
