package calsync

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/calendar"
)

func TestRead_FollowsTheCalendar(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		w.wantBusy("+0 09:00-09:30")
		w.feed.setEvents(nine, ten)
		w.mustRead()
		w.wantBusy("+0 09:00-09:30", "+0 10:00-11:00")
		w.feed.setEvents(ten)
		w.mustRead()
		w.wantBusy("+0 10:00-11:00")
		w.feed.setEvents()
		w.mustRead()
		w.wantBusy()
		if s := w.state(); s.Events != 0 || s.ReadAt != monday.UnixMilli() ||
			s.NextAt != monday.Add(5*time.Minute).UnixMilli() {
			t.Errorf("got %+v", s)
		}
	})
}

func TestRead_KeepsNoWordOfAnEvent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		if stored := w.dump(); strings.Contains(stored, "private words") || !strings.Contains(stored, "DTSTART") {
			t.Errorf("kept: %s", stored)
		}
	})
}

// An unchanged calendar costs one small write, and its copy is fresh again.
func TestRead_FindsItUnchanged(t *testing.T) {
	for name, noETags := range map[string]bool{"not modified": false, "the same content": true} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.feed.noETags = noETags
				w.feed.setEvents(nine)
				w.mustRead()
				w.wantBusy("+0 09:00-09:30")
				before, loads := w.state(), w.Cache.Loads.Load()
				w.clock.Advance(5 * time.Minute)
				w.mustRead()
				w.wantBusy("+0 09:00-09:30")
				after := w.state()
				if _, notModified := w.feed.requests(); (notModified == 1) == noETags {
					t.Errorf("%d answers said that nothing changed", notModified)
				}
				if after.ReadAt != w.clock.Now().UnixMilli() ||
					after.NextAt != w.clock.Now().Add(5*time.Minute).UnixMilli() || after.Events != 1 {
					t.Errorf("got %+v", after)
				}
				if after.Cursor != before.Cursor || after.ExpandedUntil != before.ExpandedUntil {
					t.Errorf("the copy is %+v, and was %+v", after, before)
				}
				if w.Cache.Loads.Load() != loads {
					t.Error("the snapshot was loaded again")
				}
			})
		})
	}
}

func TestRead_WritesNothingWhereTheCopyIsYoungAndRight(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		before := w.dump()
		w.clock.Advance(freshFor - time.Millisecond)
		w.mustRead()
		if w.dump() != before {
			t.Errorf("was %s\nis %s", before, w.dump())
		}
		w.clock.Advance(time.Millisecond)
		w.mustRead()
		if w.dump() == before {
			t.Error("the copy has the age it had")
		}
	})
}

// A calendar whose copy becomes stale quickly is read more often than once in freshFor.
func TestSync_IsNeverDueAgainAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.file.Calendars[0].StaleAfterMinutes = 1
		w.apply()
		workspaceID, id := w.key("club")
		for range 4 {
			next, err := w.Sync(background, workspaceID, id)
			w.must(err)
			if want := w.clock.Now().Add(20 * time.Second); !next.Equal(want) {
				t.Fatalf("next at %v, want %v", next, want)
			}
			w.clock.Set(next)
		}
	})
}

func TestSync_AsksOnlyWhenItIsTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		workspaceID, id := w.key("club")
		for _, step := range []struct {
			move time.Duration
			want int
		}{{0, 1}, {5*time.Minute - time.Second, 1}, {time.Second, 2}, {0, 2}} {
			w.clock.Advance(step.move)
			next, err := w.Sync(background, workspaceID, id)
			w.must(err)
			if total, _ := w.feed.requests(); total != step.want || !next.After(w.clock.Now()) {
				t.Errorf("at %v: %d requests, next at %v", w.clock.Now(), total, next)
			}
		}
	})
}

// Events that come within the horizon over time are added to the copy, even if the feed has not changed.
func TestRead_ExpandsFurtherAsTimePasses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		far := monday.Add(horizon + 12*time.Hour)
		w.feed.setEvents(nine, event("far", far.Format("20060102T150405Z"),
			far.Add(time.Hour).Format("20060102T150405Z")))
		w.mustRead()
		w.wantBusy("+0 09:00-09:30")
		w.clock.Advance(horizonMargin - time.Millisecond)
		w.mustRead()
		if s := w.state(); s.Events != 1 {
			t.Errorf("%d events: there was room for another day", s.Events)
		}
		w.clock.Advance(24 * time.Hour)
		w.mustRead()
		if s := w.state(); s.Events != 2 || s.ExpandedUntil != w.clock.Now().Add(horizon).UnixMilli() {
			t.Errorf("got %+v", s)
		}
		w.wantBusy("+0 09:00-09:30", "+742 20:00-21:00")
		if total, notModified := w.feed.requests(); total != 3 || notModified != 2 {
			t.Errorf("%d requests, of which %d were answered with not modified", total, notModified)
		}
	})
}

func TestRead_TwoCalendarsStandSideBySide(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		home := newFeed(t)
		w.file.Calendars = append(w.file.Calendars, home.calendar("home"))
		w.apply()
		w.feed.setEvents(nine)
		home.setEvents(ten, nine)
		w.mustRead()
		workspaceID, id := w.key("home")
		w.must(w.Read(background, workspaceID, id))
		w.wantBusy("+0 09:00-09:30", "+0 10:00-11:00")
		home.setEvents()
		w.must(w.Read(background, workspaceID, id))
		w.wantBusy("+0 09:00-09:30") // the other calendar still has it
		w.file.Calendars = w.file.Calendars[1:]
		w.apply()
		w.wantBusy()
	})
}

func TestRead_WhatIsNoCalendarLeavesTheCopy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		before := w.rows("SELECT * FROM calendar_items")
		for about, body := range map[string]string{
			"a page": "<html>sign in</html>", "nothing": "", "half": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + nine,
			"a bad rule": "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTART:whenever\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		} {
			w.feed.setHandler(func(out http.ResponseWriter, _ *http.Request) { out.Write([]byte(body)) })
			w.clock.Advance(time.Minute)
			err := w.read()
			if s := w.state(); err == nil || s.Failures == 0 || s.ReadAt != monday.UnixMilli() {
				t.Errorf("%s: %v, %+v", about, err, s)
			}
			w.wantBusy("+0 09:00-09:30")
		}
		if after := w.rows("SELECT * FROM calendar_items"); len(after) != 1 || after[0][4] != before[0][4] {
			t.Errorf("the copy is %v, and was %v", after, before)
		}
	})
}

// An older version of the program may have stored what this one cannot read, or the copy may be too large because of
// events that are long over.
func TestRead_ACopyThatCannotBeExpandedIsReadWhole(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		_, err := w.raw.Exec("UPDATE calendar_items SET text = 'BEGIN:VCALENDAR'")
		w.must(err)
		w.clock.Advance(2 * horizonMargin)
		w.mustRead()
		w.wantBusy("+0 09:00-09:30")
		if total, notModified := w.feed.requests(); total != 3 || notModified != 1 {
			t.Errorf("%d requests, of which %d were answered with not modified", total, notModified)
		}
	})
}

func TestTest_KeepsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine, ten)
		before := w.dump()
		workspaceID, id := w.key("club")
		result, err := w.Test(background, workspaceID, id)
		if err != nil || result.Events != 2 || w.dump() != before {
			t.Errorf("%+v, %v, kept %s", result, err, w.dump())
		}
		w.feed.fail(500)
		if _, err := w.Test(background, workspaceID, id); err == nil || w.dump() != before {
			t.Errorf("%v, kept %s", err, w.dump())
		}
	})
}

func TestList_ShowsHowCalendarsAre(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		list := func() Status {
			t.Helper()
			all, err := w.List(background, w.config())
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			return all[0]
		}
		if s := list(); !s.ReadAt.IsZero() || s.Name != "club" || s.Type != slotd.ICSFeed || s.Error != "" {
			t.Errorf("at first: %+v", s)
		}
		w.feed.setEvents(nine)
		w.mustRead()
		if s := list(); !s.ReadAt.Equal(monday) || s.Events != 1 || !s.NextAt.Equal(monday.Add(5*time.Minute)) {
			t.Errorf("after a read: %+v", s)
		}
		w.clock.Advance(5 * time.Minute)
		w.feed.fail(503)
		w.wantUnreadable(calendar.Unreachable)
		if s := list(); !s.ReadAt.Equal(monday) || s.Error == "" || strings.Contains(s.Error, "secret-path") ||
			s.Broken {
			t.Errorf("after a failure: %+v", s)
		}
	})
}
