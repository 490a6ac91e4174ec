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
		const rounds = 50
		dav := davtest.Radicale(t)
		acme := d.office(t, "acme", calendars(davAt(dav.Calendar)))
		careless := d.office(t, "careless", "")
		d.sync(t)
		all, late := d.startServers(t, servers), 0
		for n := range rounds {
			putTalk(t, dav, n)
			guests := 1 + n%2*7
			late += len(raceToBook(t, acme, all, n, guests))
			wantLateReads(t, all, late)
			// Without a calendar the booking succeeds, so the slot was really open.
			if n%5 == 0 && len(raceToBook(t, careless, all, n, guests)) != 1 {
				t.Errorf("round %d: without a calendar, the slot could not be booked once", n)
			}
		}
		b := must(t)(acme.create(all[0], "talk", talk(rounds+1).Format(time.RFC3339)))
		putTalk(t, dav, rounds)
		a, err := acme.move(all[len(all)-1], b.BookingID, talk(rounds).Format(time.RFC3339))
		if a.BookingID != "" {
			wantLateReads(t, all, late+1)
			return
		}
		wantCode(t, "a move to what was entered", "slot_unavailable")(a, err)
	})
}

// wantLateReads waits until the servers have logged as many reads as there are bookings over an event. A guest waits
// three seconds for a calendar; if the machine is busy and the calendar answers later, a young copy counts. Any other
// booking over an event is an error.
func wantLateReads(t *testing.T, servers []*harness.Server, bookings int) {
	t.Helper()
	await.True(t, fmt.Sprintf("%d bookings over an event are explained by a calendar that answered late", bookings),
		func() bool {
			late := 0
			for _, s := range servers {
				late += strings.Count(s.Log.String(), "a calendar was not read in time for a booking")
			}
			return late >= bookings
		})
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
