package load

import (
	"net/http"
	"sync"
	"testing"
	"time"
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

// raceClockOffset returns the clock offset with which the race takes place in the same week whenever the tests run.
func raceClockOffset() time.Duration {
	return time.Until(time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)).Round(time.Second)
}

func TestRace_ForOneSlot(t *testing.T) {
	slot := time.Date(2030, 1, 8, 9, 0, 0, 0, time.UTC)
	eachDeployment(t, overlapping, func(t *testing.T, d *deployment) {
		won := race(t, d, func(int) time.Time { return slot })
		if won != 1 {
			t.Errorf("%d clients got the one slot", won)
		}
	})
}

func TestRace_ForOverlappingSlots(t *testing.T) {
	eachDeployment(t, overlapping, func(t *testing.T, d *deployment) {
		won := race(t, d, func(i int) time.Time {
			return time.Date(2030, 1, 8, i%8*3, i/8%12*5, 0, 0, time.UTC)
		})
		if won != 8 {
			t.Errorf("%d clients got a slot, exactly 8 can", won)
		}
	})
}

// race starts all clients at once, half of them at a second server if the database allows one.
func race(t *testing.T, d *deployment, slot func(i int) time.Time) (booked int) {
	d.clockOffset = raceClockOffset()
	servers := []*server{d.start(t)}
	if d.postgres() != "" {
		servers = append(servers, d.start(t))
	}
	var (
		ready, done sync.WaitGroup
		start       = make(chan struct{})
		mu          sync.Mutex
	)
	for i := range racers {
		ready.Add(1)
		done.Go(func() {
			client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
			defer client.CloseIdleConnections()
			ready.Done()
			<-start
			b, err := create(client, servers[i%len(servers)].url, d.token, slot(i), i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Errorf("client %d: %v", i, err)
			case b.BookingID != "":
				booked++
			case b.Error.Code != "slot_unavailable" || len(b.Error.Alternatives) == 0:
				t.Errorf("client %d: %+v, want slot_unavailable with alternatives", i, b)
			}
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return booked
}
