package ical

import (
	"strings"
	"time"
)

// resolver reads the times of one object's events, with the time zones that the object defines.
type resolver struct {
	*Expansion
	object *object
}

// written reads a property that holds one time.
func (r *resolver) written(p property) (w written, err error) {
	w, ok := r.writtenValue(p.notation(), p.value)
	if !ok {
		return w, lineError(p.line, "%s is not a time like 20300108, 20300108T100000 or 20300108T100000Z: correct "+
			"the event in the "+
			"calendar", p.name)
	}
	return w, nil
}

// notation is what a property's parameters say of all its times. It is looked up once: there may be thousands.
type notation struct {
	line     int
	onlyDays bool
	zoned    bool
	tzid     string
}

func (p property) notation() notation {
	kind, _ := p.param("VALUE")
	tzid, zoned := p.param("TZID")
	return notation{p.line, strings.EqualFold(kind, "DATE"), zoned, zoneName(tzid)}
}

// writtenValue reads one time of a list.
func (r *resolver) writtenValue(n notation, value string) (w written, ok bool) {
	wall, form, ok := parseWall(strings.ToUpper(strings.TrimSpace(value)))
	if !ok || n.onlyDays && form != wholeDay {
		return w, false
	}
	w = written{wall: wall, date: form == wholeDay, zone: r.reader.Zone}
	if form == inUTC {
		w.zone = time.UTC
	} else if n.zoned && form == onClock {
		w.tzid = n.tzid
		w.zone = r.location(n.line, w.tzid)
	} else if form == onClock {
		w.floating = true
	}
	return w, true
}

// times reads when the event starts and ends. Without an end it ends where it starts.
func (r *resolver) times(e *event) (t times, err error) {
	start, ok, err := e.one("DTSTART")
	if err != nil {
		return t, err
	}
	if !ok {
		return t, lineError(e.line, "the event has no DTSTART: correct it in the calendar")
	}
	if t.start, err = r.written(start); err != nil {
		return t, err
	}
	t.end, err = r.ending(e, t.start)
	if _, written, _ := e.one("DTEND"); err == nil && written && !t.start.date && t.start.zone != nil {
		t.length = t.end.since(t.start)
	}
	if err == nil && t.start.date && t.end.is(t.start) {
		// RFC 5545 wants a later DTEND, but exporters that take it for the last day are common, and mean that day.
		t.end = t.start.plus(1, 0)
	}
	return t, err
}

func (r *resolver) ending(e *event, start written) (end written, err error) {
	endLine, hasEnd, err := e.one("DTEND")
	if err != nil {
		return end, err
	}
	length, hasLength, err := e.one("DURATION")
	switch {
	case err != nil:
		return end, err
	case hasEnd && hasLength:
		return end, lineError(length.line, "the event has a DTEND and a DURATION: correct it in the calendar")
	case hasLength:
		return length.after(start)
	case !hasEnd:
		return start, nil
	}
	end, err = r.written(endLine)
	if err == nil && end.date != start.date {
		err = lineError(endLine.line, "only one of DTSTART and DTEND is a whole day: correct the event in the calendar")
	}
	return end, err
}
