// Package slots decides which times can be booked.
//
// It is pure: the caller passes the hours, the rules, the claims, the busy times and the current time, and gets the
// same result on every machine. Listing (Open) and checking (Check) walk over the same candidates, so nothing is
// offered that would be rejected.
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

// Query is everything that the result depends on.
type Query struct {
	Schedule  *Schedule
	Rules     Rules
	EventType int64 // which claims count against MaxPerDay
	Claims    Claims
	Busy      []Span // events of connected calendars, as Merge returns them
	Now       time.Time

	// BusyValidUntil is the instant from which on Busy is too old to be used; zero: never.
	BusyValidUntil time.Time
}

// Reason says why a time can or cannot be booked.
type Reason int

const (
	Free       Reason = iota
	NotOffered        // outside the hours, or not on the grid
	TooSoon           // within the minimum notice
	TooFar            // beyond the booking window
	DayFull           // max_per_day is reached
	Busy              // a booking or a calendar event is there, buffers included
)

// Open returns the open starts within the span, and the instant until which the list is valid as long as nothing is
// written; zero means forever.
func Open(q Query, within Span) (open []time.Time, validUntil time.Time) {
	w := newWalk(&q, q.bookable(within))
	if len(w.candidates) > 0 {
		open = make([]time.Time, 0, len(w.candidates))
	}
	for _, start := range w.candidates {
		if w.judge(start) == Free {
			open = append(open, time.UnixMilli(start).UTC())
		}
	}
	return open, earliest(earliest(q.validUntil(within, open), q.BusyValidUntil), w.holdEnds)
}

// earliest returns the earlier of two instants, where zero means never.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Check returns Free if the start can be booked, or the reason why not. It uses the same walk as Open.
func Check(q Query, start time.Time) Reason {
	w := newWalk(&q, Span{start, start.Add(time.Millisecond)})
	if len(w.candidates) == 0 || !time.UnixMilli(w.candidates[0]).Equal(start) {
		return NotOffered
	}
	return w.judge(w.candidates[0])
}

// Nearest returns the n open starts closest to start, in time order. It searches further and further out on both
// sides: all open starts within the radius are found, so the closest ones are among them. The size of a step is
// limited, because two years of a busy host can contain a million starts.
func Nearest(q Query, start time.Time, n int) []time.Time {
	const day = 24 * time.Hour
	all := q.bookable(Span{q.Now, q.WindowEnd()})
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

// closest returns the n starts of a sorted list that are closest to start. Of two equally close ones, it keeps the
// earlier.
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

// Reach returns the span in which a change of claims can change what is open within the given span.
func (q *Query) Reach(within Span) Span {
	reach := within.Grow(q.Rules.BufferBefore, q.Rules.Duration+q.Rules.BufferAfter)
	if q.Rules.MaxPerDay > 0 {
		reach = reach.Grow(longestDate, longestDate)
	}
	return reach
}

// longestDate is longer than any local date in elapsed time.
const longestDate = 48 * time.Hour

// bookable cuts off what notice and booking window exclude anyway, so that no time is spent there.
func (q *Query) bookable(s Span) Span {
	if soonest := q.Now.Add(q.Rules.Notice); s.Start.Before(soonest) {
		s.Start = soonest
	}
	if last := q.WindowEnd(); s.End.After(last) {
		s.End = last
	}
	return s
}

// lastDate returns the last local date that can be booked.
func (q *Query) lastDate() zone.Date {
	return q.Schedule.Zone.Date(q.Now) + zone.Date(q.Rules.WindowDays)
}

// WindowEnd returns the instant from which on everything is too far ahead to be booked. It lies after every instant
// of the last date, including repeated hours.
func (q *Query) WindowEnd() time.Time {
	return q.Schedule.Zone.End(q.lastDate()+1, 0)
}

// validUntil returns until when a list of open starts stays valid by the clock. A listed slot drops out when the
// notice reaches it, and a new day is added at local midnight if the span reaches beyond the booking window. Apart
// from these, only expiring holds change the list without a write.
func (q *Query) validUntil(within Span, open []time.Time) time.Time {
	var until time.Time
	if len(open) > 0 {
		until = open[0].Add(-q.Rules.Notice).Add(1)
	}
	z := q.Schedule.Zone
	// Where clocks are set back across midnight, the previous date comes again. A margin of two dates covers that,
	// and the midnight after now may be the second one.
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
