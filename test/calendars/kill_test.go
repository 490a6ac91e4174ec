package calendars

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"slotd/internal/calendar/davtest"
	"slotd/test/await"
	"slotd/test/harness"
)

// A server that is killed while it writes bookings into a calendar leaves neither missing nor duplicate events.
func TestRace_KillLeavesOneEventForEachBooking(t *testing.T) {
	t.Parallel()
	needPython(t)
	kills := 20
	if testing.Short() {
		kills = 4
	}
	dav, d := davtest.Radicale(t), onSQLite(t)
	p := proxyFor(t, dav.URL)
	g := &guests{office: d.office(t, "acme", davAccount(p.URL+"/")), written: make(chan struct{}),
		changed: make(chan struct{})}
	d.sync(t)
	p.setTrouble(g.watch)
	for n := range kills {
		g.bookUntilKilled(t, d.Serve(t), n%2 == 1)
	}
	d.AdvanceClock(2 * time.Minute) // until the leases of the killed servers have expired
	d.Serve(t)
	await.True(t, "all is written",
		func() bool { return !strings.Contains(d.Run(t, "jobs", "list"), "write_back") })
	want, canceled := stored(t, d)
	if diff := cmp.Diff(want, readCalendar(t, dav)); diff != "" {
		t.Errorf("the calendar does not show the bookings (-want +got):\n%s", diff)
	}
	t.Logf("%d kills, %d bookings stand, %d were canceled", kills, len(want), canceled)
}

// guests make bookings and change earlier ones, which are already in the calendar or about to be.
type guests struct {
	office
	written chan struct{} // receives a value for each write that reaches the calendar, if the test waits for one
	changed chan struct{} // the same for each write that changes or deletes an existing event

	mu       sync.Mutex
	n        int
	bookings []booked
}

type booked struct {
	id string
	n  int // number of the talk
}

// watch observes the requests to the calendar.
func (g *guests) watch(w http.ResponseWriter, r *http.Request, backend http.Handler) {
	if r.Method == http.MethodPut || r.Method == http.MethodDelete {
		announce(g.written)
	}
	if r.Header.Get("If-Match") != "" {
		announce(g.changed)
	}
	backend.ServeHTTP(w, r)
}

// announce sends a value if somebody waits for one.
func announce(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// bookUntilKilled makes bookings and kills the server while it writes, or right before or after. Every guest has made
// a booking by then. If change is set, an event that exists is changed too.
func (g *guests) bookUntilKilled(t *testing.T, s *harness.Server, change bool) {
	t.Helper()
	var all, first sync.WaitGroup
	for range 3 {
		first.Add(1)
		all.Go(func() {
			alive := g.bookAndChange(t, s)
			first.Done()
			for alive {
				alive = g.bookAndChange(t, s)
			}
		})
	}
	first.Wait()
	for range 1 + rand.IntN(4) {
		await.Signal(t, "something is written into the calendar", g.written)
	}
	if change {
		await.Signal(t, "an event in the calendar is changed", g.changed)
	}
	time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond) // waits for nothing: the kill may come at any moment
	s.Kill()
	all.Wait()
	for line := range strings.Lines(s.Log.String()) {
		if strings.Contains(line, "a tool call broke") && !strings.Contains(line, "deadline exceeded") {
			t.Errorf("the log says %s", line)
		}
	}
}

// bookAndChange makes a booking, changes an earlier one, and reports whether the server still answers.
func (g *guests) bookAndChange(t *testing.T, s *harness.Server) (alive bool) {
	n, old := g.nextTalk()
	b, err := g.create(s, "talk", talk(2*n).Format(time.RFC3339))
	if err != nil {
		return false
	}
	if isDone(t, b) {
		g.mu.Lock()
		g.bookings = append(g.bookings, booked{b.BookingID, n})
		g.mu.Unlock()
	}
	if old.id == "" {
		return true
	}
	if old.n%2 == 0 {
		b, err = g.move(s, old.id, talk(2*old.n+1).Format(time.RFC3339))
	} else {
		b, err = g.cancel(s, old.id)
	}
	if err != nil {
		return false
	}
	isDone(t, b)
	return true
}

// isDone reports whether a call succeeded. The server gives up a write that waits for 20 seconds, as one may on a busy
// machine; no other call may fail.
func isDone(t *testing.T, a answer) bool {
	if a.Error.Code != "" && a.Error.Code != "internal" {
		t.Errorf("a guest got %+v", a)
	}
	return a.Error.Code == ""
}

// nextTalk returns the next talk to book, and an earlier booking to change once there are enough.
func (g *guests) nextTalk() (n int, old booked) {
	const minBookings = 10
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	if len(g.bookings) > minBookings {
		old, g.bookings = g.bookings[0], g.bookings[1:]
	}
	return g.n, old
}

// stored returns the bookings that are not canceled, as the calendar must show them.
func stored(t *testing.T, d deployment) (live []calendarEvent, canceled int) {
	t.Helper()
	rows, err := d.DB(t).Query(`SELECT id, state, starts_at, ends_at FROM bookings ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, state string
		var from, until int64
		if err := rows.Scan(&id, &state, &from, &until); err != nil {
			t.Fatal(err)
		}
		if state == "canceled" {
			canceled++
			continue
		}
		live = append(live, calendarEvent{UID: id + "@slotd", Start: isoformat(from), End: isoformat(until)})
	}
	return live, canceled
}

// isoformat formats a time like Python's isoformat.
func isoformat(millis int64) string {
	return fmt.Sprintf("%s+00:00", time.UnixMilli(millis).UTC().Format("2006-01-02T15:04:05"))
}
