package worker

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/store/testdb"
)

// wantAnonymous checks that the calendar shows the booking without its attendee, and that nothing is left to do.
func (w *connected) wantAnonymous(b *slotd.Booking) {
	w.T.Helper()
	w.wantEntries("primary", b, tuesday)
	if text := fmt.Sprint(w.google.Events("primary")); strings.Contains(strings.ToLower(text), "grace") ||
		strings.Contains(text, "second") {
		w.T.Errorf("the calendar still knows who it was: %s", text)
	}
	w.wantAllWritten()
}

func (w *connected) wantAllWritten() {
	w.T.Helper()
	if s, left := w.status("office"), w.pending(booking.WriteBackJob); s.Unwritten != 0 || len(left) != 0 {
		w.T.Errorf("got %+v, left: %+v", s, left)
	}
}

// otherServer runs the due write-back jobs in a second server.
func (w *connected) otherServer() {
	w.T.Helper()
	w.Must(w.newWriter().RunDue(background))
}

// One server has read the booking and is about to write it when its attendee is erased.
func TestErased_WhileItIsWrittenTheNameDoesNotStay(t *testing.T) {
	for requests := range 2 { // the first one reads, the second one writes
		for _, others := range []int{0, 1} {
			t.Run(fmt.Sprintf("after %d requests, with %d other servers", requests, others), func(t *testing.T) {
				eachConnected(t, func(t *testing.T, w *connected) {
					b := w.create("intro", tuesday, email)
					for range requests {
						w.google.BeforeNext(func() {})
					}
					w.google.BeforeNext(func() {
						w.erase(email)
						for range others {
							w.otherServer()
						}
						if n := len(w.google.Writes()); n != 0 {
							t.Errorf("the other server did not wait: %d writes", n)
						}
					})
					w.write()
					w.Clock.Advance(time.Minute)
					w.write()
					w.wantAnonymous(b)
				})
			})
		}
	}
}

func TestErased_TheEntryIsWrittenAgain(t *testing.T) {
	for when, write := range map[string]func(w *connected){
		"before the first write": func(*connected) {},
		"after it":               func(w *connected) { w.write() },
		"after a lost answer": func(w *connected) {
			w.google.BeforeNext(func() {}) // the first request only reads
			w.google.LoseNext()
			w.write()
		},
		"after a lost answer and all further tries": func(w *connected) {
			w.google.BeforeNext(func() {})
			w.google.LoseNext()
			w.write()
			w.Clock.Advance(73 * time.Hour)
			w.google.FailNext(1, http.StatusServiceUnavailable)
			w.write()
		},
	} {
		t.Run(when, func(t *testing.T) {
			w := newConnected(t, testdb.SQLite(t))
			b := w.create("intro", tuesday, email)
			write(w)
			w.erase(email)
			for range 3 {
				w.write()
				w.Clock.Advance(time.Minute)
			}
			w.wantEntries("primary", b, tuesday)
			if text := fmt.Sprint(w.google.Events("primary")); strings.Contains(text, "Grace") ||
				w.status("office").Unwritten != 0 {
				t.Errorf("%s, %+v", text, w.status("office"))
			}
		})
	}
}

// bookAndDelete returns a booking whose entry the host deleted from the calendar.
func (w *connected) bookAndDelete() *slotd.Booking {
	w.T.Helper()
	b := w.create("intro", tuesday, email)
	w.write()
	for id := range w.google.Events("primary") {
		w.google.Remove("primary", id)
	}
	return b
}

func TestErased_WhatTheHostDeletedStaysDeleted(t *testing.T) {
	for how, erase := range map[string]func(w *connected, b *slotd.Booking){
		"by its name": func(w *connected, _ *slotd.Booking) { w.erase(email) },
		"by its age": func(w *connected, b *slotd.Booking) {
			w.Clock.Set(b.EndsAt.AddDate(0, 0, 8))
			w.Must(w.eraser(&bytes.Buffer{}).EraseOld(background))
		},
		"while the calendar is down": func(w *connected, _ *slotd.Booking) {
			w.erase(email)
			w.google.FailNext(1, http.StatusServiceUnavailable)
			w.write()
			w.Clock.Advance(time.Hour)
		},
		"when another calendar is chosen": func(w *connected, _ *slotd.Booking) {
			w.erase(email)
			w.chooseSecond()
		},
	} {
		t.Run(how, func(t *testing.T) {
			eachConnected(t, func(t *testing.T, w *connected) {
				w.google.AddCalendar("second")
				b := w.bookAndDelete()
				erase(w, b)
				w.write()
				again := w.job(b, 0) // its server died before it recorded that the job was done
				again.ID = records.ErasureID(b.ID)
				_, err := w.writeBack().Write(background, again)
				w.Must(err)
				w.wantEntries("primary", b)
				w.wantEntries("second", b)
				w.wantAllWritten()
			})
		})
	}
}

func TestErased_WhatTheHostDeletedFromRadicaleStaysDeleted(t *testing.T) {
	w, radicale := newOnRadicale(t)
	remaining, deleted := w.create("intro", tuesday, email), w.create("intro", tuesday.Add(time.Hour), email)
	w.write()
	radicale.Delete(t, deleted.ID.String()+".ics")
	w.erase(email)
	w.write()
	if text := radicale.Text(t, remaining.ID.String()+".ics"); !strings.Contains(text, "DTSTART:20270202T080000Z") ||
		strings.Contains(strings.ToLower(text), "grace") {
		t.Errorf("the entry that is there: %q", text)
	}
	if text := radicale.Text(t, deleted.ID.String()+".ics"); text != "" {
		t.Errorf("the entry is back: %q", text)
	}
	if left := w.pending(booking.WriteBackJob); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
}
