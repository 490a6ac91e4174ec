// Package slots decides which times can be booked.
//
// It is pure: the caller brings the hours, the rules, what is taken and the current time, and
// gets the same answer on every machine. Listing (Open) and checking (Check) are one walk over
// the same candidates, so nothing is offered that would be refused.
package slots

import (
	"slices"
	"time"

	"slotd/internal/availability/zone"
)

// Span is half-open: a booking that ends at 10:00 does not touch one that starts then.
type Span struct{ Start, End time.Time }

// Grow widens the span at both ends.
func (s Span) Grow(before, after time.Duration) Span {
	return Span{s.Start.Add(-before), s.End.Add(after)}
}

// Touches reports whether the two spans share an instant.
func (s Span) Touches(o Span) bool { return s.Start.Before(o.End) && o.Start.Before(s.End) }

// Contains reports whether o lies inside s.
func (s Span) Contains(o Span) bool { return !o.Start.Before(s.Start) && !o.End.After(s.End) }

// Rules are an event type's own limits. A MaxPerDay of zero means no limit.
type Rules struct {
	Duration     time.Duration
	Interval     time.Duration
	BufferBefore time.Duration
	BufferAfter  time.Duration
	Notice       time.Duration
	WindowDays   int
	MaxPerDay    int
}

// Query is everything an answer depends on.
type Query struct {
	Schedule  *Schedule
	Rules     Rules
	EventType int64 // which claims count against MaxPerDay
	Claims    Claims
	Busy      []Span // of connected calendars; as Merge returns them
	Now       time.Time

	// KnownUntil is from when on Busy is too old to be believed; zero: never.
	KnownUntil time.Time
}

// Reason says why a time can or cannot be booked.
type Reason int

const (
	Free       Reason = iota
	NotOffered        // outside the hours, or between two steps of the grid
	TooSoon           // the minimum notice has passed
	TooFar            // beyond the booking window
	DayFull           // max_per_day is reached
	Busy              // a booking or a calendar event is there, buffers included
)

// Open lists the open starts within the span, and the instant until which the list holds as long
// as nothing is written; a zero instant means for ever.
func Open(q Query, within Span) (open []time.Time, holdsUntil time.Time) {
	w := newWalk(&q, q.bookable(within))
	if len(w.candidates) > 0 {
		open = make([]time.Time, 0, len(w.candidates))
	}
	for _, start := range w.candidates {
		if w.judge(start) == Free {
			open = append(open, time.UnixMilli(start).UTC())
		}
	}
	return open, earliest(earliest(q.holdsUntil(within, open), q.KnownUntil), w.holdEnds)
}

// earliest takes a zero instant for "never".
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Check says whether one start can be booked, by the same walk that lists.
func Check(q Query, start time.Time) Reason {
	w := newWalk(&q, Span{start, start.Add(time.Millisecond)})
	if len(w.candidates) == 0 || !time.UnixMilli(w.candidates[0]).Equal(start) {
		return NotOffered
	}
	return w.judge(w.candidates[0])
}

// Nearest finds the n open starts closest to start, in time order. It looks further and further
// out on both sides: all that is open within the radius is found, so the closest are too. The
// steps are bounded, because a busy host's two years can hold a million starts.
func Nearest(q Query, start time.Time, n int) []time.Time {
	const day = 24 * time.Hour
	all := q.bookable(Span{q.Now, q.WindowEnds()})
	if start.Before(all.Start) {
		start = all.Start
	} else if start.After(all.End) {
		start = all.End
	}
	var open []time.Time
	seen := Span{start, start}
	for step := 3 * day; len(open) < n && !seen.Contains(all); step = min(4*step, 30*day) {
		wider := seen.Grow(step, step)
		before, _ := Open(q, Span{wider.Start, seen.Start})
		after, _ := Open(q, Span{seen.End, wider.End})
		open = slices.Concat(closest(before, start, n), open, closest(after, start, n))
		seen = wider
	}
	return closest(open, start, n)
}

// closest keeps the window of n consecutive starts around start whose ends are nearest.
func closest(open []time.Time, start time.Time, n int) []time.Time {
	for len(open) > n {
		first, last := open[0], open[len(open)-1]
		if start.Sub(first).Abs() > last.Sub(start).Abs() {
			open = open[1:]
		} else {
			open = open[:len(open)-1]
		}
	}
	return open
}

// Reach is where a change of the claims can change what is open within the span.
func (q *Query) Reach(within Span) Span {
	reach := within.Grow(q.Rules.BufferBefore, q.Rules.Duration+q.Rules.BufferAfter)
	if q.Rules.MaxPerDay > 0 {
		reach = reach.Grow(longestDate, longestDate)
	}
	return reach
}

// No local date lasts longer than this in elapsed time.
const longestDate = 48 * time.Hour

// bookable cuts off what notice and window exclude anyway, so that no time is spent there.
func (q *Query) bookable(s Span) Span {
	if soonest := q.Now.Add(q.Rules.Notice); s.Start.Before(soonest) {
		s.Start = soonest
	}
	if last := q.WindowEnds(); s.End.After(last) {
		s.End = last
	}
	return s
}

func (q *Query) lastDate() zone.Date {
	return q.Schedule.Zone.Date(q.Now) + zone.Date(q.Rules.WindowDays)
}

// WindowEnds is from when on everything is too far ahead to be booked. It is late enough for every
// instant of the last date, repeated hours included.
func (q *Query) WindowEnds() time.Time {
	return q.Schedule.Zone.End(q.lastDate()+1, 0)
}

// holdsUntil: a listed slot falls out when the notice reaches it, and a new day comes in at
// local midnight where the span reaches beyond the window. Besides, only holds end by themselves.
func (q *Query) holdsUntil(within Span, open []time.Time) time.Time {
	var until time.Time
	if len(open) > 0 {
		until = open[0].Add(-q.Rules.Notice).Add(1)
	}
	z := q.Schedule.Zone
	// Clocks that are put back across midnight make yesterday come again: two dates of room cover
	// that, and the midnight after now may be the second one.
	if z.Date(within.End)+2 <= q.lastDate() {
		return until
	}
	midnight := z.Start(z.Date(q.Now)+1, 0)
	if !midnight.After(q.Now) {
		midnight = z.End(z.Date(q.Now)+1, 0)
	}
	if change := z.NextChange(q.Now); !change.IsZero() && change.Before(midnight) {
		midnight = change
	}
	return earliest(until, midnight)
}
