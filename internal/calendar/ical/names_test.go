package ical

import (
	"strings"
	"testing"
)

// A name that is too long or not valid text is replaced by its hash. The hash still shows which names are equal.
func TestNames_OddOnesStillTellSeriesApart(t *testing.T) {
	const (
		series = "DTSTART:20300108T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2\nUID:"
		moved  = "RECURRENCE-ID:20300109T100000Z\nDTSTART:20300110T100000Z\nDURATION:PT1H\nUID:"
		first  = "2030-01-08T10:00:00Z/2030-01-08T11:00:00Z"
		second = " 2030-01-09T10:00:00Z/2030-01-09T11:00:00Z"
		third  = " 2030-01-10T10:00:00Z/2030-01-10T11:00:00Z"
	)
	long := strings.Repeat("u", maxUID)
	for name, c := range map[string]struct{ uid, exception, want string }{
		"long, the same":      {long + "1", long + "1", first + third},
		"long, another":       {long + "1", long + "2", first + second + third},
		"not UTF-8, the same": {"a\xff", "a\xff", first + third},
		"not UTF-8, another":  {"a\xff", "a\xfe", first + second + third},
		"NUL, another":        {"a\x00", "a\x00\x00", first + second + third},
	} {
		t.Run(name, func(t *testing.T) {
			text := ics(series+c.uid, moved+c.exception)
			wantBusy(t, newYork(t), text, c.want)
			reduced, err := newYork(t).Reduce(text)
			if err != nil || !isStorable(reduced) || len(reduced) > len(long) {
				t.Fatalf("%v, reduced to %q", err, reduced)
			}
			wantBusy(t, newYork(t), reduced, c.want)
		})
	}
}

func TestNames_OddTimeZonesCanBeStored(t *testing.T) {
	const theirs = "2030-01-08T03:00:00Z/2030-01-08T04:00:00Z"
	for name, tzid := range map[string]string{"long": strings.Repeat("z", 300), "not UTF-8": "z\xff", "NUL": "z\x00"} {
		zone := strings.Replace(zoneDefinition(tzid, "+0700"), "END:STANDARD", "DTSTART:\xff\x00\nEND:STANDARD", 1)
		text := strings.Replace(ics("DTSTART;TZID="+tzid+":20300108T100000\nDURATION:PT1H"), "VERSION", zone+"VERSION",
			1)
		wantBusy(t, newYork(t), text, theirs)
		reduced, err := newYork(t).Reduce(text)
		if err != nil || !isStorable(reduced) {
			t.Errorf("%s: %v, reduced to %q", name, err, reduced)
		}
		wantBusy(t, newYork(t), reduced, theirs)
	}
}
