package browser

import (
	"net/url"
	"testing"
	"time"

	"github.com/go-rod/rod"
)

// scene is a server with bookings in every state that a page can show.
type scene struct {
	*program
	fresh, moved, canceled bookingPaths
	later                  *program // on the same data, two weeks later
	consent                string   // path to which the calendar's service redirects the owner
}

const (
	takenSlot = "2030-11-05T10:00:00.000Z" // booked by fresh
	freeSlot  = "2030-11-05T15:00:00.000Z"
)

func newScene(t *testing.T, o office, g guest) *scene {
	t.Helper()
	s := &scene{program: startAt(t, monday, o.file())}
	s.Apply(t, bare)
	s.Apply(t, unread)
	link, err := url.Parse(s.Run(t, "calendar", "connect", "--workspace", "unread", "private",
		"--google-client-id", "id", "--google-client-secret", "secret"))
	if err != nil {
		t.Fatal(err)
	}
	s.consent = "/oauth/calendar?state=" + link.Query().Get("state")
	all := s.bookByForm(t, "/acme/intro", g, takenSlot, "2030-11-05T11:00:00.000Z", "2030-11-05T12:00:00.000Z")
	s.fresh, s.moved, s.canceled = all[0], all[1], all[2]
	s.post(t, s.moved.reschedule, url.Values{"slot": {"2030-11-06T11:00:00.000Z"}})
	s.post(t, s.canceled.cancel, url.Values{"reason": {g.notes}})
	s.awaitNotices(t) // the later server would drop them as outdated
	s.AdvanceClock(14 * 24 * time.Hour)
	s.later = &program{s.Deployment, s.Serve(t)}
	s.AdvanceClock(-14 * 24 * time.Hour)
	return s
}

// state is a page in one of the states in which a guest may see it.
type state struct {
	name    string
	url     string
	before  func(t *testing.T, p *rod.Page) // keeps the page from moving on by itself; may be nil
	act     func(t *testing.T, p *rod.Page) // leads from the page at url to the state; may be nil
	expects []string                        // in the console, which reports every unsuccessful status
}

// reach opens the page, checks that its layout does not shift while it loads, and brings it into the state.
func (s state) reach(t *testing.T, p *rod.Page) {
	t.Helper()
	if s.before != nil {
		s.before(t, p)
	}
	visit(t, p, s.url)
	if got := layoutShift(p); got >= 0.02 {
		t.Errorf("the page shifts by %.3f", got)
	}
	if s.act != nil {
		s.act(t, p)
	}
}

func (s *scene) states() []state {
	return append(append(s.choosing(), s.filling()...), append(s.booked(), s.elsewhere()...)...)
}

func (s *scene) choosing() []state {
	return []state{
		{name: "workspace", url: s.URL + "/acme"},
		{name: "workspace-empty", url: s.URL + "/bare"},
		{name: "event", url: s.URL + "/acme/intro"},
		{name: "event-visit", url: s.URL + "/acme/visit"},
		{name: "event-paid", url: s.URL + "/acme/paid"},
		{name: "event-day-without-times", url: s.URL + "/acme/intro?date=2030-11-09"},
		{name: "event-month-without-times", url: s.URL + "/acme/rare?month=2030-11"},
		{name: "event-nothing-open", url: s.URL + "/acme/never"},
		{name: "event-slot-gone", url: s.URL + "/acme/intro?slot=" + takenSlot},
		{name: "event-slot-gone-and-no-other", url: s.URL + "/acme/never?slot=" + takenSlot},
		{name: "zone-several", url: s.URL + "/acme/intro?tz=portland"},
		{name: "zone-unknown", url: s.URL + "/acme/intro?tz=xyzzy"},
	}
}

func (s *scene) filling() []state {
	form := s.URL + "/acme/intro?slot=" + freeSlot
	return []state{
		{name: "form", url: form},
		{name: "form-phone", url: s.URL + "/acme/call?slot=" + freeSlot},
		problems(s.program, "acme"),
		{name: "form-trap", url: form, act: submitWith("leave_empty", "x"), expects: []string{"422"}},
		{name: "form-too-old", url: form, act: submitWith("form", "x"), expects: []string{"422"}},
		{name: "form-lost-race", url: form, act: submitWith("slot", takenSlot), expects: []string{"409"}},
		{name: "form-unreadable", url: form, act: submitWith("slot", "x"), expects: []string{"400"}},
	}
}

// problems is the form with a value that the browser accepts and the server rejects.
func problems(s *program, workspace string) state {
	return state{name: "form-problems", url: s.URL + "/" + workspace + "/intro?slot=" + freeSlot,
		act: submitWith("name", "http://spam.example"), expects: []string{"422"}}
}

// submitWith returns a function that fills in the form, sets one field to a value that no guest would type, and sends
// it.
func submitWith(field, value string) func(*testing.T, *rod.Page) {
	return func(t *testing.T, p *rod.Page) {
		t.Helper()
		grace.fillIn(t, p)
		p.MustElement("#book [name="+field+"]").MustEval(`value => this.value = value`, value)
		follow(t, p, "#book button")
	}
}

func (s *scene) booked() []state {
	tooLong := func(t *testing.T, p *rod.Page) {
		p.MustElement("#reason").MustEval(`() => { this.value = "long ".repeat(300) }`)
		follow(t, p, "#cancel button")
	}
	return []state{
		{name: "booking", url: s.URL + s.fresh.page},
		{name: "booking-moved", url: s.URL + s.moved.page},
		{name: "booking-canceled", url: s.URL + s.canceled.page},
		{name: "booking-over", url: s.later.URL + s.fresh.page},
		{name: "cancel", url: s.URL + s.fresh.cancel},
		{name: "cancel-reason-too-long", url: s.URL + s.fresh.cancel, act: tooLong, expects: []string{"422"}},
		{name: "cancel-done", url: s.URL + s.canceled.cancel},
		{name: "cancel-over", url: s.later.URL + s.fresh.cancel},
		{name: "reschedule", url: s.URL + s.fresh.reschedule},
		{name: "reschedule-confirm", url: s.URL + s.fresh.reschedule + "?slot=" + freeSlot},
		{name: "reschedule-slot-gone", url: s.URL + s.fresh.reschedule + "?slot=2030-11-06T11:00:00.000Z"},
		{name: "reschedule-canceled", url: s.URL + s.canceled.reschedule},
		{name: "reschedule-over", url: s.later.URL + s.fresh.reschedule},
	}
}

func (s *scene) elsewhere() []state {
	notFound := []string{"404"}
	return []state{
		{name: "home", url: s.URL + "/"},
		{name: "not-found", url: s.URL + "/nobody", expects: notFound},
		{name: "calendar-unreadable", url: s.URL + "/unread/intro", expects: []string{"503"}},
		{name: "consent", url: s.URL + s.consent + "&code=x"},
		{name: "consent-refused", url: s.URL + s.consent + "&error=access_denied"},
		{name: "not-found-event", url: s.URL + "/acme/nothing", expects: notFound},
		{name: "not-found-booking", url: s.URL + "/b/cancel/x", expects: notFound},
		{name: "embed-workspace", url: s.URL + "/embed/acme"},
		{name: "embed-event", url: s.URL + "/embed/acme/intro"},
		{name: "embed-form", url: s.URL + "/embed/acme/intro?slot=" + freeSlot},
		{name: "embed-booking", url: s.URL + "/embed" + s.fresh.page},
		{name: "embed-not-found", url: s.URL + "/embed/nobody", expects: notFound},
	}
}
