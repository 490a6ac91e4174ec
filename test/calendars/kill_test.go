package calendars

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"slotd/internal/calendar/davtest"
)

// A server that is killed while it writes bookings into a calendar leaves neither missing nor duplicate events.
func TestKill_EachBookingHasOneEvent(t *testing.T) {
	t.Parallel()
	needPython(t)
	kills := 20
	if testing.Short() {
		kills = 4
	}
	dav, d := davtest.Radicale(t), onSQLite(t)
	p := proxyFor(t, dav.URL)
	g := &guests{office: d.office(t, "acme", davAccount(p.URL+"/")), written: make(chan struct{}, 1000)}
	d.sync(t)
	p.setTrouble(g.watch)
	for range kills {
		g.bookUntilKilled(t, d.start(t))
	}
	d.advanceClock(2 * time.Minute) // until the leases of the killed servers have expired
	d.start(t)
	eventually(t, "all is written",
		func() bool { return !strings.Contains(d.command(t, "", "jobs", "list"), "write_back") })
	want, canceled := stored(t, d)
	if diff := cmp.Diff(want, readCalendar(t, dav)); diff != "" {
		t.Errorf("the calendar does not show the bookings (-want +got):\n%s", diff)
	}
	t.Logf("%d kills, %d bookings stand, %d were canceled, %d writes were changes", kills, len(want), canceled,
		g.changed.Load())
	if len(want) < kills || g.changed.Load() < int64(kills)/2 {
		t.Error("hardly any load")
	}
}

// guests make bookings and change earlier ones, which are already in the calendar or about to be.
type guests struct {
	office
	written chan struct{} // receives a value for each write that reaches the calendar
	changed atomic.Int64  // how many writes change or delete an existing event

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
		g.written <- struct{}{}
	}
	if r.Header.Get("If-Match") != "" {
		g.changed.Add(1)
	}
	backend.ServeHTTP(w, r)
}

// bookUntilKilled makes bookings and kills the server while it writes, or right before or after.
func (g *guests) bookUntilKilled(t *testing.T, s *server) {
	t.Helper()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for g.bookAndChange(s) {
			}
		})
	}
	for range 1 + rand.IntN(4) {
		select {
		case <-g.written:
		case <-time.After(timeout):
			t.Fatal("nothing is written into the calendar")
		}
	}
	time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond) // waits for nothing: the kill may come at any moment
	s.kill()
	all.Wait()
	for len(g.written) > 0 {
		<-g.written
	}
}

// bookAndChange makes a booking, changes an earlier one, and reports whether the server still answers.
func (g *guests) bookAndChange(s *server) (alive bool) {
	n, old := g.nextTalk()
	b, err := g.create(s, "talk", talk(2*n).Format(time.RFC3339))
	if err != nil {
		return false
	}
	g.mu.Lock()
	g.bookings = append(g.bookings, booked{b.BookingID, n})
	g.mu.Unlock()
	switch {
	case old.id == "":
	case old.n%2 == 0:
		_, err = g.move(s, old.id, talk(2*old.n+1).Format(time.RFC3339))
	default:
		_, err = g.cancel(s, old.id)
	}
	return err == nil
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
func stored(t *testing.T, d *deployment) (live []calendarEvent, canceled int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(d.data, "slotd.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT id, state, starts_at, ends_at FROM bookings ORDER BY id`)
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
