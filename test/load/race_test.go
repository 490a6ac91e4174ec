package load

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

// overlapping has eight windows on 8 January. Any two of a window's twelve starts overlap, because they are less than
// an hour apart: exactly one of each window can be booked.
const overlapping = `
workspace: {slug: acme, name: Acme, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules:
  default:
    weekly: {}
    overrides: {"2030-01-08": ["00:00-01:55", "03:00-04:55", "06:00-07:55", "09:00-10:55", "12:00-13:55", "15:00-16:55", "18:00-19:55", "21:00-22:55"], "2030-01-09": ["09:00-17:00"]}
event_types:
  - {slug: call, title: Call, duration_minutes: 60, slot_interval_minutes: 5, booking_window_days: 730, location: {type: video}}
`

const racers = 1000

// raceDay is when the races take place, whenever the tests run: in the week before their slots.
var raceDay = time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)

func TestRace_ForOneSlot(t *testing.T) {
	slot := time.Date(2030, 1, 8, 9, 0, 0, 0, time.UTC)
	eachDeployment(t, overlapping, func(t *testing.T, d *deployment) {
		booked := runRace(t, d, func(int) time.Time { return slot })
		if booked != 1 {
			t.Errorf("%d bookings of the one slot", booked)
		}
	})
}

func TestRace_ForOverlappingSlots(t *testing.T) {
	eachDeployment(t, overlapping, func(t *testing.T, d *deployment) {
		booked := runRace(t, d, func(i int) time.Time {
			return time.Date(2030, 1, 8, i%8*3, i/8%12*5, 0, 0, time.UTC)
		})
		if booked != 8 {
			t.Errorf("%d bookings, exactly 8 can be", booked)
		}
	})
}

// runRace lets all clients book at once, half of them at a second server if the database allows one. It returns how many
// bookings there are then.
func runRace(t *testing.T, d *deployment, slot func(i int) time.Time) (booked int) {
	t.Helper()
	d.SetClock(raceDay)
	servers := []*harness.Server{d.Serve(t)}
	if d.Database != "" {
		servers = append(servers, d.Serve(t))
	}
	var (
		ready, done   sync.WaitGroup
		start         = make(chan struct{})
		told, unknown atomic.Int64 // clients that were told of a booking, and tries without an outcome
	)
	for i := range racers {
		ready.Add(1)
		done.Go(func() {
			client, url := newClient(), servers[i%len(servers)].URL
			defer client.CloseIdleConnections()
			err := connect(client, url)
			ready.Done()
			<-start
			var b toolResult
			if err == nil {
				b, err = createPatiently(client, url, d.token, slot(i), i, &unknown)
			}
			switch {
			case err != nil:
				t.Errorf("client %d: %v", i, err)
			case b.BookingID != "":
				told.Add(1)
			case b.Error.Code != "slot_unavailable" || len(b.Error.Alternatives) == 0:
				t.Errorf("client %d: %+v, want slot_unavailable with alternatives", i, b)
			}
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	if err := d.DB(t).QueryRow(`SELECT COUNT(*) FROM bookings`).Scan(&booked); err != nil {
		t.Fatal(err)
	}
	if n := int(told.Load()); n > booked || n < booked && unknown.Load() == 0 {
		t.Errorf("%d clients were told of a booking, but there are %d", n, booked)
	}
	wantNoneBroken(t, servers)
	return booked
}

// createPatiently is like create. The server gives up a write that waits for 20 seconds, as the last of a thousand may
// on a busy machine: the client tries again.
func createPatiently(client *http.Client, url, token string, start time.Time, attendee int,
	unknown *atomic.Int64) (b toolResult, err error) {
	for range 100 {
		if b, err = create(client, url, token, start, attendee); err != nil || b.Error.Code != "internal" {
			break
		}
		unknown.Add(1)
	}
	return b, err
}

// wantNoneBroken checks that no request failed for another reason than the time it took.
func wantNoneBroken(t *testing.T, servers []*harness.Server) {
	t.Helper()
	for _, s := range servers {
		for line := range strings.Lines(s.Log.String()) {
			if strings.Contains(line, "level=ERROR") && !strings.Contains(line, "deadline exceeded") {
				t.Errorf("the log says %s", line)
			}
		}
	}
}

// newClient returns a client with a connection of its own.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{}, Timeout: await.Patience}
}

// connect opens the client's connection, which its next request uses again. The server hangs up on a client that takes
// seconds to send the headers of its first request, as one of a thousand may on a busy machine: it tries again.
func connect(client *http.Client, url string) error {
	var response *http.Response
	var err error
	for range 20 {
		if response, err = client.Get(url + "/healthz"); err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			return err
		}
	}
	return err
}
