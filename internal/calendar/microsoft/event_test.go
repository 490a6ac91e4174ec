package microsoft_test

import (
	"strings"
	"testing"
)

// putSeries stores a master and two of its occurrences.
func putSeries(w *world, more ...event) {
	w.Put("", meeting("s", "09", append(more, event{"type": "seriesMaster"})...))
	for _, day := range []string{"08", "15"} {
		w.Put("", occurrence(day, "2030-01-"+day+"T09:00:00", "2030-01-"+day+"T09:30:00"))
	}
}

func occurrence(id, start, end string) event {
	return event{"id": "s." + id, "type": "occurrence", "seriesMasterId": "s", "showAs": "busy", "start": utc(start),
		"end": utc(end)}
}

const (
	master  = "UID:uid-s\nDTSTART:20300108T090000Z\nDTEND:20300108T095900Z\nX-SLOTD-ID:s\nX-SLOTD-MASTER:TRUE"
	on8th   = "UID:s.08\nDTSTART:20300108T090000Z\nDTEND:20300108T093000Z\nX-SLOTD-SERIES:s"
	on15th  = "UID:s.15\nDTSTART:20300115T090000Z\nDTEND:20300115T093000Z\nX-SLOTD-SERIES:s"
	moved15 = "UID:s.15\nDTSTART:20300115T130000Z\nDTEND:20300115T133000Z"
)

func TestSeries_MovedAndCanceledOccurrences(t *testing.T) {
	w := newWorld(t)
	putSeries(w)
	w.sync()
	w.WantKept(map[string]string{"s": master, "s.08": on8th, "s.15": on15th})

	e := occurrence("15", "2030-01-15T13:00:00", "2030-01-15T13:30:00")
	e["type"] = "exception"
	w.Put("", e)
	w.Remove("", "s.08")
	w.sync()
	w.WantKept(map[string]string{"s": master, "s.15": moved15})
}

func TestSeries_GoesWithItsOccurrences(t *testing.T) {
	w := newWorld(t)
	putSeries(w)
	w.Put("", meeting("other", "10"))
	w.sync()
	w.Remove("", "s")
	w.sync()
	w.WantIDs("other")
}

// Occurrences do not repeat their master's properties, but their times cannot be read without knowing whether it is
// all-day.
func TestSeries_OfWholeDays(t *testing.T) {
	w := newWorld(t)
	day := func(id, start, end string) event { return occurrence(id, start+"T00:00:00", end+"T00:00:00") }
	w.Put("", meeting("s", "00", event{"type": "seriesMaster", "isAllDay": true, "start": utc("2030-01-08T00:00:00"),
		"end": utc("2030-01-09T00:00:00")}))
	w.Put("", day("08", "2030-01-08", "2030-01-09"))
	w.sync()
	w.Put("", day("15", "2030-01-15", "2030-01-16"))
	w.sync()
	w.WantKept(map[string]string{
		"s":    "UID:uid-s\nDTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300109\nX-SLOTD-ID:s\nX-SLOTD-MASTER:TRUE",
		"s.08": "UID:s.08\nDTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300109\nX-SLOTD-SERIES:s",
		"s.15": "UID:s.15\nDTSTART;VALUE=DATE:20300115\nDTEND;VALUE=DATE:20300116\nX-SLOTD-SERIES:s",
	})
}

// A shift from midnight to midnight in UTC is not all-day if its master says so. Without a master it looks all-day.
func TestSeries_FromMidnightToMidnight(t *testing.T) {
	shift := occurrence("08", "2030-01-08T00:00:00", "2030-01-09T00:00:00")
	for want, master := range map[string]bool{"DTSTART:20300108T000000Z": true, "DTSTART;VALUE=DATE:20300108": false} {
		w := newWorld(t)
		if master {
			w.Put("", meeting("s", "00", event{"type": "seriesMaster"}))
			w.sync()
		}
		w.Put("", shift)
		w.sync()
		if text := w.Kept["s.08"].Text; !strings.Contains(text, want+"\r\n") {
			t.Errorf("want %s:\n%s", want, text)
		}
	}
}

func TestEvent_WhatIsFree(t *testing.T) {
	answered := func(response string) event { return event{"responseStatus": event{"response": response}} }
	for name, c := range map[string]struct {
		more event
		line string
	}{
		"busy":              {nil, ""},
		"free":              {event{"showAs": "free"}, "TRANSP:TRANSPARENT"},
		"working elsewhere": {event{"showAs": "workingElsewhere"}, "TRANSP:TRANSPARENT"},
		"tentative":         {event{"showAs": "tentative"}, ""},
		"out of office":     {event{"showAs": "oof"}, ""},
		"unknown":           {event{"showAs": "unknown"}, ""},
		"nothing said":      {event{"showAs": nil}, ""},
		"declined":          {answered("declined"), "TRANSP:TRANSPARENT"},
		"accepted":          {answered("accepted"), ""},
		"unanswered":        {answered("notResponded"), ""},
		"canceled":          {event{"isCancelled": true}, "STATUS:CANCELLED\nTRANSP:TRANSPARENT"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Put("", meeting("a", "10", c.more))
			w.sync()
			want := "UID:uid-a\nDTSTART:20300108T100000Z\nDTEND:20300108T105900Z\n" + c.line
			w.WantKept(map[string]string{"a": strings.TrimSpace(want)})
		})
	}
}

func TestEvent_AllDay(t *testing.T) {
	w := newWorld(t)
	w.Put("", meeting("d", "00", event{"isAllDay": true, "start": utc("2030-01-08T00:00:00"),
		"end": utc("2030-01-10T00:00:00")}))
	w.sync()
	w.WantKept(map[string]string{"d": "UID:uid-d\nDTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300110"})
}

// The request asks Graph for UTC. If Graph responds with another zone, the zone's name is kept.
func TestEvent_AnotherZone(t *testing.T) {
	w := newWorld(t)
	zoned := event{"dateTime": "2030-01-08T10:00:00.0000000", "timeZone": "W. Europe Standard Time"}
	w.Put("", meeting("a", "10", event{"start": zoned}))
	w.sync()
	if text := w.Kept["a"].Text; !strings.Contains(text,
		"DTSTART;TZID=\"W. Europe Standard Time\":20300108T100000\r\n") {
		t.Error(text)
	}
}

func TestEvent_NoTitlesAndNoPeople(t *testing.T) {
	w := newWorld(t)
	w.Put("", meeting("a", "10", event{"body": event{"content": "Secret"},
		"attendees": []event{{"emailAddress": event{"name": "Bob"}}}}))
	w.sync()
	item := w.Kept["a"]
	for _, private := range []string{"Secret", "Bob"} {
		if strings.Contains(item.Text+item.Tag+item.ID, private) {
			t.Errorf("%q in %+v", private, item)
		}
	}
}
