package calendars

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
	"slotd/test/await"
	"slotd/test/harness"
)

// talk returns the start of the n-th talk of a Monday two weeks ahead.
func talk(n int) time.Time { return time.Date(2030, 1, 21, 0, n*10, 0, 0, time.UTC) }

// putTalk adds an event at the time of a talk and returns once the calendar server has it.
func putTalk(t *testing.T, dav davtest.Server, n int) {
	t.Helper()
	uid := fmt.Sprintf("race-%d", n)
	dav.Put(t, uid+".ics", event(uid, "DTSTART:"+stamp(talk(n)), "DTEND:"+stamp(talk(n+1))))
}

// The host's phone adds an event; the guest books a moment later.
func TestRace_WhatWasEnteredIsNeverBooked(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d deployment, servers int) {
		const refusals = 50
		dav := davtest.Radicale(t)
		acme := d.office(t, "acme", calendars(davAt(dav.Calendar)))
		careless := d.office(t, "careless", "")
		d.sync(t)
		all, n := d.startServers(t, servers), 0
		for range refusals {
			await.True(t, "the guests are refused", func() bool {
				n++
				putTalk(t, dav, n)
				guests := 1 + n%2*7
				refused := areRefused(t, all, func() int { return len(raceToBook(t, acme, all, n, guests)) })
				// Without a calendar the booking succeeds, so the slot was really open.
				if n%5 == 0 && len(raceToBook(t, careless, all, n, guests)) != 1 {
					t.Errorf("round %d: without a calendar, the slot could not be booked once", n)
				}
				return refused
			})
		}
		t.Logf("the guests were refused in %d of %d rounds", refusals, n)
		n++
		b := must(t)(acme.create(all[0], "talk", talk(n).Format(time.RFC3339)))
		await.True(t, "a move to what was entered is refused", func() bool {
			n++
			putTalk(t, dav, n)
			return areRefused(t, all, func() (bookings int) {
				a, err := acme.move(all[len(all)-1], b.BookingID, talk(n).Format(time.RFC3339))
				if err == nil && a.BookingID != "" {
					return 1
				}
				wantCode(t, "a move to what was entered", "slot_unavailable")(a, err)
				return 0
			})
		})
	})
}

// areRefused lets guests try to book over an event, and reports whether none of them could. A guest waits three seconds
// for a calendar; if the machine is busy and the calendar answers later, a young copy counts. The servers log that.
// Any other booking over an event is an error.
func areRefused(t *testing.T, servers []*harness.Server, try func() (bookings int)) bool {
	t.Helper()
	before := lateReads(servers)
	bookings := try()
	if bookings > 1 {
		t.Errorf("%d bookings of one slot", bookings)
	}
	await.True(t, "a booking over an event is explained by a calendar that answered late meanwhile",
		func() bool { return lateReads(servers)-before >= bookings })
	return bookings == 0
}

// lateReads counts the guests who did not wait any longer for a calendar.
func lateReads(servers []*harness.Server) (n int) {
	for _, s := range servers {
		n += strings.Count(s.Log.String(), "a calendar was not read in time for a booking")
	}
	return n
}

// raceToBook lets guests try to book the same talk at once, spread over the servers, and returns the bookings.
func raceToBook(t *testing.T, o office, servers []*harness.Server, n, guests int) (bookings []string) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for g := range guests {
		all.Go(func() {
			a, err := o.create(servers[(n+g)%len(servers)], "talk", talk(n).Format(time.RFC3339))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && a.BookingID != "":
				bookings = append(bookings, a.BookingID)
			case err != nil || a.Error.Code != "slot_unavailable":
				t.Errorf("round %d: %+v, %v", n, a, err)
			}
		})
	}
	all.Wait()
	return bookings
}
