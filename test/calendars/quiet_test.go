package calendars

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
	"slotd/test/await"
	"slotd/test/harness"
)

// Listing open times never waits for a calendar server or sends it a request.
func TestQuiet_ListingsMakeNoRequest(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	p := proxyFor(t, dav.URL)
	// However long the interval is, the server reads the calendar three times until the copy is too old: here every
	// 15 minutes.
	acme := d.office(t, "acme", calendars(davAt(p.URL+"/alice/")+", stale_after_minutes: 45"))
	d.Setenv("SLOTD_CALENDAR_INTERVAL", "24h")
	d.sync(t)
	s := d.Serve(t)
	wantNoRequests(t, "a young copy", p, func() { list(t, acme, s, "") })
	before := p.count()
	must(t)(acme.create(s, "call", "01-15T09"))
	await.True(t, "a booking looks at the calendar, so that requests are counted", func() bool {
		return p.count() > before
	})
	s.Kill() // so that no read is under way
	p.setTrouble(answerWith(http.StatusTooManyRequests, "Retry-After", "3600"))
	await.True(t, "calendar list says that the calendar asks for a pause", func() bool {
		if _, exit := d.Try("", "calendar", "sync", "--workspace", "acme"); exit == 0 {
			t.Fatal("a calendar that asks for a pause was read")
		}
		l := d.listLine(t, "acme")
		next, err := time.Parse(time.RFC3339, l.NextRead)
		return strings.Contains(l.Error, "HTTP 429") && err == nil && next.After(d.Now().Add(50*time.Minute))
	})
	// Everything else respects the pause, so a request that arrives now comes from a listing.
	wantNoRequests(t, "an old copy", p, func() {
		s = d.RestartLater(t, s, 46*time.Minute)
		list(t, acme, s, "calendar_unavailable")
		a, err := acme.create(s, "call", "01-16T09")
		wantCode(t, "create_booking during the pause", "calendar_unavailable")(a, err)
	})
	p.setTrouble(nil)
	s = d.RestartLater(t, s, time.Hour)
	await.True(t, "the calendar is read after the pause", func() bool { return acme.readable(s) })
}

// list asks 200 times, for 64 different days: answers are kept.
func list(t *testing.T, o office, s *harness.Server, code string) {
	t.Helper()
	first := time.Date(2030, 1, 8, 0, 0, 0, 0, time.UTC)
	for n := range 200 {
		a, err := o.availability(s, first.AddDate(0, 0, n%64).Format(time.DateOnly), 1+n%30)
		if err != nil || a.Error.Code != code {
			t.Fatalf("get_availability: %+v, %v; want %q", a, err, code)
		}
	}
}

func wantNoRequests(t *testing.T, when string, p *proxy, do func()) {
	t.Helper()
	before := p.count()
	do()
	if n := p.count() - before; n > 0 {
		t.Errorf("with %s, the calendar's server got %d requests", when, n)
	}
}

// Listings do not wait for the first read of a calendar either: they are answered while it is under way.
func TestQuiet_NeverRead(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	var asked, gaveUp atomic.Int64
	started, answer := make(chan struct{}, 1), make(chan struct{})
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		select {
		case started <- struct{}{}:
		default:
		}
		select {
		case <-answer:
			io.WriteString(w, taken)
		case <-r.Context().Done():
		}
		if r.Context().Err() != nil {
			gaveUp.Add(1)
		}
	}))
	acme := d.office(t, "acme", calendars(feedAt(p.URL+secretPath)))
	s := d.Serve(t)
	await.Signal(t, "the server reads the calendar", started)
	list(t, acme, s, "calendar_unavailable")
	if status, err := acme.page(s); status != http.StatusServiceUnavailable || err != nil {
		t.Errorf("the page answers %d, %v", status, err)
	}
	close(answer)
	await.True(t, "the calendar is read", func() bool { return acme.readable(s) })
	stop(t, s) // after this, nothing that a listing may have started can still arrive
	// The server tries again by itself if it gave up, which it does after 20 seconds. The calendar may answer at the
	// same moment, and not notice it.
	want := 1 + gaveUp.Load()
	if strings.Contains(s.Log.String(), "a calendar cannot be read") {
		want++
	}
	if n := asked.Load(); n > want {
		t.Errorf("the calendar was asked for %d times, though the server gave up %d times", n, gaveUp.Load())
	}
}
