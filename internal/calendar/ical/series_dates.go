package ical

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// readRdates reads RDATE: times, days and periods.
func (r *resolver) readRdates(s *series, p property) error {
	n := p.timeParams()
	for value := range strings.SplitSeq(p.value, ",") {
		if !r.budget.spendDate() {
			return r.budget.errorAt(s.line)
		}
		start, length, isPeriod := strings.Cut(value, "/")
		w, ok := r.parseTimeValue(n, start)
		switch {
		case !ok:
			return lineError(p.line, "RDATE isn't a list of times like 20300108T100000Z.")
		case isPeriod:
			t, err := r.parsePeriod(n, w, length)
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

// parsePeriod parses the part after the slash: an end or a duration.
func (r *resolver) parsePeriod(n timeParams, start dateTime, rest string) (t times, err error) {
	t.start = start
	if days, seconds, ok := parseDuration(strings.ToUpper(strings.TrimSpace(rest))); ok {
		t.end = start.plus(days, seconds)
		return t, nil
	}
	end, ok := r.parseTimeValue(n, rest)
	if !ok || end.isDate != start.isDate {
		return t, lineError(n.line, "RDATE has a period that isn't a start with an end or a length.")
	}
	t.end = end
	return t, nil
}

// addDate adds an RDATE. A date that cannot be converted to the series' wall time gets its own period. So does a
// whole day in a series of times, because it may mean that day's occurrence or the whole day.
func (r *resolver) addDate(s *series, w dateTime) {
	wall, ok := w.wallIn(s.start)
	switch {
	case ok && w.isDate && !s.start.isDate:
		r.addPeriod(s, times{start: w, end: w.plus(1, 0)})
		s.dates = append(s.dates, wall+floorMod(s.start.wall.Unix(), daySeconds))
	case ok:
		s.dates = append(s.dates, wall)
	default:
		end := w
		end.wall = addSeconds(w.wall, s.end.wall.Unix()-s.start.wall.Unix())
		end.elapsed = s.end.elapsed
		r.addPeriod(s, times{start: w, end: end})
	}
}

// addPeriod counts as several dates, because a period takes as much memory.
func (r *resolver) addPeriod(s *series, t times) {
	r.budget.dates += 5
	s.periods = append(s.periods, t)
}

// expandSeries collects the busy occurrences of a series that overlap the range.
func (x *Expansion) expandSeries(s *series) error {
	if s.free && len(s.continuations) == 0 {
		return nil
	}
	slices.SortStableFunc(s.continuations, func(a, b continuation) int { return cmp.Compare(a.from, b.from) })
	for _, wall := range x.starts(s) {
		if t, free := s.occurrenceAt(wall); !free && !s.excluded.has(wall) {
			x.addOccurrence(t)
		}
	}
	for _, t := range s.periods {
		if wall, ok := t.start.wallIn(s.start); !ok || !s.excluded.has(wall) {
			x.addOccurrence(t)
		}
	}
	return x.budget.errorAt(s.line)
}

// occurrenceAt returns the occurrence at this wall time of the series.
func (s *series) occurrenceAt(wall int64) (t times, free bool) {
	if i := sort.Search(len(s.continuations), func(i int) bool { return s.continuations[i].from > wall }); i > 0 {
		c := s.continuations[i-1]
		return c.shifted(wall - c.from), c.free
	}
	return s.shifted(wall - s.start.wall.Unix()), s.free
}

// starts returns the wall times of the series near the range, without duplicates. It includes the event's own start
// even if its rule does not: programs differ there, and RFC 5545, 3.8.5.3 calls it the first instance.
func (x *Expansion) starts(s *series) []int64 {
	walls := []int64{s.start.wall.Unix()}
	if !s.hasRule && len(s.dates) == 0 {
		return walls
	}
	walls = x.applyRules(s, append(walls, s.dates...))
	slices.Sort(walls)
	return slices.Compact(walls)
}

func (x *Expansion) applyRules(s *series, walls []int64) []int64 {
	from, until := x.wallRange(s)
	for _, p := range s.rules {
		if x.budget.errorAt(s.line) != nil {
			break
		}
		switch p.name {
		case "RRULE":
			walls = slices.AppendSeq(walls, x.ruleStarts(s, p, from, until))
		case "EXRULE":
			for wall := range x.ruleStarts(s, p, from, until) {
				s.excluded.add(wall, false)
			}
		}
	}
	return walls
}
