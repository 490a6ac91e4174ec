package calendar

import (
	"iter"
	"time"
)

// ruleStarts are the places that a rule gives its series within [from, until].
func (x *Expansion) ruleStarts(s *series, r rule, from, until int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
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

// around is the wall time within which an occurrence may touch the range: its end or what a turn makes of it may be far from
// its place, and clocks may be two days from UTC, padding included.
func (x *Expansion) around(s *series) (from, until int64) {
	reach := s.reach(s.start.wall.Unix())
	for _, turn := range s.turns {
		reach = max(reach, turn.reach(turn.from))
	}
	reach += 3 * daySeconds
	return x.From.Unix() - reach, x.until().Unix() + reach
}

// reach is how far the event lies from its place at most.
func (t times) reach(place int64) int64 {
	length := int64(t.end.exact.Abs() / time.Second)
	return max(abs(t.start.wall.Unix()-place), abs(t.end.wall.Unix()-place)+length)
}

func abs(n int64) int64 { return max(n, -n) }
