package calendars

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/calendar/davtest"
)

const secretPath = "/secret-4711/club.ics"

// taken is what stands in the calendar of each office in trouble: 9 to 10 on the 15th, in UTC.
var taken = event("taken", "DTSTART:20300115T090000Z", "DTEND:20300115T100000Z")

// troubled is an office whose calendar's server is in trouble, or about to be.
type troubled struct {
	office
	name    string
	proxy   *proxy
	trouble trouble // nil: it is down
	booking string  // of the 14th at 8, made before
}

// harmless troubles cost time and nothing else.
func (o *troubled) harmless() bool { return strings.HasSuffix(o.name, "never has a right tag") }

// patient troubles show only when a read is given up, after 30 seconds.
func (o *troubled) patient() bool { return strings.HasSuffix(o.name, "is slow") }

func (o *troubled) begin() {
	if o.trouble == nil {
		o.proxy.down()
	}
	o.proxy.make(o.trouble)
}

func (o *troubled) end(t *testing.T) {
	if o.trouble == nil {
		o.proxy.up(t)
	}
	o.proxy.make(nil)
}

// stranger is a server that nobody gave a password for. Its calendar is empty.
type stranger struct {
	*httptest.Server
	credentials atomic.Int64 // requests that brought one
}

func newStranger(t *testing.T) *stranger {
	s := &stranger{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			s.credentials.Add(1)
		}
		io.WriteString(w, item())
	}))
	t.Cleanup(s.Close)
	return s
}

func TestTrouble_NothingIsEverFreeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dav, d, other := davtest.Radicale(t), onSQLite(t), newStranger(t)
	dav.Put(t, "taken.ics", taken)
	offices := inTrouble(t, d, dav, other)
	s := d.start(t)
	for _, o := range offices {
		eventually(t, o.name+": read", func() bool { return o.readable(s) })
		o.booking = must(t)(o.create(s, "call", "01-14T08")).BookingID
	}
	for _, o := range offices {
		o.begin()
	}
	each(offices, func(o *troubled) { o.wantYoung(t, s) })
	each(offices, func(o *troubled) { o.wantClearLine(t, d) })
	s = d.later(t, s, 16*time.Minute)
	each(offices, func(o *troubled) { o.wantNothing(t, s) })
	for _, o := range offices {
		o.end(t)
	}
	s = d.later(t, s, 2*time.Hour)
	for _, o := range offices {
		o.wantRecovered(t, s)
	}
	if n := other.credentials.Load(); n > 0 {
		t.Errorf("a stranger was sent a password %d times", n)
	}
}

// inTrouble makes two offices for each trouble, one with a CalDAV calendar and one with a feed. All of them still fare
// well.
func inTrouble(t *testing.T, d *deployment, dav davtest.Server, other *stranger) (all []*troubled) {
	t.Helper()
	kinds := troubles(other.URL)
	kinds["is down"] = nil
	feed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) })
	for name, trouble := range kinds {
		slug := strings.ReplaceAll(name, " ", "-")
		p := before(t, dav.URL)
		o := d.office(t, "dav-"+slug, calendars(davAt(p.URL+"/alice/")))
		all = append(all, &troubled{office: o, name: "CalDAV server that " + name, proxy: p, trouble: trouble})
		p = newProxy(t, feed)
		address := feedAt(p.URL + secretPath)
		if name == "redirects elsewhere" {
			address += password // without one it may be followed
		}
		o = d.office(t, "feed-"+slug, calendars(address))
		all = append(all, &troubled{office: o, name: "feed that " + name, proxy: p, trouble: trouble})
	}
	return all
}

func each(offices []*troubled, do func(o *troubled)) {
	var all sync.WaitGroup
	for _, o := range offices {
		all.Go(func() { do(o) })
	}
	all.Wait()
}

// wantYoung: while the copy is young, it counts.
func (o *troubled) wantYoung(t *testing.T, s *server) {
	o.wantOpen(t, s, "01-14T08", "01-15T09")
	if a, err := o.create(s, "call", "01-16T08"); err != nil || a.BookingID == "" {
		t.Errorf("%s: with a young copy, a free slot is answered with %+v, %v", o.name, a.Error, err)
	}
	a, err := o.create(s, "call", "01-15T09")
	wantCode(t, o.name+": with a young copy, a busy slot", "slot_unavailable")(a, err)
}

func (o *troubled) wantOpen(t *testing.T, s *server, taken ...string) {
	a, err := o.availability(s, "2030-01-14", 14)
	if diff := cmp.Diff(without(twoWeeks(), taken...), hours(a.Slots)); diff != "" || err != nil {
		t.Errorf("%s: %+v, %v (-want +got):\n%s", o.name, a.Error, err, diff)
	}
}

// wantClearLine: the owner reads what is wrong, and nothing that is secret.
func (o *troubled) wantClearLine(t *testing.T, d *deployment) {
	said, err := d.try("", "calendar", "list", "--workspace", o.slug)
	state, quiet := "failing", o.harmless() || o.patient()
	if quiet {
		state = "ok"
	}
	if err != nil || strings.Contains(said, "\n") || !strings.Contains(said, "  "+state+"  ") {
		t.Errorf("%s: calendar list says %s, %v", o.name, said, err)
	}
	_, why, _ := strings.Cut(said, "busy time")
	if !quiet && !strings.Contains(why, strings.TrimPrefix(o.proxy.URL, "http://")) &&
		!strings.Contains(why, "169.254.169.254") {
		t.Errorf("%s: calendar list does not say who is to blame: %s", o.name, said)
	}
	if strings.Contains(said, "secret-4711") || strings.Contains(said, davPassword) ||
		strings.Contains(said, "Basic ") {
		t.Errorf("%s: calendar list tells a secret: %s", o.name, said)
	}
}

// wantNothing: when the copy is old, nobody learns or books anything.
func (o *troubled) wantNothing(t *testing.T, s *server) {
	if o.harmless() {
		return
	}
	a, err := o.availability(s, "2030-01-14", 14)
	wantCode(t, o.name+": get_availability", "calendar_unavailable")(a, err)
	a, err = o.create(s, "call", "01-17T08")
	wantCode(t, o.name+": create_booking", "calendar_unavailable")(a, err)
	a, err = o.move(s, o.booking, "01-17T08")
	wantCode(t, o.name+": reschedule_booking", "calendar_unavailable")(a, err)
	if status, err := o.page(s); status != http.StatusServiceUnavailable || err != nil {
		t.Errorf("%s: the page answers %d, %v", o.name, status, err)
	}
	if a, err = o.create(s, "call", "01-15T09"); err != nil || a.Error.Code == "" {
		t.Errorf("%s: a busy slot was booked: %+v, %v", o.name, a, err)
	}
}

func (o *troubled) wantRecovered(t *testing.T, s *server) {
	eventually(t, o.name+": recovers", func() bool { return o.readable(s) })
	o.wantOpen(t, s, "01-14T08", "01-15T09", "01-16T08")
	if status, err := o.page(s); status != http.StatusOK || err != nil {
		t.Errorf("%s: the page answers %d, %v", o.name, status, err)
	}
}
