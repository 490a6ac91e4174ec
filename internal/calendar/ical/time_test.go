package ical

import (
	"strings"
	"testing"
)

func TestBusy_WhenEventsStartAndEnd(t *testing.T) {
	const none = ""
	for name, c := range map[string]struct{ lines, want string }{
		"UTC":              {tenToEleven, asSpan},
		"UTC beats a zone": {"DTSTART;TZID=Europe/Berlin:20300108T100000Z\nDTEND:20300108T110000Z", asSpan},
		"a zone": {"DTSTART;TZID=Europe/Berlin:20300108T110000\nDTEND;TZID=Europe/Berlin:20300108T120000",
			asSpan},
		"a quoted zone": {"DTSTART;TZID=\"Europe/Berlin\";X=1:20300108T110000\nDURATION:PT1H", asSpan},
		"two zones": {"DTSTART;TZID=Europe/Berlin:20300108T110000\nDTEND;TZID=Europe/London:20300108T110000",
			asSpan},
		"no zone: the owner's": {"DTSTART:20300108T050000\nDTEND:20300108T060000", asSpan},
		"24:00": {"DTSTART:20300108T230000Z\nDTEND:20300108T240000Z",
			"2030-01-08T23:00:00Z/2030-01-09T00:00:00Z"},
		"a leap second": {"DTSTART:20300108T230000Z\nDTEND:20300108T235960Z",
			"2030-01-08T23:00:00Z/2030-01-09T00:00:00Z"},
		"far away": {"DTSTART:00010101T000000Z\nDTEND:99991231T235959Z", "0001-01-01T00:00:00Z/9999-12-31T23:59:59Z"},

		"a day":         {"DTSTART;VALUE=DATE:20300108", "2030-01-08T05:00:00Z/2030-01-09T05:00:00Z"},
		"a day, untold": {"DTSTART:20300108", "2030-01-08T05:00:00Z/2030-01-09T05:00:00Z"},
		"a day ignores a zone": {"DTSTART;TZID=Asia/Tokyo;VALUE=DATE:20300108",
			"2030-01-08T05:00:00Z/2030-01-09T05:00:00Z"},
		"two days, the end is out": {"DTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300110",
			"2030-01-08T05:00:00Z/2030-01-10T05:00:00Z"},
		"a day that ends on itself": {"DTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300108",
			"2030-01-08T05:00:00Z/2030-01-09T05:00:00Z"},
		"days by length": {"DTSTART;VALUE=DATE:20300108\nDURATION:P1W", "2030-01-08T05:00:00Z/2030-01-15T05:00:00Z"},
		"half a day": {"DTSTART;VALUE=DATE:20300108\nDURATION:PT12H",
			"2030-01-08T05:00:00Z/2030-01-08T17:00:00Z"},
		"a day of 23 hours": {"DTSTART;VALUE=DATE:20300310", "2030-03-10T05:00:00Z/2030-03-11T04:00:00Z"},
		"a day of 25 hours": {"DTSTART;VALUE=DATE:20301103", "2030-11-03T04:00:00Z/2030-11-04T05:00:00Z"},

		"a length": {"DTSTART:20300108T100000Z\nDURATION:+PT1H", asSpan},
		"a length of all units": {"DTSTART:20300108T100000Z\nDURATION:P1W1DT1H2M3S",
			"2030-01-08T10:00:00Z/2030-01-16T11:02:03Z"},
		"a day over the clock's change": {"DTSTART:20300309T120000\nDURATION:P1D",
			"2030-03-09T17:00:00Z/2030-03-10T16:00:00Z"},
		"24 hours over it": {"DTSTART:20300309T120000\nDURATION:PT24H", "2030-03-09T17:00:00Z/2030-03-10T17:00:00Z"},

		"no end":                     {"DTSTART:20300108T100000Z", none},
		"the end is the start":       {"DTSTART:20300108T100000Z\nDTEND:20300108T100000Z", none},
		"the same instant elsewhere": {"DTSTART:20300108T100000Z\nDTEND;TZID=Europe/Berlin:20300108T110000", none},
		"a length of nothing":        {"DTSTART:20300108T100000Z\nDURATION:PT0S", none},
		"no length in an overlap":    {"DTSTART:20301103T013000\nDTEND:20301103T013000", none},
		"no length in a gap":         {"DTSTART:20300310T023000", none},

		// New York skips 02:00–03:00 on 10 March and has 01:00–02:00 twice on 3 November.
		"starts in the gap": {"DTSTART:20300310T023000\nDTEND:20300310T040000",
			"2030-03-10T06:30:00Z/2030-03-10T08:00:00Z"},
		"ends in the gap": {"DTSTART:20300310T010000\nDTEND:20300310T023000",
			"2030-03-10T06:00:00Z/2030-03-10T07:30:00Z"},
		"inside the gap": {"DTSTART:20300310T021500\nDTEND:20300310T024500",
			"2030-03-10T06:15:00Z/2030-03-10T07:45:00Z"},
		"across the gap": {"DTSTART:20300310T013000\nDTEND:20300310T033000",
			"2030-03-10T06:30:00Z/2030-03-10T07:30:00Z"},
		"starts in the overlap": {"DTSTART:20301103T013000\nDTEND:20301103T030000",
			"2030-11-03T05:30:00Z/2030-11-03T08:00:00Z"},
		"ends in the overlap": {"DTSTART:20301103T003000\nDTEND:20301103T013000",
			"2030-11-03T04:30:00Z/2030-11-03T06:30:00Z"},
		"from one 01:xx to another": {"DTSTART:20301103T014500\nDTEND:20301103T011500",
			"2030-11-03T05:45:00Z/2030-11-03T06:15:00Z"},
		"a length in the overlap": {"DTSTART:20301103T013000\nDURATION:PT15M",
			"2030-11-03T05:30:00Z/2030-11-03T06:45:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			if w := wantBusy(t, newYork(t), ics(c.lines), c.want); len(w) > 0 {
				t.Errorf("warnings: %q", w)
			}
		})
	}
}

func TestBusy_DaysInZonesThatSkipMidnight(t *testing.T) {
	for name, c := range map[string]struct{ zone, day, want string }{
		"begins at 01:00":   {"Africa/Cairo", "20240426", "2024-04-25T22:00:00Z/2024-04-26T21:00:00Z"},
		"ends at the skip":  {"Africa/Cairo", "20240425", "2024-04-24T22:00:00Z/2024-04-25T22:00:00Z"},
		"midnight twice":    {"America/Havana", "20241103", "2024-11-03T04:00:00Z/2024-11-04T05:00:00Z"},
		"ends before twice": {"America/Havana", "20241102", "2024-11-02T04:00:00Z/2024-11-03T04:00:00Z"},
		"23:00 twice":       {"Africa/Cairo", "20241031", "2024-10-30T21:00:00Z/2024-10-31T22:00:00Z"},
		"never was":         {"Pacific/Apia", "20111230", ""},
		"before it":         {"Pacific/Apia", "20111229", "2011-12-29T10:00:00Z/2011-12-30T10:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			wantBusy(t, Reader{Zone: mustZone(t, c.zone)}, ics("DTSTART;VALUE=DATE:"+c.day), c.want)
		})
	}
}

func TestBusy_UnknownZoneIsBusyFourteenHoursAround(t *testing.T) {
	const padded = "2030-01-07T20:00:00Z/2030-01-09T01:00:00Z"
	for name, c := range map[string]struct{ lines, want string }{
		"both ends":     {"DTSTART;TZID=Mars:20300108T100000\nDTEND;TZID=Mars:20300108T110000", padded},
		"by length":     {"DTSTART;TZID=Mars:20300108T100000\nDURATION:PT1H", padded},
		"an empty name": {"DTSTART;TZID=:20300108T100000\nDURATION:PT1H", padded},
		"only the start": {"DTSTART;TZID=Mars:20300108T100000\nDTEND:20300108T110000Z",
			"2030-01-07T20:00:00Z/2030-01-08T11:00:00Z"},
		"only the end": {"DTSTART:20300108T100000Z\nDTEND;TZID=Mars:20300108T110000",
			"2030-01-08T10:00:00Z/2030-01-09T01:00:00Z"},
		"without length": {"DTSTART;TZID=Mars:20300108T100000\nDTEND;TZID=Mars:20300108T100000", ""},
		"two of them": {"DTSTART;TZID=Mars:20300108T100000\nDTEND;TZID=Venus:20300108T100000",
			"2030-01-07T20:00:00Z/2030-01-09T00:00:00Z"},
		"ends before, by": {"DTSTART;TZID=Mars:20300108T100000\nDTEND:20300106T110000Z",
			"2030-01-06T11:00:00Z/2030-01-10T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			if w := wantBusy(t, newYork(t), ics(c.lines), c.want); len(w) == 0 ||
				!strings.Contains(w[0], "is unknown") {
				t.Errorf("warnings: %q", w)
			}
		})
	}
}

func TestBusy_UnknownZoneWarnsOnceAndShort(t *testing.T) {
	mars := "DTSTART;TZID=" + strings.Repeat("Mars\x1b", 100) + ":20300108T100000\nDURATION:PT1H"
	_, warnings, err := newYork(t).Busy(strings.NewReader(ics(mars, mars, mars)))
	if err != nil || len(warnings) != 1 || len(warnings[0]) > 300 || strings.Contains(warnings[0], "\x1b") {
		t.Errorf("got %q, %v", warnings, err)
	}
}

func TestBusy_NoWayToFindZonesIsNoFreeTime(t *testing.T) {
	r := newYork(t)
	r.Location = nil
	wantBusy(t, r, ics("DTSTART;TZID=Europe/Berlin:20300108T100000\nDURATION:PT1H"),
		"2030-01-07T20:00:00Z/2030-01-09T01:00:00Z")
}

func TestBusy_EndBeforeStartCoversEveryReading(t *testing.T) {
	for name, c := range map[string]struct{ lines, want string }{
		"over midnight": {"DTSTART:20300108T230000Z\nDTEND:20300108T010000Z",
			"2030-01-08T01:00:00Z/2030-01-09T23:00:00Z"},
		"days": {"DTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300107",
			"2030-01-07T05:00:00Z/2030-01-09T05:00:00Z"},
		"minus": {"DTSTART:20300108T100000Z\nDURATION:-PT1H", "2030-01-08T09:00:00Z/2030-01-09T10:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			w := wantBusy(t, newYork(t), ics(c.lines), c.want)
			if len(w) != 1 || !strings.HasPrefix(w[0], "Line 3: this event ends before it starts") {
				t.Errorf("warnings: %q", w)
			}
		})
	}
}
