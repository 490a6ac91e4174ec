package hours

import (
	"time"

	"slotd/internal/web/owner/inputs"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
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

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
