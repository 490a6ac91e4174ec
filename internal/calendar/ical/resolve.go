package ical

import (
	"strings"
	"time"
)

// resolver reads the times of one object's events, using the time zones that the object defines.
type resolver struct {
	*Expansion
	object *object
}

// parseTime parses a property that holds one time.
func (r *resolver) parseTime(p property) (w dateTime, err error) {
	w, ok := r.parseTimeValue(p.timeParams(), p.value)
	if !ok {
		return w, lineError(p.line, "%s isn't a time like 20300108, 20300108T100000 or 20300108T100000Z.", p.name)
	}
	return w, nil
}

// timeParams holds what a property's parameters say about all its times. They are parsed once: there may be thousands
// of times.
type timeParams struct {
	line     int
	onlyDays bool
	zoned    bool
	tzid     string
}

func (p property) timeParams() timeParams {
	kind, _ := p.param("VALUE")
	tzid, zoned := p.param("TZID")
	return timeParams{p.line, strings.EqualFold(kind, "DATE"), zoned, zoneName(tzid)}
}

// parseTimeValue parses one time of a list.
func (r *resolver) parseTimeValue(n timeParams, value string) (w dateTime, ok bool) {
	wall, form, ok := parseWall(strings.ToUpper(strings.TrimSpace(value)))
	if !ok || n.onlyDays && form != wholeDay {
		return w, false
	}
	w = dateTime{wall: wall, isDate: form == wholeDay, zone: r.reader.Zone}
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

// parseTimes reads when the event starts and ends. An event without an end ends at its start.
func (r *resolver) parseTimes(e *event) (t times, err error) {
	start, ok, err := e.single("DTSTART")
	if err != nil {
		return t, err
	}
	if !ok {
		return t, lineError(e.line, "the event has no DTSTART.")
	}
	if t.start, err = r.parseTime(start); err != nil {
		return t, err
	}
	t.end, err = r.parseEnd(e, t.start)
	if _, hasEnd, _ := e.single("DTEND"); err == nil && hasEnd && !t.start.isDate && t.start.zone != nil {
		t.length = t.end.since(t.start)
	}
	if err == nil && t.start.isDate && t.end.equal(t.start) {
		// RFC 5545 requires a later DTEND, but many exporters write the last day there, and mean that day.
		t.end = t.start.plus(1, 0)
	}
	return t, err
}

func (r *resolver) parseEnd(e *event, start dateTime) (end dateTime, err error) {
	endLine, hasEnd, err := e.single("DTEND")
	if err != nil {
		return end, err
	}
	length, hasLength, err := e.single("DURATION")
	switch {
	case err != nil:
		return end, err
	case hasEnd && hasLength:
		return end, lineError(length.line, "the event has a DTEND and a DURATION.")
	case hasLength:
		return length.addDuration(start)
	case !hasEnd:
		return start, nil
	}
	end, err = r.parseTime(endLine)
	if err == nil && end.isDate != start.isDate {
		err = lineError(endLine.line, "only one of DTSTART and DTEND is a whole day.")
	}
	return end, err
}
