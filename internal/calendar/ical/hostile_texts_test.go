package ical

import (
	"fmt"
	"strings"
	"time"
)

// oneEvent returns a calendar with one event.
func oneEvent(lines string) func() string { return func() string { return ics(lines) } }

// equalEvents returns a calendar with n equal events.
func equalEvents(n int, lines string) func() string {
	return func() string {
		return "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\n"+strings.TrimSpace(lines)+"\nEND:VEVENT\n", n) +
			"END:VCALENDAR\n"
	}
}

// repeated returns a calendar with one event that repeats unit n times.
func repeated(n int, before, unit string) func() string {
	return func() string { return ics(before + strings.Repeat(unit, n)) }
}

// filled returns a calendar with one event that repeats unit until the calendar has the maximum size.
func filled(before, unit, after string) func() string {
	size := maxBytes - len(ics(before+after))
	return func() string { return ics(before + strings.Repeat(unit, size/len(unit)) + after) }
}

// numbered returns a calendar that repeats format n times, with the number in each. If lines is not empty, it begins
// with an event of these lines.
func numbered(n int, lines, format string) func() string {
	return func() string {
		var b strings.Builder
		b.WriteString("BEGIN:VCALENDAR\n")
		if lines != "" {
			b.WriteString("BEGIN:VEVENT\n" + lines + "END:VEVENT\n")
		}
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String() + "END:VCALENDAR\n"
	}
}

// oneZone returns a calendar that defines a zone with lines repeated n times, and uses it.
func oneZone(n int, lines string) func() string {
	return func() string {
		zone := strings.Replace(zoneDefinition("Z", "+0100"), "END:STANDARD", strings.Repeat(lines, n)+"END:STANDARD",
			1)
		return "BEGIN:VCALENDAR\n" + zone + "BEGIN:VEVENT\n" + inZone + "END:VEVENT\nEND:VCALENDAR\n"
	}
}

// zones returns a calendar that defines a zone for each event.
func zones(n int) func() string {
	return numbered(n, "", "BEGIN:VTIMEZONE\nTZID:Z%d\nBEGIN:STANDARD\nDTSTART:16010101T000000\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\n"+
		"TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=Z%[1]d:20300108T100000\nDURATION:PT1H\nEND:VEVENT\n")
}

// continuations returns a calendar that changes one series again and again.
func continuations(n int) func() string {
	return func() string {
		var b strings.Builder
		b.WriteString("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20300101T000000Z\nDURATION:PT1M\nRRULE:FREQ=MINUTELY\nEND:VEVENT\n")
		for i := range n {
			fmt.Fprintf(&b, "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE:203001%02dT%02d%02d00Z\nDTSTART:20300101T000000Z\nDURATION:PT1M\nEND:VEVENT\n", i/1440+1, i/60%24, i%60)
		}
		return b.String() + "END:VCALENDAR\n"
	}
}

// list formats each number from first to last and joins them with commas.
func list(last int, format string, first int) string {
	var all []string
	for i := first; i <= last; i++ {
		all = append(all, fmt.Sprintf(format, i))
	}
	return strings.Join(all, ",")
}

func differentDates(n int) string {
	first := time.Date(2030, 1, 8, 0, 0, 0, 0, time.UTC)
	var all []string
	for i := range n {
		all = append(all, first.Add(time.Duration(i)*time.Minute).Format("20060102T150405Z"))
	}
	return strings.Join(all, ",")
}

func differentExceptions(n int) string {
	return "EXDATE:" + strings.ReplaceAll(differentDates(n), ",", "\nEXDATE:")
}
