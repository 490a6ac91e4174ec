package ical

import (
	"cmp"
	"strings"
	"time"
)

// series is an event with all its repetitions. Most events have none.
type series struct {
	uid  string
	line int
	free bool
	times

	rules         []property // all properties; RRULE and EXRULE are parsed when needed, as a parsed rule is large
	hasRule       bool       // there is an RRULE
	dates         []int64    // RDATEs, as wall times
	periods       []times    // RDATEs with their own lengths
	excluded      dateSet    // EXDATEs and dates that exceptions replace
	continuations []continuation

	recurrenceID  *dateTime // RECURRENCE-ID; not nil: this is an exception
	thisAndFuture bool      // RANGE=THISANDFUTURE: the exception applies to all later dates too
	timesErr      error     // why its times cannot be read; irrelevant while it is free
}

// continuation is how a series continues from one of its dates on.
type continuation struct {
	from int64 // wall time
	free bool
	times
}

// dateSet holds wall times and whole days of a series.
type dateSet struct{ walls, days map[int64]bool }

func (d *dateSet) add(wall int64, wholeDay bool) {
	if d.walls == nil {
		d.walls, d.days = map[int64]bool{}, map[int64]bool{}
	}
	if wholeDay {
		d.days[floorDiv(wall, daySeconds)] = true
	} else {
		d.walls[wall] = true
	}
}

func (d *dateSet) has(wall int64) bool {
	return d.walls[wall] || d.days[floorDiv(wall, daySeconds)]
}

func (r *resolver) readSeries(e *event) (*series, error) {
	s := &series{uid: e.value("UID"), line: e.line, free: e.isFree()}
	if err := r.readRecurrenceID(s, e); err != nil {
		return nil, err
	}
	err := r.readTimes(s, e)
	if s.free {
		s.timesErr, err = err, nil
	}
	return s, err
}

func (r *resolver) readRecurrenceID(s *series, e *event) error {
	p, ok, err := e.single("RECURRENCE-ID")
	if err != nil || !ok {
		return err
	}
	w, err := r.parseTime(p)
	if err != nil {
		return err
	}
	s.recurrenceID = &w
	if scope, ok := p.param("RANGE"); ok {
		s.thisAndFuture = true
		if !strings.EqualFold(scope, "THISANDFUTURE") {
			return lineError(p.line, "this exception has a RANGE other than THISANDFUTURE.")
		}
	}
	return nil
}

func (r *resolver) readTimes(s *series, e *event) (err error) {
	if s.times, err = r.parseTimes(e); err != nil {
		return err
	}
	if !s.free && s.backwards() {
		r.warnings.add("Line %d: this event ends before it starts. It counts as busy from its end until a day after "+
			"its start. Correct it in the calendar.", e.line)
	}
	s.rules = e.properties
	for _, p := range e.properties {
		if err := r.readRecurrence(s, p); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) readRecurrence(s *series, p property) error {
	switch p.name {
	case "RRULE", "EXRULE":
		if _, err := parseRule(p); err != nil {
			return err
		}
		s.hasRule = s.hasRule || p.name == "RRULE"
	case "RDATE":
		return r.readRdates(s, p)
	case "EXDATE":
		r.readExdates(s, p)
	}
	return r.budget.errorAt(s.line)
}

func (r *resolver) readExdates(s *series, p property) {
	n := p.timeParams()
	for value := range strings.SplitSeq(p.value, ",") {
		w, ok := r.parseTimeValue(n, value)
		if !ok {
			continue // so its date stays busy
		}
		if !r.budget.spendDate() {
			return
		}
		s.exclude(w)
	}
}

// applyTo applies the exception to its series. If several series share its UID, it is unclear which one is meant:
// then all of them stay busy.
func (s *series) applyTo(masters []*series) error {
	switch {
	case len(masters) == 1:
		return masters[0].applyException(s)
	case len(masters) > 1 && s.thisAndFuture:
		return lineError(s.line, "this exception also applies to later dates, but there are several series with its UID.")
	}
	return nil
}

// applyException removes from the series the dates that the exception replaces.
func (s *series) applyException(e *series) error {
	s.exclude(*e.recurrenceID)
	if !e.thisAndFuture {
		return nil
	}
	if err := cmp.Or(s.timesErr, e.timesErr); err != nil {
		return err
	}
	from, ok := e.recurrenceID.wallIn(s.start)
	if !ok {
		return lineError(e.line, "this exception also applies to later dates, but its RECURRENCE-ID isn't in the time zone "+
			"of its series.")
	}
	s.continuations = append(s.continuations, continuation{from, e.free, e.times})
	return nil
}

func (s *series) exclude(w dateTime) {
	if wall, ok := w.wallIn(s.start); ok && s.timesErr == nil {
		s.excluded.add(wall, w.isDate && !s.start.isDate)
	}
}

// wallIn returns what a clock in other's zone shows at w. ok is false if the two cannot be compared.
func (w dateTime) wallIn(other dateTime) (wall int64, ok bool) {
	switch {
	case w.isDate:
		return w.wall.Unix(), true
	case other.isDate && w.zone != time.UTC:
		return w.wall.Unix() - floorMod(w.wall.Unix(), daySeconds), true
	case other.isDate && floorMod(w.wall.Unix(), daySeconds) == 0:
		return w.wall.Unix(), true // midnight in UTC stands for the date
	case w.floating, w.zone == other.zone && w.tzid == other.tzid:
		return w.wall.Unix(), true
	case w.zone == nil || other.zone == nil:
		return 0, false
	}
	at := w.resolve().first
	return at.Unix() + int64(offsetAt(at, other.zone)/time.Second), true
}
