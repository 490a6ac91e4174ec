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

// A server that is killed while it writes bookings into a calendar leaves neither too few events nor too many.
func TestKill_EachBookingHasOneEvent(t *testing.T) {
	t.Parallel()
	needPython(t)
	kills := 20
	if testing.Short() {
		kills = 4
	}
	dav, d := davtest.Radicale(t), onSQLite(t)
	p := before(t, dav.URL)
	g := &guests{office: d.office(t, "acme", davAccount(p.URL+"/")), written: make(chan struct{}, 1000)}
	d.sync(t)
	p.make(g.watch)
	for range kills {
		g.bookUntilKilled(t, d.start(t))
	}
	d.pass(2 * time.Minute) // what the killed ones had claimed is free again
	d.start(t)
	eventually(t, "all is written",
		func() bool { return !strings.Contains(d.command(t, "", "jobs", "list"), "write_back") })
	want, canceled := stored(t, d)
	if diff := cmp.Diff(want, shown(t, dav)); diff != "" {
		t.Errorf("the calendar does not show the bookings (-want +got):\n%s", diff)
	}
	t.Logf("%d kills, %d bookings stand, %d were canceled, %d writes were changes", kills, len(want), canceled,
		g.changed.Load())
	if len(want) < kills || g.changed.Load() < int64(kills)/2 {
		t.Error("hardly any load")
	}
}

// guests book, and change bookings that were made a while ago: those are in the calendar already, or about to be.
type guests struct {
	office
	written chan struct{} // for each write that reaches the calendar
	changed atomic.Int64  // how many of them change or delete what was written before

	mu   sync.Mutex
	n    int
	made []booked
}

type booked struct {
	id string
	n  int // which talk
}

// watch sees the calendar's requests pass.
func (g *guests) watch(w http.ResponseWriter, r *http.Request, through http.Handler) {
	if r.Method == http.MethodPut || r.Method == http.MethodDelete {
		g.written <- struct{}{}
	}
	if r.Header.Get("If-Match") != "" {
		g.changed.Add(1)
	}
	through.ServeHTTP(w, r)
}

// bookUntilKilled kills the server while it writes, or right before or after.
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
		case <-time.After(patience):
			t.Fatal("nothing is written into the calendar")
		}
	}
	time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond) // not to wait for something: any moment may be the last
	s.kill()
	all.Wait()
	for len(g.written) > 0 {
		<-g.written
	}
}

// bookAndChange reports whether the server still answers.
func (g *guests) bookAndChange(s *server) (alive bool) {
	n, old := g.turn()
	b, err := g.create(s, "talk", talk(2*n).Format(time.RFC3339))
	if err != nil {
		return false
	}
	g.mu.Lock()
	g.made = append(g.made, booked{b.BookingID, n})
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

// turn is the next talk to book, and a booking to change if there are some.
func (g *guests) turn() (n int, old booked) {
	const some = 10
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++
	if len(g.made) > some {
		old, g.made = g.made[0], g.made[1:]
	}
	return g.n, old
}

// stored are the bookings that stand, as a calendar should show them.
func stored(t *testing.T, d *deployment) (live []seen, canceled int) {
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
		live = append(live, seen{UID: id + "@slotd", Start: isoformat(from), End: isoformat(until)})
	}
	return live, canceled
}

// isoformat is Python's.
func isoformat(millis int64) string {
	return fmt.Sprintf("%s+00:00", time.UnixMilli(millis).UTC().Format("2006-01-02T15:04:05"))
}
