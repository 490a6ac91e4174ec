package ical

import (
	"iter"
	"time"
)

// ruleStarts yields the wall times that a rule generates for its series within [from, until].
func (x *Expansion) ruleStarts(s *series, p property, from, until int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		r, _ := parseRule(p)
		if s.start.isDate {
			r.hours, r.minutes, r.seconds = nil, nil, nil // RFC 5545, 3.3.10: they must be ignored
		}
		until := until
		if r.until.set {
			until = min(until, r.until.wall.Add(untilTolerance).Unix())
		}
		last := int64(-1 << 62)
		for wall := range r.walls(s.start.wall.Unix(), from, until, &x.budget) {
			if s.start.isDate {
				wall -= floorMod(wall, daySeconds) // an hourly rule for whole days
			}
			w := s.start
			w.wall = time.Unix(wall, 0).UTC()
			if wall == last || !r.until.allows(w) {
				continue
			}
			last = wall
			if !x.budget.spendDate() || !yield(wall) {
				return
			}
		}
	}
}

// wallRange returns the wall times between which a date of the series may overlap the range. The event itself, or a
// continuation of it, may lie far from that date, and clocks differ from UTC by less than three days, padding
// included.
func (x *Expansion) wallRange(s *series) (from, until int64) {
	begins, ends := s.extent(s.start.wall.Unix())
	for _, c := range s.continuations {
		b, e := c.extent(c.from)
		begins, ends = min(begins, b), max(ends, e)
	}
	return x.reader.From.Unix() - ends - 3*daySeconds, x.reader.until().Unix() - begins + 3*daySeconds
}

// extent returns where the event begins and ends, relative to origin. Some events end before they start.
func (t times) extent(origin int64) (begins, ends int64) {
	start, end := t.start.wall.Unix()-origin, t.end.wall.Unix()-origin
	exact := int64(t.end.elapsed / time.Second)
	return min(start, end, end+exact), max(start, end, end+exact)
}
