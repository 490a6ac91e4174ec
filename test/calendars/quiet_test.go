package calendars

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
)

// Listing open times never waits for a calendar server or sends it a request.
func TestQuiet_ListingsMakeNoRequest(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	p := proxyFor(t, dav.URL)
	acme := d.office(t, "acme", calendars(davAt(p.URL+"/alice/")))
	d.sync(t)
	s := d.start(t)
	wantNoRequests(t, "a young copy", p, func() { list(t, acme, s, "") })
	before := p.count()
	must(t)(acme.create(s, "call", "01-15T09"))
	if p.count() == before {
		t.Error("a booking was made without a look at the calendar: nothing is measured here")
	}
	p.setTrouble(answerWith(http.StatusTooManyRequests, "Retry-After", "3600"))
	if _, err := d.try("", "calendar", "sync", "--workspace", "acme"); err == nil {
		t.Error("a calendar that asks for a pause was read")
	}
	// Everything else respects the pause, so a request that arrives now comes from a listing.
	wantNoRequests(t, "an old copy", p, func() {
		s = d.restartLater(t, s, 16*time.Minute)
		list(t, acme, s, "calendar_unavailable")
		a, err := acme.create(s, "call", "01-16T09")
		wantCode(t, "create_booking during the pause", "calendar_unavailable")(a, err)
	})
	p.setTrouble(nil)
	s = d.restartLater(t, s, time.Hour)
	eventually(t, "the calendar is read after the pause", func() bool { return acme.readable(s) })
}

// list asks 200 times, for 64 different days: answers are kept.
func list(t *testing.T, o office, s *server, code string) {
	t.Helper()
	first := time.Date(2030, 1, 8, 0, 0, 0, 0, time.UTC)
	for n := range 200 {
		began := time.Now()
		a, err := o.availability(s, first.AddDate(0, 0, n%64).Format(time.DateOnly), 1+n%30)
		if took := time.Since(began); took > 2*time.Second || err != nil || a.Error.Code != code {
			t.Fatalf("get_availability: %+v, %v, after %v; want %q at once", a, err, took, code)
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

// Listings do not wait for the first read of a calendar either.
func TestQuiet_NeverRead(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	var asked atomic.Int64
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-r.Context().Done()
	}))
	acme := d.office(t, "acme", calendars(feedAt(p.URL+secretPath)))
	s := d.start(t)
	eventually(t, "the server reads the calendar", func() bool { return asked.Load() == 1 })
	list(t, acme, s, "calendar_unavailable")
	if asked.Load() != 1 {
		t.Errorf("the calendar was asked for %d times", asked.Load())
	}
	if status, err := acme.page(s); status != http.StatusServiceUnavailable || err != nil {
		t.Errorf("the page answers %d, %v", status, err)
	}
}
