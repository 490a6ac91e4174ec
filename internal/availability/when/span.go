package when

import "time"

// Span is the time of a meeting in words.
type Span struct {
	Day   string // Tuesday 17 November 2026
	Hours string // 14:30–15:00
	Zone  string // Europe/Berlin, UTC+01:00
}

func (s Span) String() string { return s.Day + ", " + s.Hours + " (" + s.Zone + ")" }

// Span describes the time from start to end. It repeats what differs at the end: the date, and the offset if the
// clocks change in between.
func (l Local) Span(start, end time.Time) Span {
	day, from, until, dash, zone := l.Day(start), l.clock(start), l.clock(end), "–", l.At(start)
	if endDay := l.Day(end); endDay != day {
		until, dash = endDay+", "+until, " – "
	}
	if before, after := l.offset(start), l.offset(end); before != after {
		from, until, dash, zone = from+" "+before, until+" "+after, " – ", l.ZoneName()
	}
	return Span{day, from + dash + until, zone}
}
