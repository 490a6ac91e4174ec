package calendars

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
)

// Whoever asks for open times waits for nobody, and asks nobody else.
func TestQuiet_ListingsMakeNoRequest(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	p := before(t, dav.URL)
	acme := d.office(t, "acme", calendars(davAt(p.URL+"/alice/")))
	d.sync(t)
	s := d.start(t)
	wantSilence(t, "a young copy", p, func() { list(t, acme, s, "") })
	had := p.count()
	must(t)(acme.create(s, "call", "01-15T09"))
	if p.count() == had {
		t.Error("a booking was made without a look at the calendar: nothing is measured here")
	}
	p.make(says(http.StatusTooManyRequests, "Retry-After", "3600"))
	if _, err := d.try("", "calendar", "sync", "--workspace", "acme"); err == nil {
		t.Error("a calendar that asks for a pause was read")
	}
	// The pause is respected by everyone, so that whatever arrives now comes from a listing.
	wantSilence(t, "an old copy", p, func() {
		s = d.later(t, s, 16*time.Minute)
		list(t, acme, s, "calendar_unavailable")
		a, err := acme.create(s, "call", "01-16T09")
		wantCode(t, "create_booking during the pause", "calendar_unavailable")(a, err)
	})
	p.make(nil)
	s = d.later(t, s, time.Hour)
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

func wantSilence(t *testing.T, when string, p *proxy, do func()) {
	t.Helper()
	had := p.count()
	do()
	if n := p.count() - had; n > 0 {
		t.Errorf("with %s, the calendar's server got %d requests", when, n)
	}
}

// Nobody has to wait for a calendar to be read for the first time either.
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
