package calsync

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/store/testdb"
)

// A short file may expand to a lot: what would overload the database is rejected, and the copy stays.
func TestRead_TooManyBusyTimesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		w.feed.setEvents("BEGIN:VEVENT\r\nUID:often\r\nDTSTART:20270201T090000Z\r\nDURATION:PT1S\r\nRRULE:FREQ=MINUTELY;INTERVAL=10\r\nEND:VEVENT\r\n")
		w.clock.Advance(time.Hour)
		w.wantUnreadable(calendar.Unusable)
		if s := w.state(); !strings.Contains(s.LastError, "more than 50000 separate busy times") {
			t.Errorf("got %q", s.LastError)
		}
		w.wantBusy("+0 09:00-09:30")
	})
}

func TestRead_OneThatTakesLongIsNotReadOften(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.file.Calendars[0].StaleAfterMinutes = 3
	w.apply()
	w.feed.setHandler(func(out http.ResponseWriter, _ *http.Request) {
		w.clock.Advance(8 * time.Second)
		fmt.Fprint(out, "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
	})
	w.mustRead()
	if s := w.state(); s.NextAt != w.clock.Now().Add(80*time.Second).UnixMilli() {
		t.Errorf("read again after %v", time.UnixMilli(s.NextAt).Sub(w.clock.Now()))
	}
}

// A failure that cannot be saved must not count as saved: the job would come back at once.
func TestSync_AFailureThatCannotBeNotedIsOurOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.fail(http.StatusInternalServerError)
		workspaceID, id := w.key("club")
		_, err := w.raw.Exec("ALTER TABLE calendar_reads RENAME COLUMN last_error TO lost")
		w.must(err)
		_, err = w.Sync(background, workspaceID, id)
		if e := new(calendar.Error); err == nil || errors.As(err, &e) {
			t.Errorf("got %v", err)
		}
	})
}

func TestCheck_RefusesWhatNoDatabaseKeeps(t *testing.T) {
	long := strings.Repeat("x", maxIDLength+1)
	for name, c := range map[string]calendar.Changes{
		"a long id":      {Items: []calendar.Item{{ID: long}}},
		"a long tag":     {Items: []calendar.Item{{ID: "a", Tag: long}}},
		"a NUL":          {Items: []calendar.Item{{ID: "a", Text: "UID:\x00"}}},
		"no UTF-8":       {Items: []calendar.Item{{ID: "a\xff"}}},
		"a long cursor":  {Cursor: strings.Repeat("x", maxCursor+1)},
		"gone by NUL":    {Gone: []string{"a\x00"}},
		"gone by length": {Gone: []string{long}},
	} {
		if checkStorable(&c) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := checkStorable(&calendar.Changes{Cursor: "c",
		Items: []calendar.Item{{ID: "ä", Tag: `"1"`, Text: "BEGIN:VCALENDAR"}}, Gone: []string{"b"}}); err != nil {
		t.Error(err)
	}
}

func TestShorten_IsOneLineOfText(t *testing.T) {
	if got := Shorten("a\x1b[2J\nb\xff\x00"); got != "a [2J b\ufffd " {
		t.Errorf("%q", got)
	}
	if got := Shorten(strings.Repeat("é", 1000)); len(got) > 1005 {
		t.Errorf("%d bytes", len(got))
	}
}

// The owner is mailed about a calendar that has kept guests away for an hour, whatever the reason.
func TestRead_TheOwnerIsMailedWhenGuestsAreKeptAway(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.mustRead()
		w.feed.fail(http.StatusNotFound)
		for _, c := range []struct {
			after  time.Duration
			mailed bool
		}{{time.Hour, false}, {16 * time.Minute, true}} {
			w.clock.Advance(c.after)
			w.wantUnreadable(calendar.Unusable)
			if s := w.state(); s.Told != c.mailed {
				t.Errorf("after another %v: told %t", c.after, s.Told)
			}
		}
	})
}
