package ical

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// readDates reads RDATE: times, days and periods.
func (r *resolver) readDates(s *series, p property) error {
	n := p.notation()
	for value := range strings.SplitSeq(p.value, ",") {
		if !r.budget.date() {
			return r.budget.exceeded(s.line)
		}
		start, length, isPeriod := strings.Cut(value, "/")
		w, ok := r.writtenValue(n, start)
		switch {
		case !ok:
			return lineError(p.line, "RDATE is not a list of times like 20300108T100000Z: correct the event in the "+
				"calendar")
		case isPeriod:
			t, err := r.period(n, w, length)
			if err != nil {
				return err
			}
			r.addPeriod(s, t)
		default:
			r.addDate(s, w)
		}
	}
	return nil
}

// period reads what stands behind the slash: an end or a length.
func (r *resolver) period(n notation, start written, rest string) (t times, err error) {
	t.start = start
	if days, seconds, ok := parseDuration(strings.ToUpper(strings.TrimSpace(rest))); ok {
		t.end = start.plus(days, seconds)
		return t, nil
	}
	end, ok := r.writtenValue(n, rest)
	if !ok || end.date != start.date {
		return t, lineError(n.line, "RDATE has a period that is not a start and an end or a length: correct the "+
			"event in the calendar")
	}
	t.end = end
	return t, nil
}

// addDate finds the place of an RDATE. One that is no place of the series gets a period of its own; so does a day in a
// series of hours, as it may mean that day's occurrence or all of it.
func (r *resolver) addDate(s *series, w written) {
	wall, ok := w.wallIn(s.start)
	switch {
	case ok && w.date && !s.start.date:
		r.addPeriod(s, times{start: w, end: w.plus(1, 0)})
		s.dates = append(s.dates, wall+floorMod(s.start.wall.Unix(), daySeconds))
	case ok:
		s.dates = append(s.dates, wall)
	default:
		end := w
		end.wall = addSeconds(w.wall, s.end.wall.Unix()-s.start.wall.Unix())
		end.exact = s.end.exact
		r.addPeriod(s, times{start: w, end: end})
	}
}

// addPeriod counts for several dates, as it takes as much room.
func (r *resolver) addPeriod(s *series, t times) {
	r.budget.dates += 5
	s.periods = append(s.periods, t)
}

// expandSeries takes the busy occurrences of a series that touch the range.
func (x *Expansion) expandSeries(s *series) error {
	if s.free && len(s.turns) == 0 {
		return nil
	}
	slices.SortStableFunc(s.turns, func(a, b turn) int { return cmp.Compare(a.from, b.from) })
	for _, wall := range x.starts(s) {
		if t, free := s.at(wall); !free && !s.without.has(wall) {
			x.take(t)
		}
	}
	for _, t := range s.periods {
		if wall, ok := t.start.wallIn(s.start); !ok || !s.without.has(wall) {
			x.take(t)
		}
	}
	return x.budget.exceeded(s.line)
}

// at is the occurrence whose place in the series is wall.
func (s *series) at(wall int64) (t times, free bool) {
	if i := sort.Search(len(s.turns), func(i int) bool { return s.turns[i].from > wall }); i > 0 {
		turn := s.turns[i-1]
		return turn.shifted(wall - turn.from), turn.free
	}
	return s.shifted(wall - s.start.wall.Unix()), s.free
}

// starts are the places of the series around the range, each once. The event's own start counts even if its rule leaves
// it out: programs differ there, and RFC 5545, 3.8.5.3 calls it the first instance.
func (x *Expansion) starts(s *series) []int64 {
	walls := []int64{s.start.wall.Unix()}
	if !s.repeats && len(s.dates) == 0 {
		return walls
	}
	walls = x.applyRules(s, append(walls, s.dates...))
	slices.Sort(walls)
	return slices.Compact(walls)
}

func (x *Expansion) applyRules(s *series, walls []int64) []int64 {
	from, until := x.around(s)
	for _, p := range s.rules {
		if x.budget.exceeded(s.line) != nil {
			break
		}
		switch p.name {
		case "RRULE":
			walls = slices.AppendSeq(walls, x.ruleStarts(s, p, from, until))
		case "EXRULE":
			for wall := range x.ruleStarts(s, p, from, until) {
				s.without.add(wall, false)
			}
		}
	}
	return walls
}
