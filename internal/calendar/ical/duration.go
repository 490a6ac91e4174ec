package ical

import "strings"

// No event lasts 270 years, and a time.Duration ends at 292.
const (
	maxDurationDays    = 100_000
	maxDurationSeconds = maxDurationDays * 24 * 3600
	maxDurationLength  = 100 // as it is written
)

// after adds the DURATION to the start.
func (p property) after(start written) (written, error) {
	days, seconds, ok := parseDuration(strings.ToUpper(p.value))
	if !ok {
		return start, lineError(p.line,
			"DURATION is not a length like P1D or PT1H30M: correct the event in the calendar")
	}
	return start.plus(days, seconds), nil
}

// parseDuration reads RFC 5545, 3.3.6, and more loosely: any order of units, weeks beside days.
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

// sumUnits adds up numbers that a unit follows; worth says what each unit counts for.
func sumUnits(text, units string, worth ...int) (sum int, ok bool) {
	for text != "" {
		i := strings.IndexAny(text, units)
		if i < 0 {
			return 0, false
		}
		n, ok := digits(text[:i])
		if !ok {
			return 0, false
		}
		if sum += n * worth[strings.IndexByte(units, text[i])]; sum > maxDurationSeconds {
			return 0, false
		}
		text = text[i+1:]
	}
	return sum, true
}
