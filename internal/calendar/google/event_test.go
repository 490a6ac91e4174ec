package google_test

import (
	"strings"
	"testing"
)

// standup is a series on Tuesdays at 09:00 in Berlin, created by somebody whose calendar shows New York.
func standup() event {
	return event{
		"id": "s", "summary": "Secret plans",
		"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE;TZID=Europe/Berlin:20300122T090000"},
		"start":      event{"dateTime": "2030-01-08T03:00:00-05:00", "timeZone": "Europe/Berlin"},
		"end":        event{"dateTime": "2030-01-08T03:30:00-05:00", "timeZone": "Europe/Berlin"},
	}
}

// instance returns one instance of standup after a change.
func instance(original, start, end string) event {
	return event{
		"id": "s_" + original, "recurringEventId": "s", "iCalUID": "s@google.com", "summary": "Secret plans",
		"originalStartTime": event{"dateTime": original, "timeZone": "Europe/Berlin"},
		"start":             event{"dateTime": start, "timeZone": "Europe/Berlin"},
		"end":               event{"dateTime": end, "timeZone": "Europe/Berlin"},
	}
}

const (
	master = "UID:s@google.com\nDTSTART;TZID=\"Europe/Berlin\":20300108T090000\nDTEND;TZID=\"Europe/Berlin\":20300108T093000\n" +
		"RRULE:FREQ=WEEKLY;BYDAY=TU\nEXDATE;TZID=Europe/Berlin:20300122T090000"
	moved    = "UID:s@google.com\nDTSTART:20300115T130000Z\nDTEND:20300115T133000Z\nRECURRENCE-ID:20300115T080000Z"
	canceled = "UID:s@google.com\nDTSTART:20300115T080000Z\nRECURRENCE-ID:20300115T080000Z\nSTATUS:CANCELLED"

	at15th = "2030-01-15T08:00:00Z"
)

func putMoved(w *world) {
	w.Put("primary", instance(at15th, "2030-01-15T14:00:00+01:00", "2030-01-15T14:30:00+01:00"))
}

func TestSeries_MovedAndCanceledInstances(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", standup())
	w.sync()
	w.WantKept(map[string]string{"s": master})
	putMoved(w)
	w.sync()
	w.WantKept(map[string]string{"s": master, "s_" + at15th: moved})
	w.Remove("primary", "s_"+at15th)
	w.sync()
	w.WantKept(map[string]string{"s": master, "s_" + at15th: canceled})

	w.ExpireSyncToken()
	w.sync()
	w.WantKept(map[string]string{"s": master, "s_" + at15th: canceled})
}

func TestSeries_GoesWithItsInstances(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", standup())
	w.Put("primary", meeting("other", "10"))
	putMoved(w)
	w.sync()
	w.Remove("primary", "s")
	w.sync()
	w.WantIDs("other")
}

// The series may belong to somebody else, who invited the owner to one instance of it.
func TestSeries_AnInstanceWithoutItsSeries(t *testing.T) {
	w := newWorld(t)
	putMoved(w)
	w.sync()
	w.WantKept(map[string]string{"s_" + at15th: moved})
	w.Remove("primary", "s_"+at15th)
	w.sync()
	w.WantIDs()
}

func TestSeries_AnUnknownZoneIsLeftToTheReader(t *testing.T) {
	w := newWorld(t)
	e := standup()
	e["start"] = event{"dateTime": "2030-01-08T09:00:00+01:00", "timeZone": "Mars/Olympus\"\n"}
	w.Put("primary", e)
	w.sync()
	if text := w.Kept["s"].Text; !strings.Contains(text, "DTSTART;TZID=\"Mars/Olympus\":20300108T090000\r\n") {
		t.Error(text)
	}
}

func TestEvent_WhatIsFree(t *testing.T) {
	me := func(answer string) event {
		return event{"attendees": []event{{"self": true, "email": "ada@acme.example", "responseStatus": answer}}}
	}
	for name, c := range map[string]struct {
		more event
		free bool
	}{
		"plain":       {nil, false},
		"tentative":   {event{"status": "tentative"}, false},
		"transparent": {event{"transparency": "transparent"}, true},
		"opaque":      {event{"transparency": "opaque"}, false},
		"declined":    {me("declined"), true},
		"accepted":    {me("accepted"), false},
		"unanswered":  {me("needsAction"), false},
		"another declined": {event{"attendees": []event{{"email": "bob@acme.example", "responseStatus": "declined"}}},
			false},
		"a working place":   {event{"eventType": "workingLocation"}, true},
		"a birthday":        {event{"eventType": "birthday"}, true},
		"out of office":     {event{"eventType": "outOfOffice"}, false},
		"from a mail":       {event{"eventType": "fromGmail"}, false},
		"from a mail, free": {event{"eventType": "fromGmail", "transparency": "transparent"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Put("primary", meeting("a", "10", c.more))
			w.sync()
			if free := strings.Contains(w.Kept["a"].Text, "TRANSP:TRANSPARENT"); free != c.free {
				t.Errorf("free is %v:\n%s", free, w.Kept["a"].Text)
			}
		})
	}
}

func TestEvent_AllDay(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", event{"id": "d", "start": event{"date": "2030-01-08"}, "end": event{"date": "2030-01-10"}})
	w.sync()
	w.WantKept(map[string]string{"d": "UID:d@google.com\nDTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300110"})
}

func TestEvent_NoTitlesAndNoPeople(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", meeting("a", "10", event{
		"description": "Secret plans", "location": "Secret place",
		"attendees": []event{{"email": "bob@acme.example", "displayName": "Bob"}},
	}))
	w.sync()
	item := w.Kept["a"]
	for _, private := range []string{"Secret", "bob", "Bob"} {
		if strings.Contains(item.Text+item.Tag+item.ID, private) {
			t.Errorf("%q in %+v", private, item)
		}
	}
}
