package ical

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Each of these calendars tries to make reading expensive. None may exceed its budget of steps and memory, and none may
// be read as free time.
func TestBudget_HostileCalendars(t *testing.T) {
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			text := c.text()
			if len(text) > maxBytes {
				t.Fatalf("%d bytes are refused anyway", len(text))
			}
			r := corpusReader(t).SharingBudget()
			wantCheap(t, name, c.want, func() error {
				reduced, err := r.Reduce(text)
				if !isStorable(reduced) {
					t.Error("PostgreSQL would not take what is kept")
				}
				return err
			})
			wantInBudget(t, name, r.shared.budget)
		})
	}
}

// These have the most occurrences, which Reduce does not list.
func TestBudget_HostileCalendarsWithManyOccurrences(t *testing.T) {
	for _, name := range []string{"almost too many", "RDATE, all different", "one UID", "long UIDs",
		"as many as allowed"} {
		text := hostile[name].text()
		x, listed := NewExpansion(corpusReader(t)), 0
		wantCheap(t, name, "", func() error {
			_ = x.Add(text) // Events returns the same error
			events, _, err := x.Events()
			listed = len(events)
			return err
		})
		wantInBudget(t, name, x.budget)
		// A few steps for each date: the dates are the work.
		if listed < 20_000 || x.budget.steps > 4*x.budget.dates {
			t.Errorf("%s: %d events, %d dates, %d steps", name, listed, x.budget.dates, x.budget.steps)
		}
	}
}

func wantInBudget(t *testing.T, about string, b budget) {
	t.Helper()
	const singleStep = 24 * 60 * 61 // as much as a single step may cost
	if b.steps > maxSteps+singleStep || b.dates > maxDates+1 {
		t.Errorf("%s: %d steps, %d dates", about, b.steps, b.dates)
	}
}

// wantCheap bounds memory, and the work that is not counted in steps by what it allocates. The bounds on the work are
// three times what the worst of these calendars needs.
func wantCheap(t *testing.T, about, want string, work func() error) {
	t.Helper()
	const maxLive, maxAllocated, maxAllocations = 64 << 20, 512 << 20, 7_000_000
	var err error
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	live := livePeak(func() { err = work() })
	runtime.ReadMemStats(&after)
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", about, err, want)
	}
	allocated, allocations := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
	report := t.Logf
	if live > maxLive || allocated > maxAllocated || allocations > maxAllocations {
		report = t.Errorf
	}
	report("%s: %d MB live, %d MB in %d allocations", about, live>>20, allocated>>20, allocations)
}

const (
	minute  = "DTSTART:20300108T100000Z\nDURATION:PT1M\n"
	inParis = "DTSTART;TZID=Europe/Paris:20300108T100000\nDURATION:PT1M\n"
	inZone  = "DTSTART;TZID=Z:20300108T100000\nDURATION:PT1M\n"
)

var hostile = map[string]struct {
	text func() string
	want string // part of the error; empty: it can be read
}{
	"all seconds":         {oneEvent(minute + "RRULE:FREQ=SECONDLY"), "300,000 dates"},
	"all seconds of days": {oneEvent(minute + "RRULE:FREQ=DAILY;" + everySecond), "300,000 dates"},
	"almost too many":     {oneEvent(inParis + "RRULE:FREQ=SECONDLY;COUNT=299000"), ""},
	"a far count": {oneEvent("DTSTART:00010101T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY;COUNT=4000000000"),
		"too long to read"},
	"a long series":    {oneEvent("DTSTART:20300101T000000Z\nDTEND:99991231T000000Z\nRRULE:FREQ=HOURLY"), ""},
	"never, a million": {repeated(9000, minute, "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\n"), ""},
	"never, many positions": {repeated(2500, minute, "RRULE:FREQ=SECONDLY;BYSETPOS="+list(366, "%d,-%[1]d", 2)+"\n"),
		"too long to read"},
	"never, many weekdays": {repeated(2500, minute,
		"RRULE:FREQ=MONTHLY;BYDAY="+list(53, "%dMO,%[1]dTU,%[1]dWE,%[1]dTH,%[1]dFR,-%[1]dMO", 6)+"\n"),
		"too long to read"},
	"never, many days": {repeated(2500, minute, "RRULE:FREQ=DAILY;BYMONTHDAY=-31;BYYEARDAY="+list(366, "-%d", 2)+"\n"),
		"too long to read"},
	"the last of all": {equalEvents(10_000, minute+"RRULE:FREQ=YEARLY;"+everySecond+";BYSETPOS=-1"),
		"too long to read"},
	"many short rules": {equalEvents(20_000, minute+strings.Repeat("RRULE:FREQ=YEARLY;COUNT=1\n", 12)),
		"too long to read"},
	"near a limit": {repeated(2000, inParis, "RRULE:FREQ=SECONDLY;UNTIL=20300108T090000Z\n"), "too long to read"},
	"huge intervals": {equalEvents(20_000,
		minute+"RRULE:FREQ=YEARLY;INTERVAL=4294967295\nRRULE:FREQ=SECONDLY;INTERVAL=4294967295"), ""},
	"rules of nothing": {filled(minute+"RRULE:FREQ=DAILY", ";", "\n"), "longer than 16 KB"},
	"rules of one day": {filled("DTSTART:19000101T000000Z\nRRULE:FREQ=YEARLY;COUNT=9;BYDAY=53MO", ",53MO", "\n"),
		"longer than 16 KB"},

	"RDATE, days": {filled(minute+"RDATE:20300109", ",20300109", "\n"), "300,000 dates"},
	"RDATE, an odd zone": {filled(minute+"RDATE;TZID=Mars:20300109T100000", ",20300109T100000", "\n"),
		"300,000 dates"},
	"RDATE, periods": {filled(minute+"RDATE;VALUE=PERIOD:20300109T100000Z/PT1H", ",20300109T100000Z/PT1H", "\n"),
		"300,000 dates"},
	"RDATE, all different": {func() string { return ics(minute + "RDATE:" + differentDates(299_000)) }, ""},
	"EXDATE":               {filled(inParis+"EXDATE:20300109T100000Z", ",20300109T100000Z", "\n"), "300,000 dates"},
	"EXDATE, no dates":     {filled(minute+"EXDATE:", ",", "\n"), ""},
	"EXDATE, a parameter": {filled(minute+"EXDATE;X="+strings.Repeat("x", 500_000)+":20300109", ",20300109", "\n"),
		"4 KB of parameters"},
	"EXDATE, parameters": {repeated(250_000,
		minute+"EXDATE"+strings.Repeat(";a=", 1300)+`;TZID="\\Berlin":20300109T100000`, ",20300109T100000"), ""},
	"EXDATE of a free one": {filled("DTSTART:never\nSTATUS:CANCELLED\nEXDATE:20300109t100000z", ",20300109t100000z",
		"\n"), ""},
	"lengths of nothing": {filled("DTSTART:20300109\nDURATION:P", "0D", "\n"), "DURATION"},
	"periods of nothing": {filled(minute+"RDATE:20300109T100000Z/P", "0D", "\n"), "RDATE"},

	"definitions":          {zones(19_000), "1,000 time zones"},
	"definitions of all":   {oneZone(290_000, "RRULE:FREQ=SECONDLY;COUNT=1000\n"), ""},
	"definitions by dates": {oneZone(290_000, "RDATE:20300108T100000\n"), ""},
	"definitions, empty":   {numbered(200_000, "", "BEGIN:VTIMEZONE\nTZID:%d\nEND:VTIMEZONE\n"), "300,000 lines"},
	"definitions, no text": {func() string {
		return oneZone(1,
			"DTSTART:"+strings.Repeat("a\xff", 5_000_000)+"\n")()
	}, ""},
	"definitions, offsets": {oneZone(60_000,
		"END:STANDARD\nBEGIN:STANDARD\nDTSTART:20300101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0001\n"), ""},
	"slashes": {numbered(20_000, "",
		"BEGIN:VEVENT\nDTSTART;TZID=%d"+strings.Repeat("/a", 95)+":20300108T100000\nEND:VEVENT\n"), "1,000 time zones"},
	"slashes, long": {equalEvents(10_000, "DTSTART;TZID="+strings.Repeat("/a", 450)+":20300108T100000"), ""},
	"a name that is no text": {equalEvents(2000, "DTSTART;TZID="+strings.Repeat("\xff\x00", 2000)+":20300108T100000"),
		""},

	"many short lines": {equalEvents(20_000, minute+strings.Repeat("EXDATE:20310109\n", 25)), "300,000 lines"},
	"as many as allowed": {equalEvents(20_000, minute+"UID:"+strings.Repeat("u", 130)+"\n"+differentExceptions(12)),
		""},
	"unread lines": {repeated(9990, minute, "TRANSP:\n"), ""},
	"blank lines":  {filled(minute, "\n", "X:\n"), ""},
	"folded lines": {filled(minute+"UID:", "u\n ", "\n"), ""},
	"quotes":       {filled(minute+`EXDATE;X="`, `"`, "\n"), ""},
	"parts":        {filled(minute, "BEGIN:a\nEND:a\n", "X:\n"), ""},
	"attendees": {filled(minute, "ATTENDEE"+strings.Repeat(`;a="b"`, 500)+":mailto:ada@acme.example\n",
		"X:\n"), ""},

	"one UID": {equalEvents(20_000, "UID:u\n"+inParis+"RRULE:FREQ=DAILY;COUNT=12"), ""},
	"exceptions": {numbered(19_000, "UID:u\n"+minute+"RRULE:FREQ=DAILY\n",
		"BEGIN:VEVENT\nUID:u\nRECURRENCE-ID;TZID=Europe/Paris:20300109T110000\nX-SLOTD-ID:%d\n"+minute+"END:VEVENT\n"),
		""},
	"turns": {continuations(19_000), "300,000 dates"},
	"long UIDs": {numbered(2500, "",
		"BEGIN:VEVENT\nUID:"+strings.Repeat("u", 4000)+"%d\n"+minute+"RRULE:FREQ=DAILY;COUNT=110\nEND:VEVENT\n"), ""},
	"longer UIDs": {numbered(2400, "", "BEGIN:VEVENT\nUID:"+strings.Repeat("u", 4200)+"%d\n"+minute+"END:VEVENT\n"),
		""},
	"a UID, no text": {filled(minute+"UID:", "\xff\x00", "\n"), ""},
	"chains": {numbered(2500, "",
		"BEGIN:VEVENT\nX-SLOTD-ID:"+strings.Repeat("u", 2000)+"%d\nX-SLOTD-SERIES:"+strings.Repeat("u", 2000)+"%[1]d\n"+
			minute+"END:VEVENT\n"), ""},
}

var everySecond = fmt.Sprintf("BYHOUR=%s;BYMINUTE=%s;BYSECOND=%s", list(23, "%d", 0), list(59, "%d", 0),
	list(59, "%d", 0))
