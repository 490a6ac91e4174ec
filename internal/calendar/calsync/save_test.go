package calsync

import (
	"errors"
	"sync"
	"testing"
	"time"
)

// A read that cannot write its last part writes nothing.
func TestRead_ChangesAllOrNothing(t *testing.T) {
	for _, table := range []string{"calendar_items", "calendar_busy", "workspace_versions"} {
		t.Run(table, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.feed.setEvents(nine)
				w.mustRead()
				w.feed.setEvents(ten)
				w.clock.Advance(5 * time.Minute)
				before := w.dump()
				workspaceID, id := w.key("club")
				w.rename(table, "elsewhere")
				if err := w.Read(background, workspaceID, id); err == nil {
					t.Error("the read went well")
				}
				w.rename("elsewhere", table)
				if after := w.dump(); after != before {
					t.Errorf("was %s\nis %s", before, after)
				}
				w.mustRead()
				w.wantBusy("+0 10:00-11:00")
			})
		})
	}
}

func (w *world) rename(table, to string) {
	w.t.Helper()
	_, err := w.raw.Exec("ALTER TABLE " + table + " RENAME TO " + to)
	w.must(err)
}

// One server still has an old response when another has already written a newer one.
func TestRace_AnOvertakenReadBeginsAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.server(w.Keys)
		w.feed.setEvents(nine)
		arrived, release := w.feed.stall(t)
		slow := make(chan error, 1)
		go func() { slow <- w.read() }()
		<-arrived
		w.feed.setHandler(nil)
		w.feed.setEvents(ten)
		w.must(readBy(w, other))
		release()
		w.must(<-slow)
		w.wantBusy("+0 10:00-11:00")
		wantBusyBy(w, other, "+0 10:00-11:00")
		if n := len(w.rows("SELECT * FROM calendar_busy")); n != 1 {
			t.Errorf("%d busy times are kept", n)
		}
	})
}

// An older failure of one server does not hide a newer success of another.
func TestRace_AnOvertakenFailureIsForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.server(w.Keys)
		w.feed.setEvents(nine)
		arrived, release := w.feed.stall(t)
		slow := make(chan error, 1)
		w.feed.text = "<html>" // no request has been made yet
		go func() { slow <- w.read() }()
		<-arrived
		w.feed.setHandler(nil)
		w.feed.setEvents(nine)
		w.must(readBy(w, other))
		release()
		if err := <-slow; err == nil {
			t.Error("a page was read as a calendar")
		}
		if s := w.state(); s.Failures != 0 || s.LastError != "" {
			t.Errorf("got %+v", s)
		}
	})
}

func TestRace_ServersThatReadAtOnceEndWithWhatIsThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		servers := []*Service{w.Service, w.server(w.Keys)}
		for _, events := range [][]string{{nine}, {nine, ten}, {ten}, {}, {nine, ten}} {
			w.feed.setEvents(events...)
			var all sync.WaitGroup
			for _, s := range servers {
				for range 3 {
					all.Go(func() {
						if err := readBy(w, s); err != nil {
							t.Error(err)
						}
					})
				}
			}
			all.Wait()
			if n := len(w.rows("SELECT * FROM calendar_busy")); n != len(events) {
				t.Fatalf("%d busy times are kept of %d events", n, len(events))
			}
		}
		for _, s := range servers {
			wantBusyBy(w, s, "+0 09:00-09:30", "+0 10:00-11:00")
		}
	})
}

func TestRace_ACalendarThatIsDisconnectedMeanwhileLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		workspaceID, id := w.key("club")
		for about, read := range map[string]func() error{
			"read": func() error { return w.Read(background, workspaceID, id) },
			"sync": func() error { _, err := w.Sync(background, workspaceID, id); return err },
		} {
			club := w.file.Calendars
			arrived, release := w.feed.stall(t)
			done := make(chan error, 1)
			go func() { done <- read() }()
			<-arrived
			w.file.Calendars = nil
			w.apply()
			release()
			if err := <-done; !errors.Is(err, ErrGone) {
				t.Errorf("%s: %v", about, err)
			}
			for _, table := range []string{"calendars", "calendar_reads", "calendar_items", "calendar_busy"} {
				if rows := w.rows("SELECT * FROM " + table); len(rows) > 0 {
					t.Errorf("%s: left in %s: %v", about, table, rows)
				}
			}
			w.wantBusy()
			w.file.Calendars = club
			w.apply()
			workspaceID, id = w.key("club")
		}
	})
}

// The address changed while the old one was being read: what comes from there does not belong to the calendar.
func TestRace_ACalendarThatIsConnectedAnewMeanwhileIsReadAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		elsewhere := newFeed(t)
		elsewhere.setEvents(ten)
		w.feed.setEvents(nine)
		arrived, release := w.feed.stall(t)
		done := make(chan error, 1)
		go func() { done <- w.read() }()
		<-arrived
		w.file.Calendars[0].URL = elsewhere.URL + "/other.ics"
		w.apply()
		release()
		w.must(<-done)
		w.wantBusy("+0 10:00-11:00")
	})
}
