package ical

import (
	"iter"
	"time"
)

// ruleStarts are the places that a rule gives its series within [from, until].
func (x *Expansion) ruleStarts(s *series, p property, from, until int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		r, _ := parseRule(p)
		if s.start.date {
			r.hours, r.minutes, r.seconds = nil, nil, nil // RFC 5545, 3.3.10: they must be ignored
		}
		until := until
		if r.until.set {
			until = min(until, r.until.wall.Add(limitDoubt).Unix())
		}
		last := int64(-1 << 62)
		for wall := range r.walls(s.start.wall.Unix(), from, until, &x.budget) {
			if s.start.date {
				wall -= floorMod(wall, daySeconds) // an hourly rule for whole days
			}
			w := s.start
			w.wall = time.Unix(wall, 0).UTC()
			if wall == last || !r.until.allows(w) {
				continue
			}
			last = wall
			if !x.budget.date() || !yield(wall) {
				return
			}
		}
	}
}

// around is the wall time within which a place of the series may touch the range: the event itself, or what a turn
// makes of it, may lie far from its place, and what clocks show is less than three days from UTC, padding included.
func (x *Expansion) around(s *series) (from, until int64) {
	begins, ends := s.reach(s.start.wall.Unix())
	for _, turn := range s.turns {
		b, e := turn.reach(turn.from)
		begins, ends = min(begins, b), max(ends, e)
	}
	return x.reader.From.Unix() - ends - 3*daySeconds, x.reader.until().Unix() - begins + 3*daySeconds
}

// reach is where the event begins and ends, seen from its place. Some end before they start.
func (t times) reach(place int64) (begins, ends int64) {
	start, end := t.start.wall.Unix()-place, t.end.wall.Unix()-place
	exact := int64(t.end.exact / time.Second)
	return min(start, end, end+exact), max(start, end, end+exact)
}
