package worker

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/mail/invite"
	"slotd/internal/store/sqlcgen"
)

const email = "grace@guest.example"

var tuesday = monday.Add(24 * time.Hour)

// write runs the due write-back jobs.
func (w *connected) write() {
	w.T.Helper()
	w.Must(w.writes.RunDue(background))
}

// wantEntries checks that a Google calendar shows the booking at these times, and nothing else.
func (w *connected) wantEntries(calendar string, b *slotd.Booking, starts ...time.Time) {
	w.T.Helper()
	events := w.google.Events(calendar)
	if len(events) != len(starts) {
		w.T.Fatalf("the calendar %s holds %v, want the times %v", calendar, events, starts)
	}
	for _, e := range events {
		start, _ := e["start"].(map[string]any)
		if e["iCalUID"] != invite.UID(b.ID) || start["dateTime"] != starts[0].Format(time.RFC3339) {
			w.T.Errorf("the calendar %s holds %v, want %v at %v", calendar, e, b.ID, starts)
		}
	}
}

func TestWrite_FollowsABookingThroughItsLife(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.write()
		w.wantEntries("primary", b, tuesday)
		w.MustMove(b, tuesday.Add(time.Hour))
		w.write()
		w.wantEntries("primary", b, tuesday.Add(time.Hour))
		w.MustCancel(b, "")
		w.write()
		w.wantEntries("primary", b)
		if s := w.status("office"); s.Unwritten != 0 || len(w.pending(booking.WriteBackJob)) != 0 {
			t.Errorf("got %+v, left: %+v", s, w.pending(booking.WriteBackJob))
		}
	})
}

// Our copy has the entry at its old time, which would stay busy until the next read.
func TestWrite_AMovedEntrysCalendarIsReadSoon(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.write()
		w.Must(w.reads.RunDue(background))
		next := w.status("office").NextAt
		w.MustMove(b, tuesday.Add(time.Hour))
		w.write()
		if got := w.status("office").NextAt; !got.Before(next) || got.After(w.Clock.Now()) {
			t.Errorf("the next read is at %v, and was to be at %v", got, next)
		}
	})
}

// A booking whose first write failed is not written after the owner has turned write-back off.
func TestWrite_NotWhenItIsNoLongerWanted(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.google.FailNext(1, http.StatusServiceUnavailable)
		w.write()
		w.File.Calendars[0].WriteBack = false
		w.PutFile()
		w.Clock.Advance(time.Hour)
		w.write()
		w.wantEntries("primary", b)
		if left := w.pending(booking.WriteBackJob); len(left) != 0 {
			t.Errorf("left: %+v", left)
		}
	})
}

// This is the same with a real server. Another client reads the entries back.
func TestWrite_IntoRadicale(t *testing.T) {
	w, radicale := newOnRadicale(t)
	b := w.create("intro", tuesday, email)
	name := b.ID.String() + ".ics"
	w.write()
	if text := radicale.Text(t, name); !strings.Contains(text, "UID:"+invite.UID(b.ID)) ||
		!strings.Contains(text, "DTSTART:20270202T080000Z") {
		t.Errorf("created: %q", text)
	}
	w.MustMove(b, tuesday.Add(time.Hour))
	w.write()
	if text := radicale.Text(t, name); !strings.Contains(text, "DTSTART:20270202T090000Z") ||
		strings.Count(text, "BEGIN:VEVENT") != 1 {
		t.Errorf("moved: %q", text)
	}
	w.MustCancel(b, "")
	w.write()
	if text := radicale.Text(t, name); text != "" {
		t.Errorf("canceled: %q", text)
	}
}

// If the response to a write is lost, the next attempt finds the entry.
func TestWrite_ALostAnswerMakesNoSecondEntry(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.google.BeforeNext(func() {}) // the first request only reads
		w.google.LoseNext()
		w.write()
		if s := w.status("office"); s.Unwritten != 1 || !strings.HasSuffix(s.WriteError, " We'll try again automatically.") {
			t.Errorf("after the lost answer: %+v", s)
		}
		w.Clock.Advance(time.Minute)
		w.write()
		w.wantEntries("primary", b, tuesday)
		if s := w.status("office"); s.Unwritten != 0 || s.WriteError != "" {
			t.Errorf("after the next try: %+v", s)
		}
	})
}

// job returns the job of a booking's change, as another server would run it.
func (w *connected) job(b *slotd.Booking, sequence int) *jobs.Job {
	return &jobs.Job{WorkspaceID: w.Actor.WorkspaceID, Booking: b.ID, Sequence: sequence, CreatedAt: w.Clock.Now()}
}

// One server has read the booking and is about to write it. Then the booking changes, and another server writes the
// change.
func TestWrite_WhoeverWritesLastTheCalendarIsRight(t *testing.T) {
	for name, change := range map[string]func(w *connected, b *slotd.Booking) []time.Time{
		"moved": func(w *connected, b *slotd.Booking) []time.Time {
			w.MustMove(b, tuesday.Add(time.Hour))
			return []time.Time{tuesday.Add(time.Hour)}
		},
		"canceled": func(w *connected, b *slotd.Booking) []time.Time {
			w.MustCancel(b, "")
			return nil
		},
	} {
		for requests := range 3 { // by the first server, before the change
			t.Run(fmt.Sprint(name, " after ", requests), func(t *testing.T) {
				eachConnected(t, func(t *testing.T, w *connected) {
					b := w.create("intro", tuesday, email)
					var want []time.Time
					meanwhile := func() {
						want = change(w, b)
						_, err := w.writeBack().Write(background, w.job(b, 1))
						w.Must(err)
					}
					if requests < 2 { // the first one reads, the second one writes
						for range requests {
							w.google.BeforeNext(func() {})
						}
						w.google.BeforeNext(meanwhile)
					}
					_, err := w.writeBack().Write(background, w.job(b, 0))
					w.Must(err)
					if requests == 2 {
						meanwhile()
					}
					w.wantEntries("primary", b, want...)
				})
			})
		}
	}
}

func TestRace_ManyWritesMakeOneEntry(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.MustMove(b, tuesday.Add(time.Hour))
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() { w.writeBack().Write(background, w.job(b, i%2)) }) // some may fail and have to be retried
		}
		all.Wait()
		w.write()
		w.wantEntries("primary", b, tuesday.Add(time.Hour))
	})
}

func TestWrite_TheOwnersOwnChanges(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.write()
		for id, e := range w.google.Events("primary") {
			e["colorId"] = "7"
			w.google.Put("primary", e)
			w.MustMove(b, tuesday.Add(time.Hour))
			w.write()
			w.wantEntries("primary", b, tuesday.Add(time.Hour))
			if got := w.google.Events("primary")[id]["colorId"]; got != "7" {
				t.Errorf("the colour is %v", got)
			}
			w.google.Remove("primary", id)
		}
		w.MustMove(b, tuesday.Add(2*time.Hour))
		w.write()
		w.wantEntries("primary", b, tuesday.Add(2*time.Hour))
		for id := range w.google.Events("primary") {
			w.google.Remove("primary", id)
		}
		w.MustCancel(b, "")
		w.write()
		w.wantEntries("primary", b)
		if left := w.pending(booking.WriteBackJob); len(left) != 0 {
			t.Errorf("left: %+v", left)
		}
	})
}

func TestWrite_ABookingStandsWhileItsCalendarIsDown(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.google.FailNext(10_000, http.StatusServiceUnavailable)
		began := w.Clock.Now()
		for w.Clock.Now().Sub(began) <= 73*time.Hour {
			w.write()
			stored, err := booking.Load(background, w.DB.Read(), w.Actor.WorkspaceID, b.ID)
			if s := w.status("office"); err != nil || stored.State != slotd.Confirmed || s.Unwritten != 1 ||
				s.WriteError == "" {
				t.Fatalf("%+v, %v, %+v", stored, err, s)
			}
			left := w.pending(booking.WriteBackJob)
			if givenUp := w.Clock.Now().Sub(began) >= 72*time.Hour; len(left) != 1 ||
				(left[0].State == jobs.Failed) != givenUp {
				t.Fatalf("after %v: %+v", w.Clock.Now().Sub(began), left)
			}
			w.Clock.Advance(3 * time.Hour)
		}
	})
}

func TestWrite_WhenItsCalendarIsBackAllIsWell(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.google.FailNext(2, http.StatusServiceUnavailable)
		for range 3 {
			w.write()
			w.Clock.Advance(time.Hour)
		}
		w.wantEntries("primary", b, tuesday)
		if s := w.status("office"); s.Unwritten != 0 || s.WriteError != "" ||
			len(w.pending(booking.WriteBackJob)) != 0 {
			t.Errorf("got %+v, left: %+v", s, w.pending(booking.WriteBackJob))
		}
	})
}

// A booking stays in the calendar where it was written. New bookings go into the new calendar.
func TestWrite_AfterAnotherCalendarWasChosen(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.write()
		w.google.AddCalendar("second")
		w.chooseSecond()
		w.MustMove(b, tuesday.Add(time.Hour))
		w.write()
		w.wantEntries("primary", b, tuesday.Add(time.Hour))
		w.wantEntries("second", b)
		w.MustCancel(b, "")
		next := w.create("intro", tuesday, email)
		w.write()
		w.wantEntries("primary", b)
		w.wantEntries("second", next, tuesday)
	})
}

// The entries in a disconnected calendar are left to its owner.
func TestWrite_ADisconnectedCalendarIsLeftAlone(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		b := w.create("intro", tuesday, email)
		w.write()
		w.MustMove(b, tuesday.Add(time.Hour))
		w.File.Calendars = nil
		w.PutFile()
		requests := w.google.Requests()
		w.write()
		w.wantEntries("primary", b, tuesday)
		known, err := w.DB.Read().EntriesOfBooking(background,
			sqlcgen.EntriesOfBookingParams{WorkspaceID: w.Actor.WorkspaceID, BookingID: b.ID.String()})
		if err != nil || len(known) != 0 || w.google.Requests() != requests ||
			len(w.pending(booking.WriteBackJob)) != 0 {
			t.Errorf("known: %v, %v; %d requests; left: %+v", known, err, w.google.Requests()-requests,
				w.pending(booking.WriteBackJob))
		}
	})
}

func TestWrite_AFeedIsNeverWrittenInto(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		var written atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet {
				written.Add(1)
			}
			fmt.Fprint(out, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
		}))
		t.Cleanup(server.Close)
		w.File.Calendars = []slotd.Calendar{{Name: "club", Type: slotd.ICSFeed, URL: server.URL, StaleAfterMinutes: 15}}
		w.PutFile()
		b := w.create("intro", tuesday, email)
		w.MustCancel(b, "")
		w.write()
		if left := w.pending(booking.WriteBackJob); len(left) != 0 || written.Load() != 0 ||
			w.status("club").Unwritten != 0 {
			t.Errorf("%d writes, left: %+v", written.Load(), left)
		}
		if _, err := w.calendars.Writer(background, w.Actor.WorkspaceID, w.calendar("club").ID); err == nil ||
			!strings.Contains(err.Error(), "can only be read") {
			t.Errorf("got %v", err)
		}
	})
}
