package load

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

const allDay = `
workspace: {slug: acme, name: Acme, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}}}
event_types:
  - {slug: call, title: Call, duration_minutes: 10, slot_interval_minutes: 5, booking_window_days: 730, location: {type: video}}
`

func TestRace_KillLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	kills := 50
	if testing.Short() {
		kills = 8
	}
	eachDeployment(t, allDay, func(t *testing.T, d *deployment) {
		t.Parallel()
		mails := startMailServer(t)
		d.sendThrough(mails)
		startedAt := d.Now()
		var acknowledged []string
		var next atomic.Int64
		for range kills {
			mails.life.Add(1)
			acknowledged = append(acknowledged, bookUntilKilled(t, d, d.Serve(t), mails, &next)...)
		}
		if len(acknowledged) < kills {
			t.Errorf("only %d bookings in %d runs: hardly any load", len(acknowledged), kills)
		}
		t.Logf("%d kills, %d acknowledged bookings", kills, len(acknowledged))
		stored := check(t, d, acknowledged)
		checkMails(t, d, mails, stored, startedAt)
	})
}

// paceByMails paces the clients a little ahead of the mails: each mail to an attendee allows another booking, so that a
// kill interrupts both.
func paceByMails(mails *mailServer) chan struct{} {
	allowed := make(chan struct{}, 100_000)
	for range 16 {
		allowed <- struct{}{}
	}
	mails.onMail(func(m receivedMail) {
		if !m.toHost() {
			allowed <- struct{}{}
		}
	})
	return allowed
}

// bookUntilKilled lets clients book slots that overlap their neighbors, and kills the server meanwhile, at any moment
// after the first booking.
func bookUntilKilled(t *testing.T, d *deployment, s *harness.Server, mails *mailServer,
	next *atomic.Int64) (acknowledged []string) {
	var (
		clients sync.WaitGroup
		mu      sync.Mutex
		booked  = make(chan struct{}) // closed at the first booking
		dead    = make(chan struct{})
		allowed = paceByMails(mails)
		first   = time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
	)
	for range 8 {
		clients.Go(func() {
			client := newClient()
			defer client.CloseIdleConnections()
			for {
				select {
				case <-allowed:
				case <-dead:
					return
				}
				n := next.Add(1)
				b, err := create(client, s.URL, d.token, first.Add(time.Duration(n)*5*time.Minute), int(n))
				if err != nil {
					if !isClosed(dead) {
						t.Errorf("no answer from a living server: %v", err)
					}
					return
				}
				if b.BookingID != "" {
					mu.Lock()
					if acknowledged = append(acknowledged, b.BookingID); len(acknowledged) == 1 {
						close(booked)
					}
					mu.Unlock()
				} else if allowed <- struct{}{}; b.Error.Code != "slot_unavailable" {
					t.Errorf("got %+v", b)
				}
			}
		})
	}
	await.Signal(t, "a booking is acknowledged", booked)
	time.Sleep(rand.N(200 * time.Millisecond)) // what is checked must hold at every moment
	close(dead)
	s.Kill()
	clients.Wait()
	return acknowledged
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// check reads the database and checks that no acknowledged booking is lost, none overlaps another, and all are
// complete.
func check(t *testing.T, d *deployment, acknowledged []string) (stored map[string]bool) {
	t.Helper()
	db := d.DB(t)
	stored = map[string]bool{}
	rows, err := db.Query(`SELECT b.id, c.from_at, c.until_at FROM bookings b JOIN claims c ON c.workspace_id = b.workspace_id AND c.booking_id = b.id
		WHERE b.state = 'confirmed' ORDER BY c.from_at`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var busyUntil int64
	for rows.Next() {
		var id string
		var from, until int64
		if err := rows.Scan(&id, &from, &until); err != nil {
			t.Fatal(err)
		}
		if from < busyUntil {
			t.Errorf("booking %s overlaps the one before it", id)
		}
		busyUntil, stored[id] = until, true
	}
	for _, id := range acknowledged {
		if !stored[id] {
			t.Errorf("booking %s was acknowledged and is lost", id)
		}
	}
	var incomplete int
	err = db.QueryRow(`SELECT COUNT(*) FROM bookings b WHERE NOT EXISTS (SELECT 1 FROM claims c WHERE c.workspace_id = b.workspace_id AND c.booking_id = b.id)
		OR NOT EXISTS (SELECT 1 FROM booking_events e WHERE e.workspace_id = b.workspace_id AND e.booking_id = b.id)`).Scan(&incomplete)
	if err != nil || incomplete > 0 {
		t.Errorf("%d bookings are only half there (%v)", incomplete, err)
	}
	return stored
}
