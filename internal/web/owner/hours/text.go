package hours

import (
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
)

// weekInWords joins consecutive days with the same hours: Monday–Friday 09:00-17:00.
func weekInWords(week map[time.Weekday][]slots.Window) (lines []string) {
	first := 0
	for i := range 7 {
		hours := inputs.ShowHours(week[weekday(i)])
		if i < 6 && inputs.ShowHours(week[weekday(i+1)]) == hours {
			continue
		}
		if hours != "" {
			lines = append(lines, dayRange(first, i)+" "+hours)
		}
		first = i + 1
	}
	return lines
}

// weekday returns the day at an index of the workspace file's week, which begins on Monday.
func weekday(index int) time.Weekday { return time.Weekday((index + 1) % 7) }

func dayRange(first, last int) string {
	if first == last {
		return weekday(first).String()
	}
	return weekday(first).String() + "–" + weekday(last).String()
}

func longDate(d zone.Date) string { return d.UTC().Format("Monday 2 January 2006") }

// hoursInWords returns the hours of a day, which may be none.
func hoursInWords(windows []slots.Window) string {
	if len(windows) == 0 {
		return say.T("closed")
	}
	return inputs.ShowHours(windows)
}
