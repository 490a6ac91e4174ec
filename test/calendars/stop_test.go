package calendars

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

// A calendar that hangs does not keep the server from stopping. If the machine is so slow that the server gives up the
// read by itself before it stops, this proves nothing.
func TestStop_WhileTheServerReadsACalendar(t *testing.T) {
	t.Parallel()
	await.True(t, "a server stops while it reads a calendar", func() bool { return stopsDuringRead(t) })
}

// stopsDuringRead reports whether a new server was stopped before it gave up the read.
func stopsDuringRead(t *testing.T) bool {
	t.Helper()
	d := onSQLite(t)
	p := newProxy(t, http.NotFoundHandler())
	p.setTrouble(hangs)
	d.office(t, "acme", calendars(feedAt(p.URL+secretPath)))
	s := d.Serve(t)
	await.True(t, "the calendar is being read", func() bool { return p.count() > 0 })
	stop(t, s)
	if strings.Contains(s.Log.String(), "a calendar cannot be read") {
		return false
	}
	var jobs []struct{ Next time.Time }
	if err := json.Unmarshal([]byte(d.Run(t, "jobs", "list", "--json")), &jobs); err != nil || len(jobs) != 1 ||
		jobs[0].Next.After(d.Now()) {
		t.Errorf("the calendar is not due at once: %+v, %v", jobs, err)
	}
	before := p.count()
	d.Serve(t)
	await.True(t, "the calendar is read again", func() bool { return p.count() > before })
	return true
}

func TestRace_StopWhileAGuestWaitsForACalendar(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) }))
	acme := d.office(t, "acme", calendars(feedAt(p.URL+secretPath)))
	d.sync(t)
	s := d.Serve(t)
	p.setTrouble(hangs)
	before, answered := p.count(), make(chan answer, 1)
	go func() {
		a, err := acme.create(s, "call", "01-16T09")
		if err != nil {
			t.Error(err)
		}
		answered <- a
	}()
	await.True(t, "the guest waits", func() bool { return p.count() > before })
	stop(t, s)
	if a := await.Signal(t, "the guest is answered", answered); a.BookingID == "" {
		t.Errorf("the guest got %+v, want a booking by the young copy", a)
	}
}

// stop stops the server. It must end because nothing is under way any more, not because its time to stop is over.
func stop(t *testing.T, s *harness.Server) {
	t.Helper()
	s.Terminate(t)
	if exit := s.Wait(t); exit != 0 || strings.Contains(s.Log.String(), "cuts off") {
		t.Errorf("stopped with %d: %s", exit, s.Log)
	}
}
