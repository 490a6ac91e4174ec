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
	"slotd/test/await"
	"slotd/test/harness"
)

const secretPath = "/secret-4711/club.ics"

// taken is the event in the calendar of each office in trouble: 9 to 10 UTC on the 15th.
var taken = event("taken", "DTSTART:20300115T090000Z", "DTEND:20300115T100000Z")

// troubledOffice is an office with a trouble that its calendar server can have.
type troubledOffice struct {
	office
	name    string
	proxy   *proxy
	trouble trouble // nil means that the server is down
	booking string  // at 8 on the 14th, made before the trouble
}

// harmless reports whether the trouble only costs time.
func (o *troubledOffice) harmless() bool { return strings.HasSuffix(o.name, "never has a right tag") }

// showsLate reports whether the trouble shows only when a read times out, so that it may show or not.
func (o *troubledOffice) showsLate() bool { return strings.HasSuffix(o.name, "is slow") }

func (o *troubledOffice) begin() {
	if o.trouble == nil {
		o.proxy.down()
	}
	o.proxy.setTrouble(o.trouble)
}

func (o *troubledOffice) end(t *testing.T) {
	if o.trouble == nil {
		o.proxy.up(t)
	}
	o.proxy.setTrouble(nil)
}

// foreignServer is a server that must never get a password. Its calendar is empty.
type foreignServer struct {
	*httptest.Server
	credentials atomic.Int64 // requests with a password or a cookie
}

func newForeignServer(t *testing.T) *foreignServer {
	s := &foreignServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			s.credentials.Add(1)
		}
		io.WriteString(w, item())
	}))
	t.Cleanup(s.Close)
	return s
}

func TestRace_NothingIsEverFreeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dav, d, other := davtest.Radicale(t), onSQLite(t), newForeignServer(t)
	dav.Put(t, "taken.ics", taken)
	offices := inTrouble(t, d, dav, other)
	s := d.Serve(t)
	for _, o := range offices {
		await.True(t, o.name+": read", func() bool { return o.readable(s) })
		o.booking = must(t)(o.create(s, "call", "01-14T08")).BookingID
	}
	for _, o := range offices {
		o.begin()
	}
	each(offices, func(o *troubledOffice) { o.wantFreshCopyUsed(t, s) })
	for _, o := range offices {
		o.wantClearLine(t, d)
	}
	s = d.RestartLater(t, s, 16*time.Minute)
	each(offices, func(o *troubledOffice) { o.wantUnavailable(t, s) })
	for _, o := range offices {
		o.end(t)
	}
	s = d.RestartLater(t, s, 2*time.Hour)
	for _, o := range offices {
		o.wantRecovered(t, s)
	}
	if n := other.credentials.Load(); n > 0 {
		t.Errorf("a stranger was sent a password %d times", n)
	}
}

// inTrouble creates two offices for each trouble, one with a CalDAV calendar and one with a feed. The troubles have not
// started yet.
func inTrouble(t *testing.T, d deployment, dav davtest.Server, other *foreignServer) (all []*troubledOffice) {
	t.Helper()
	kinds := troubles(other.URL)
	kinds["is down"] = nil
	feed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) })
	for name, trouble := range kinds {
		slug := strings.ReplaceAll(name, " ", "-")
		p := proxyFor(t, dav.URL)
		o := d.office(t, "dav-"+slug, calendars(davAt(p.URL+"/alice/")))
		all = append(all, &troubledOffice{office: o, name: "CalDAV server that " + name, proxy: p, trouble: trouble})
		p = newProxy(t, feed)
		address := feedAt(p.URL + secretPath)
		if name == "redirects elsewhere" {
			address += password // without a password, slotd may follow the redirect
		}
		o = d.office(t, "feed-"+slug, calendars(address))
		all = append(all, &troubledOffice{office: o, name: "feed that " + name, proxy: p, trouble: trouble})
	}
	return all
}

func each(offices []*troubledOffice, do func(o *troubledOffice)) {
	var all sync.WaitGroup
	for _, o := range offices {
		all.Go(func() { do(o) })
	}
	all.Wait()
}

// wantFreshCopyUsed checks that bookings rely on the copy of the calendar while it is fresh.
func (o *troubledOffice) wantFreshCopyUsed(t *testing.T, s *harness.Server) {
	o.wantOpen(t, s, "01-14T08", "01-15T09")
	if a, err := o.create(s, "call", "01-16T08"); err != nil || a.BookingID == "" {
		t.Errorf("%s: with a young copy, a free slot is answered with %+v, %v", o.name, a.Error, err)
	}
	a, err := o.create(s, "call", "01-15T09")
	wantCode(t, o.name+": with a young copy, a busy slot", "slot_unavailable")(a, err)
}

func (o *troubledOffice) wantOpen(t *testing.T, s *harness.Server, taken ...string) {
	a, err := o.availability(s, "2030-01-14", 14)
	if diff := cmp.Diff(without(twoWeeks(), taken...), shortSlots(a.Slots)); diff != "" || err != nil {
		t.Errorf("%s: %+v, %v (-want +got):\n%s", o.name, a.Error, err, diff)
	}
}

// wantClearLine waits until calendar list shows what is wrong, and checks that it shows no secret. The read before a
// booking may outlast the booking, and on a busy machine it may fail in another way before it shows the trouble.
func (o *troubledOffice) wantClearLine(t *testing.T, d deployment) {
	t.Helper()
	var output string
	await.True(t, o.name+": calendar list says what is wrong", func() bool {
		output = d.Run(t, "calendar", "list", "--workspace", o.slug)
		ok, failing := strings.Contains(output, "  ok  "), strings.Contains(output, "  failing  ")
		_, why, _ := strings.Cut(output, "busy time")
		blames := strings.Contains(why, strings.TrimPrefix(o.proxy.URL, "http://")) ||
			strings.Contains(why, "169.254.169.254")
		return o.harmless() && ok || o.showsLate() && (ok || failing) || failing && blames
	})
	if strings.Contains(output, "\n") {
		t.Errorf("%s: calendar list says more than one line: %s", o.name, output)
	}
	if strings.Contains(output, "secret-4711") || strings.Contains(output, davPassword) ||
		strings.Contains(output, "Basic ") {
		t.Errorf("%s: calendar list tells a secret: %s", o.name, output)
	}
}

// wantUnavailable checks that with an old copy no slot is shown and nothing can be booked.
func (o *troubledOffice) wantUnavailable(t *testing.T, s *harness.Server) {
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

func (o *troubledOffice) wantRecovered(t *testing.T, s *harness.Server) {
	await.True(t, o.name+": recovers", func() bool { return o.readable(s) })
	o.wantOpen(t, s, "01-14T08", "01-15T09", "01-16T08")
	if status, err := o.page(s); status != http.StatusOK || err != nil {
		t.Errorf("%s: the page answers %d, %v", o.name, status, err)
	}
}
