package caldav

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"slotd/internal/calendar"
	"slotd/internal/calendar/davtest"
)

func sorted(all []string) string {
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestChanges_FollowACalendar(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		s.Put(t, "one.ics", event("one", "20270110T100000Z"))
		s.Put(t, "two.ics", event("two", "20270110T120000Z"))
		s.Put(t, "task.ics", component("VTODO", "task", "20270110T150000Z"))
		f := follow(New(loopback, account(s, s.Calendar), reader))
		f.want(t, "one.ics 1000", "two.ics 1200")

		s.Put(t, "one.ics", event("one", "20270110T110000Z"))
		s.Put(t, "three.ics", event("three", "20270110T140000Z"))
		s.Delete(t, "two.ics")
		f.want(t, "one.ics 1100", "three.ics 1400")
		s.Delete(t, "three.ics")
		f.want(t, "one.ics 1100")

		if quiet := f.read(t); quiet.Complete || len(quiet.Items)+len(quiet.Gone) > 0 {
			t.Errorf("nothing changed, and it found %+v", quiet)
		}
	})
}

// The server stores a series and its moved instance in one file, and so does slotd.
func TestChanges_ASeriesIsOneItem(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		series := strings.Replace(event("week", "20270110T100000Z"), "DURATION",
			"RRULE:FREQ=WEEKLY;COUNT=5\r\nEXDATE:20270117T100000Z\r\nDURATION", 1)
		_, moved, _ := strings.Cut(event("week", "20270125T150000Z"), "BEGIN:VEVENT")
		moved = strings.Replace(moved, "DURATION", "RECURRENCE-ID:20270124T100000Z\r\nDURATION", 1)
		s.Put(t, "week.ics", strings.Replace(series, "END:VCALENDAR\r\n", "BEGIN:VEVENT"+moved, 1))
		got := follow(New(loopback, account(s, s.Calendar), reader)).read(t)
		if len(got.Items) != 1 {
			t.Fatalf("got %d items", len(got.Items))
		}
		for _, part := range []string{"RRULE:", "EXDATE:20270117", "RECURRENCE-ID:20270124", "DTSTART:20270125"} {
			if !strings.Contains(got.Items[0].Text, part) {
				t.Errorf("%s is missing from %s", part, got.Items[0].Text)
			}
		}
	})
}

func TestChanges_ALostSyncTokenIsAWholeRead(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		s.Put(t, "one.ics", event("one", "20270110T100000Z"))
		s.Put(t, "two.ics", event("two", "20270110T120000Z"))
		f := follow(New(loopback, account(s, s.Calendar), reader))
		f.read(t)
		s.Delete(t, "two.ics")
		lost := parseCursor(f.cursor)
		for id, last := range lost.Calendars {
			if last.Sync == "" {
				t.Fatal("it did not use the server's synchronisation")
			}
			lost.Calendars[id] = state{Sync: "http://elsewhere.example/ns/sync/1"}
		}
		f.cursor = lost.String()
		if got := f.read(t); !got.Complete || f.starts() != "one.ics 1000" {
			t.Errorf("whole %v, items %s", got.Complete, f.starts())
		}
	})
}

func TestChanges_AnAccountIsAllItsCalendars(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		s.Put(t, "one.ics", event("one", "20270110T100000Z"))
		f := follow(New(loopback, account(s, s.URL), reader))
		f.want(t, "one.ics 1000")

		home := s
		home.Calendar = s.MakeCalendar(t, "home")
		home.Put(t, "two.ics", event("two", "20270110T120000Z"))
		f.want(t, "one.ics 1000", "two.ics 1200")
		home.Delete(t, "two.ics")
		home.Put(t, "three.ics", event("three", "20270110T130000Z"))
		if got := f.read(t); got.Complete || f.starts() != "one.ics 1000, three.ics 1300" {
			t.Errorf("whole %v, items %s", got.Complete, f.starts())
		}
		home.Delete(t, "") // the calendar
		f.want(t, "one.ics 1000")
	})
}

func TestChanges_ADeletedCalendarIsNotAnEmptyOne(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		s.MakeCalendar(t, "home")
		s.Put(t, "one.ics", event("one", "20270110T100000Z"))
		f := follow(New(loopback, account(s, s.Calendar), reader))
		f.read(t)
		s.Delete(t, "")
		for _, cursor := range []string{f.cursor, ""} {
			_, err := f.calendar.Changes(t.Context(), cursor, nil)
			wantError(t, err, calendar.Unusable, "no calendar at this address")
		}
	})
}

func TestChanges_AWrongPasswordIsRefused(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		a := account(s, s.Calendar)
		a.Password = "s3cret"
		_, err := New(loopback, a, reader).Changes(t.Context(), "", nil)
		wantError(t, err, calendar.Refused, "doesn't accept the user name or password")
	})
}

func TestChanges_ManyItemsComeInBatches(t *testing.T) {
	s := davtest.Radicale(t)
	for i := range batchSize + 5 {
		name := string(rune('a'+i/26)) + string(rune('a'+i%26))
		s.Put(t, name+".ics", event(name, "20270110T100000Z"))
	}
	f := follow(New(loopback, account(s, s.Calendar), reader))
	if got := f.read(t); len(got.Items) != batchSize+5 {
		t.Errorf("got %d items", len(got.Items))
	}
}

func TestChanges_NamesThatNeedEscapes(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		s.Put(t, "a%20b@c%2B%C3%BC.ics", event("odd", "20270110T100000Z"))
		f := follow(New(loopback, account(s, s.Calendar), reader))
		f.want(t, "a b@c+ü.ics 1000")
		s.Delete(t, "a%20b@c%2B%C3%BC.ics")
		f.want(t)
	})
}

func TestDiscover_FromEveryAddressOfTheAccount(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		addresses := []string{s.URL, strings.TrimSuffix(s.URL, "/"), s.Calendar, strings.TrimSuffix(s.Calendar, "/"),
			s.URL + "alice/", s.URL + "no/such/page"}
		for _, address := range addresses {
			found, err := Discover(t.Context(), loopback, account(s, address))
			if err != nil {
				t.Errorf("%s: %v", address, err)
				continue
			}
			if len(found) != 1 || found[0].URL != s.Calendar || !strings.Contains(found[0].Name, "office") ||
				!found[0].Writable {
				text, _ := json.Marshal(found)
				t.Errorf("%s: %s", address, text)
			}
		}
	})
}
