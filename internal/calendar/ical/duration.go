package ical

import "strings"

// No event lasts 270 years, and a time.Duration ends at 292 years.
const (
	maxDurationDays    = 100_000
	maxDurationSeconds = maxDurationDays * 24 * 3600
	maxDurationLength  = 100 // in characters
)

// addDuration returns start plus the DURATION.
func (p property) addDuration(start dateTime) (dateTime, error) {
	days, seconds, ok := parseDuration(strings.ToUpper(p.value))
	if !ok {
		return start, lineError(p.line, "DURATION isn't a length like P1D or PT1H30M.")
	}
	return start.plus(days, seconds), nil
}

// parseDuration parses a duration (RFC 5545, 3.3.6). It also accepts units in any order, and weeks next to days.
func parseDuration(text string) (days, seconds int, ok bool) {
	sign := 1
	if rest, minus := strings.CutPrefix(text, "-"); minus {
		text, sign = rest, -1
	}
	text, ok = strings.CutPrefix(strings.TrimPrefix(text, "+"), "P")
	if !ok || text == "" || len(text) > maxDurationLength {
		return 0, 0, false
	}
	date, clock, timed := strings.Cut(text, "T")
	days, ok = sumUnits(date, "WD", 7, 1)
	if !ok || days > maxDurationDays || timed && clock == "" {
		return 0, 0, false
	}
	seconds, ok = sumUnits(clock, "HMS", 3600, 60, 1)
	return sign * days, sign * seconds, ok
}

// sumUnits adds up numbers that are each followed by a unit. factors holds the value of each unit.
func sumUnits(text, units string, factors ...int) (sum int, ok bool) {
	for text != "" {
		i := strings.IndexAny(text, units)
		if i < 0 {
			return 0, false
		}
		n, ok := digits(text[:i])
		if !ok {
			return 0, false
		}
		if sum += n * factors[strings.IndexByte(units, text[i])]; sum > maxDurationSeconds {
			return 0, false
		}
		text = text[i+1:]
	}
	return sum, true
}
