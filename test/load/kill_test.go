package load

import (
	"math/rand/v2"
	"net/http"
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
		interrupted := 0 // kills that left requests without an answer
		for range kills {
			mails.life.Add(1)
			ids, unanswered := bookUntilKilled(t, d, d.Serve(t), mails, &next)
			acknowledged = append(acknowledged, ids...)
			if unanswered > 0 {
				interrupted++
			}
		}
		if interrupted == 0 {
			t.Errorf("none of %d kills interrupted a request", kills)
		}
		t.Logf("%d kills, %d of them during requests, %d acknowledged bookings", kills, interrupted, len(acknowledged))
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

// serverLife is one run of the server, with clients that book slots that overlap their neighbors.
type serverLife struct {
	*deployment
	server       *harness.Server
	next         *atomic.Int64 // number of the next slot
	first        time.Time     // start of slot 0
	allowed      chan struct{} // has a value for each booking that the clients may try
	acknowledged chan string
	unanswered   atomic.Int64  // requests that the kill interrupted
	dead         chan struct{} // closed right before the kill
}

// bookUntilKilled lets clients book, and kills the server meanwhile, after any number of bookings.
func bookUntilKilled(t *testing.T, d *deployment, s *harness.Server, mails *mailServer,
	next *atomic.Int64) (acknowledged []string, unanswered int) {
	t.Helper()
	l := &serverLife{deployment: d, server: s, next: next, first: nextDay(2), allowed: paceByMails(mails),
		acknowledged: make(chan string, 100_000), dead: make(chan struct{})}
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() { l.runClient(t) })
	}
	for range 1 + rand.IntN(20) {
		acknowledged = append(acknowledged, await.Signal(t, "a booking is acknowledged", l.acknowledged))
	}
	close(l.dead)
	s.Kill()
	clients.Wait()
	close(l.acknowledged)
	for id := range l.acknowledged {
		acknowledged = append(acknowledged, id)
	}
	wantNoneBroken(t, []*harness.Server{s})
	return acknowledged, int(l.unanswered.Load())
}

// runClient books until the server is dead.
func (l *serverLife) runClient(t *testing.T) {
	client := newClient()
	defer client.CloseIdleConnections()
	err := connect(client, l.server.URL)
	for err == nil {
		select {
		case <-l.allowed:
		case <-l.dead:
			return
		}
		err = l.tryNext(t, client)
	}
	if !isClosed(l.dead) {
		t.Errorf("no answer from a living server: %v", err)
	}
}

// tryNext tries to book the next slot. An error means that there was no answer.
func (l *serverLife) tryNext(t *testing.T, client *http.Client) error {
	var unknown atomic.Int64
	n := l.next.Add(1)
	b, err := createPatiently(client, l.server.URL, l.token, l.first.Add(time.Duration(n)*5*time.Minute), int(n),
		&unknown)
	switch {
	case err != nil:
		l.unanswered.Add(1)
	case b.BookingID != "":
		l.acknowledged <- b.BookingID
	default:
		if l.allowed <- struct{}{}; b.Error.Code != "slot_unavailable" {
			t.Errorf("got %+v", b)
		}
	}
	return err
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
