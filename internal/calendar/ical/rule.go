package ical

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// frequency is the length of a rule's period. The order matters: from daily on, periods consist of whole days.
type frequency int

const (
	secondly frequency = iota
	minutely
	hourly
	daily
	weekly
	monthly
	yearly
)

var frequencies = map[string]frequency{
	"SECONDLY": secondly, "MINUTELY": minutely, "HOURLY": hourly, "DAILY": daily, "WEEKLY": weekly, "MONTHLY": monthly,
	"YEARLY": yearly,
}

var weekdays = map[string]time.Weekday{
	"SU": time.Sunday, "MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday, "TH": time.Thursday,
	"FR": time.Friday, "SA": time.Saturday,
}

// nthDay is a weekday of BYDAY: the nth of its month or year, counted from the end if n is negative, or every one if
// n is 0.
type nthDay struct {
	n   int
	day time.Weekday
}

// rule is an RRULE (RFC 5545, 3.3.10).
type rule struct {
	freq      frequency
	interval  int
	count     int // 0: no COUNT
	until     ruleUntil
	weekStart time.Weekday

	months, weekNumbers, yearDays, monthDays []int
	days                                     []nthDay
	hours, minutes, seconds                  []int
	positions                                []int
}

// Even a rule that lists every possible number once is shorter.
const maxRule = 16 << 10

// ruleText normalizes the spelling of a rule: some programs write lower case or spaces.
func ruleText(value string) string {
	return strings.ToUpper(strings.ReplaceAll(value, " ", ""))
}

// parseRule rejects unknown parts: ignoring one could move the whole series.
func parseRule(p property) (r rule, err error) {
	r = rule{freq: -1, interval: 1, weekStart: time.Monday}
	if len(p.value) > maxRule {
		return r, lineError(p.line, "%s is longer than 16 KB.", p.name)
	}
	var seen []string
	for part := range strings.SplitSeq(ruleText(p.value), ";") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if slices.Contains(seen, name) || !r.set(name, value) {
			return r, lineError(p.line, "%s has a part that can't be read: %q.", p.name, clip(part))
		}
		seen = append(seen, name)
	}
	switch {
	case r.freq < 0:
		return r, lineError(p.line, "%s has no FREQ, which says how often the event repeats.", p.name)
	case r.count > 0 && r.until.set:
		return r, lineError(p.line, "%s has two ends, COUNT and UNTIL.", p.name)
	}
	return r, nil
}

func (r *rule) set(name, value string) (ok bool) {
	switch name {
	case "FREQ":
		r.freq, ok = frequencies[value]
	case "INTERVAL":
		r.interval, ok = digits(value)
		ok = ok && r.interval > 0
	case "COUNT":
		r.count, ok = digits(value)
		ok = ok && r.count > 0
	case "UNTIL":
		r.until.wall, r.until.form, ok = parseWall(value)
		r.until.set = true
	case "WKST":
		r.weekStart, ok = weekdays[value]
	case "BYDAY":
		r.days, ok = parseDays(value)
	case "RSCALE":
		ok = value == "GREGORIAN" // RFC 7529 has others
	case "SKIP":
		ok = value == "OMIT"
	default:
		return r.setNumbers(name, value)
	}
	return ok
}

func (r *rule) setNumbers(name, value string) (ok bool) {
	switch name {
	case "BYMONTH":
		r.months, ok = numbers(value, 1, 12, false)
	case "BYWEEKNO":
		r.weekNumbers, ok = numbers(value, 1, 53, true)
	case "BYYEARDAY":
		r.yearDays, ok = numbers(value, 1, 366, true)
	case "BYMONTHDAY":
		r.monthDays, ok = numbers(value, 1, 31, true)
	case "BYHOUR":
		r.hours, ok = numbers(value, 0, 23, false)
	case "BYMINUTE":
		r.minutes, ok = numbers(value, 0, 59, false)
	case "BYSECOND":
		r.seconds, ok = numbers(value, 0, 60, false)
	case "BYSETPOS":
		r.positions, ok = numbers(value, 1, 366, true)
	}
	return ok
}

// numbers parses a list and returns it sorted, without duplicates. Negative numbers count from the end.
func numbers(list string, lo, hi int, negative bool) (all []int, ok bool) {
	for text := range strings.SplitSeq(list, ",") {
		n, ok := number(text, lo, hi, negative)
		if !ok {
			return nil, false
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return slices.Compact(all), true
}

func number(text string, lo, hi int, negative bool) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	size := n
	if negative && n < 0 {
		size = -n
	}
	return n, err == nil && size >= lo && size <= hi
}

func parseDays(list string) (all []nthDay, ok bool) {
	for text := range strings.SplitSeq(list, ",") {
		at := max(len(text)-2, 0)
		day, ok := weekdays[text[at:]]
		n := 0
		if at > 0 && ok {
			n, ok = number(text[:at], 1, 53, true)
		}
		if !ok {
			return nil, false
		}
		all = append(all, nthDay{n, day})
	}
	slices.SortFunc(all, func(a, b nthDay) int { return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.day, b.day)) })
	return slices.Compact(all), true
}

// ruleUntil is a rule's UNTIL.
type ruleUntil struct {
	set  bool
	wall time.Time
	form form
}

// Clocks differ from UTC by less than a day. Beyond this distance, the form of an UNTIL does not matter.
const untilTolerance = 48 * time.Hour

// allows interprets UNTIL as widely as exporters use it. A date includes all its hours, even in a series of times.
// For whole days, a time in UTC means either that date or midnight on the owner's clock.
func (l ruleUntil) allows(w dateTime) bool {
	switch distance := w.wall.Sub(l.wall); {
	case !l.set || distance < -untilTolerance:
		return true
	case distance > untilTolerance:
		return false
	case l.form == wholeDay:
		return w.wall.Before(l.wall.AddDate(0, 0, 1))
	case l.form == onClock || w.isDate && !w.wall.After(l.wall):
		return !w.wall.After(l.wall)
	}
	return !w.resolve().first.After(l.wall)
}
