package calendar

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Each of these tries to make reading dear. None may cost more than its share, and none may come out as free.
func TestBudget_HostileCalendars(t *testing.T) {
	const minute = "DTSTART:20300108T100000Z\nDURATION:PT1M\n"
	every := "BYHOUR=" + list(24) + ";BYMINUTE=" + list(60) + ";BYSECOND=" + list(60)
	for name, c := range map[string]struct{ text, want string }{
		"all seconds":          {ics(minute + "RRULE:FREQ=SECONDLY"), "300,000 dates"},
		"all seconds of days":  {ics(minute + "RRULE:FREQ=DAILY;" + every), "300,000 dates"},
		"a far count":          {ics("DTSTART:00010101T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY;COUNT=4000000000"), "too long to read"},
		"never, a million":     {ics(minute + strings.Repeat("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\n", 9000)), ""},
		"never, many":          {many(5000, minute+strings.Repeat("RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30\n", 30)), "too long to read"},
		"the last of all":      {many(10_000, minute+"RRULE:FREQ=YEARLY;"+every+";BYSETPOS=-1"), "too long to read"},
		"every position":       {many(5000, minute+"RRULE:FREQ=SECONDLY;BYSETPOS=1,-1"), "300,000 dates"},
		"never, by position":   {many(10_000, minute+"RRULE:FREQ=SECONDLY;BYSETPOS=366"), "too long to read"},
		"huge intervals":       {many(20_000, minute+"RRULE:FREQ=YEARLY;INTERVAL=4294967295\nRRULE:FREQ=SECONDLY;INTERVAL=4294967295"), ""},
		"long lists of dates":  {ics(minute + "RDATE:" + strings.Repeat("20300109,", 350_000) + "20300109"), "300,000 dates"},
		"long lists of others": {ics(minute + "EXDATE:" + strings.Repeat("20300109T100000Z,", 350_000) + "20300109"), "300,000 dates"},
		"many short lines":     {many(20_000, minute+strings.Repeat("EXDATE:20310109\n", 25)), "300,000 lines"},
		"many unread lines":    {many(1, minute+strings.Repeat("TRANSP:\n", 9990)), ""},
		"zones":                {zones(19_000), ""},
		"slashes":              {many(10_000, "DTSTART;TZID="+strings.Repeat("/a", 450)+":20300108T100000"), ""},
		"turns":                {turns(19_000), "300,000 dates"},
		"a long series":        {ics("DTSTART:20300101T000000Z\nDTEND:99991231T000000Z\nRRULE:FREQ=HOURLY"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if len(c.text) > maxBytes {
				t.Fatalf("%d bytes are refused anyway", len(c.text))
			}
			x := NewExpansion(inCorpus(t))
			start, before := time.Now(), allocated()
			err := x.Add(c.text)
			took, bytes := time.Since(start), allocated()-before
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if x.budget.looked > maxSteps+daySeconds || took > 10*time.Second || bytes > 128<<20 {
				t.Errorf("%d steps, %s, %d MB in all", x.budget.looked, took, bytes>>20)
			}
			t.Logf("%d steps, %s, %d MB in all, %d events", x.budget.looked, took, bytes>>20, len(x.found))
		})
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// list is 0,1,2… below n.
func list(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(i))
	}
	return strings.Join(all, ",")
}

func many(n int, lines string) string {
	return "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\n"+strings.TrimSpace(lines)+"\nEND:VEVENT\n", n) + "END:VCALENDAR\n"
}

// zones defines one for each event.
func zones(n int) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\n")
	for i := range n {
		fmt.Fprintf(&b, "BEGIN:VTIMEZONE\nTZID:Z%d\nBEGIN:STANDARD\nDTSTART:16010101T00%02d%02d\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n"+
			"END:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=Z%d:20300108T100000\nDURATION:PT1H\nEND:VEVENT\n", i, i/60%60, i%60, i)
	}
	return b.String() + "END:VCALENDAR\n"
}

// turns changes a series again and again.
func turns(n int) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20300101T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY\nEND:VEVENT\n")
	for i := range n {
		fmt.Fprintf(&b, "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:203001%02dT%02d%02d00Z\nDTSTART:20300101T000000Z\nDURATION:PT1M\nEND:VEVENT\n", i/1440+1, i/60%24, i%60)
	}
	return b.String() + "END:VCALENDAR\n"
}

// Skipped to the range, an old series costs what a new one does.
func TestBudget_AnOldSeriesCostsNoMore(t *testing.T) {
	steps := func(start string) int {
		x := NewExpansion(inCorpus(t))
		if err := x.Add(ics("DTSTART:" + start + "\nDURATION:PT1H\nRRULE:FREQ=HOURLY;INTERVAL=5")); err != nil {
			t.Fatal(err)
		}
		return x.budget.looked
	}
	if old, young := steps("19000101T100000Z"), steps("20291231T100000Z"); old > young+100 {
		t.Errorf("%d steps since 1900, %d since 2029", old, young)
	}
}

func TestBudget_CountsOverAllItems(t *testing.T) {
	x := NewExpansion(inCorpus(t))
	item := many(maxEvents/2, "DTSTART:20300108T100000Z\nDURATION:PT1M")
	for range 2 {
		if err := x.Add(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Add(ics(tenToEleven)); err == nil || !strings.Contains(err.Error(), "20,000 events") {
		t.Errorf("got %v", err)
	}
	if events, _, err := x.Events(); err == nil || events != nil {
		t.Errorf("%d events of a calendar that was not read whole, %v", len(events), err)
	}
}
