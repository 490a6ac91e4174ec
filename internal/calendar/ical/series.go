package ical

import (
	"cmp"
	"strings"
	"time"
)

// series is an event with all its repetitions; most have none.
type series struct {
	uid  string
	line int
	free bool
	times

	rules   []property // RRULE and EXRULE among others, all looked at; a parsed rule is large
	repeats bool       // it has an RRULE
	dates   []int64    // RDATE, as wall times
	periods []times    // RDATE with lengths of their own
	without daySet     // EXDATE and what exceptions replace
	turns   []turn

	replaces *written // RECURRENCE-ID: this is an exception
	onwards  bool     // for all later dates too (RANGE=THISANDFUTURE)
	broken   error    // why its times cannot be read, which does not matter while it is free
}

// turn is how a series goes on from one of its dates.
type turn struct {
	from int64 // wall time
	free bool
	times
}

// daySet holds wall times and whole days of a series.
type daySet struct{ walls, days map[int64]bool }

func (d *daySet) add(wall int64, wholeDay bool) {
	if d.walls == nil {
		d.walls, d.days = map[int64]bool{}, map[int64]bool{}
	}
	if wholeDay {
		d.days[floorDiv(wall, daySeconds)] = true
	} else {
		d.walls[wall] = true
	}
}

func (d *daySet) has(wall int64) bool {
	return d.walls[wall] || d.days[floorDiv(wall, daySeconds)]
}

func (r *resolver) series(e *event) (*series, error) {
	s := &series{uid: e.value("UID"), line: e.line, free: e.free()}
	if err := r.readReplaces(s, e); err != nil {
		return nil, err
	}
	err := r.readTimes(s, e)
	if s.free {
		s.broken, err = err, nil
	}
	return s, err
}

func (r *resolver) readReplaces(s *series, e *event) error {
	p, ok, err := e.one("RECURRENCE-ID")
	if err != nil || !ok {
		return err
	}
	w, err := r.written(p)
	if err != nil {
		return err
	}
	s.replaces = &w
	if scope, ok := p.param("RANGE"); ok {
		s.onwards = true
		if !strings.EqualFold(scope, "THISANDFUTURE") {
			return lineError(p.line, "this exception holds for dates that are not said as THISANDFUTURE: correct the "+
				"series in the calendar")
		}
	}
	return nil
}

func (r *resolver) readTimes(s *series, e *event) (err error) {
	if s.times, err = r.times(e); err != nil {
		return err
	}
	if !s.free && s.backwards() {
		r.warnings.add("line %d: this event ends before it starts. It counts as busy from its end until a day after "+
			"its start; "+
			"correct it in the calendar.", e.line)
	}
	s.rules = e.properties
	for _, p := range e.properties {
		if err := r.readRepeat(s, p); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) readRepeat(s *series, p property) error {
	switch p.name {
	case "RRULE", "EXRULE":
		if _, err := parseRule(p); err != nil {
			return err
		}
		s.repeats = s.repeats || p.name == "RRULE"
	case "RDATE":
		return r.readDates(s, p)
	case "EXDATE":
		r.readWithout(s, p)
	}
	return r.budget.exceeded(s.line)
}

func (r *resolver) readWithout(s *series, p property) {
	n := p.notation()
	for value := range strings.SplitSeq(p.value, ",") {
		w, ok := r.writtenValue(n, value)
		if !ok {
			continue // which leaves its date busy
		}
		if !r.budget.date() {
			return
		}
		s.exclude(w)
	}
}

// applyTo changes the series that the exception is of. Where several share its UID nobody knows which is meant: then
// all of them count.
func (s *series) applyTo(masters []*series) error {
	switch {
	case len(masters) == 1:
		return masters[0].except(s)
	case len(masters) > 1 && s.onwards:
		return lineError(s.line, "this exception holds for later dates too, but there are several series with its "+
			"UID: correct them in the calendar")
	}
	return nil
}

// except takes out of the series what the exception stands for.
func (s *series) except(e *series) error {
	s.exclude(*e.replaces)
	if !e.onwards {
		return nil
	}
	if err := cmp.Or(s.broken, e.broken); err != nil {
		return err
	}
	from, ok := e.replaces.wallIn(s.start)
	if !ok {
		return lineError(e.line, "this exception holds for later dates too, but its RECURRENCE-ID is not in its "+
			"series' time zone: correct the "+
			"series in the calendar")
	}
	s.turns = append(s.turns, turn{from, e.free, e.times})
	return nil
}

func (s *series) exclude(w written) {
	if wall, ok := w.wallIn(s.start); ok && s.broken == nil {
		s.without.add(wall, w.date && !s.start.date)
	}
}

// wallIn is what the clock of another time's zone shows at w. It is not ok where the two cannot be compared.
func (w written) wallIn(other written) (wall int64, ok bool) {
	switch {
	case w.date:
		return w.wall.Unix(), true
	case other.date && w.zone != time.UTC:
		return w.wall.Unix() - floorMod(w.wall.Unix(), daySeconds), true
	case other.date && floorMod(w.wall.Unix(), daySeconds) == 0:
		return w.wall.Unix(), true // midnight in UTC stands for the date
	case w.floating, w.zone == other.zone && w.tzid == other.tzid:
		return w.wall.Unix(), true
	case w.zone == nil || other.zone == nil:
		return 0, false
	}
	at := w.resolve().first
	return at.Unix() + int64(offsetAt(at, other.zone)/time.Second), true
}
