package calendar

import (
	"strings"
	"time"
)

// event is what matters of one VEVENT.
type event struct {
	line       int
	properties []property
}

func (e *event) add(p property) error {
	if len(e.properties) == maxProperties {
		return lineError(e.line, "this event has more than 10,000 attendees or dates: take it out of the calendar")
	}
	e.properties = append(e.properties, p)
	return nil
}

// one finds a property that an event may have once.
func (e event) one(name string) (found property, ok bool, err error) {
	for _, p := range e.properties {
		if p.name != name {
			continue
		}
		if ok {
			return found, ok, lineError(p.line, "the event has a second %s: correct it in the calendar", name)
		}
		found, ok = p, true
	}
	return found, ok, nil
}

// span is when the event is busy; ok is false if it is free or has no length.
func (f *icsFile) span(e event) (_ Span, ok bool, err error) {
	if err := e.refuseRecurrence(); err != nil {
		return Span{}, false, err
	}
	if e.free(f.OwnerEmail) {
		return Span{}, false, nil
	}
	start, end, err := f.times(e)
	if err != nil {
		return Span{}, false, err
	}
	if end.is(start) {
		if !start.date {
			return Span{}, false, nil
		}
		// RFC 5545 wants a later DTEND, but exporters that take it for the last day are common, and mean that day.
		end = start.plus(1, 0)
	}
	return f.between(e, start.resolve(), end.resolve())
}

// between widens the event by all that is in doubt about its two ends.
func (f *icsFile) between(e event, start, end moment) (_ Span, ok bool, err error) {
	if end.last.Before(start.first) {
		// The two may be swapped, or the end may be meant for the next day. Both lie in this.
		f.warnings.add("line %d: this event ends before it starts. It counts as busy from its end until a day after its start; "+
			"correct it in the calendar.", e.line)
		return Span{Start: end.first, End: start.last.Add(24 * time.Hour)}, true, nil
	}
	return Span{Start: start.first, End: end.last}, end.last.After(start.first), nil
}

// refuseRecurrence comes before all rules about single events: counting a series once would free every other date of it.
// TODO: goes when series are expanded.
func (e event) refuseRecurrence() error {
	for _, p := range e.properties {
		switch p.name {
		case "RRULE", "RDATE", "RECURRENCE-ID":
			return lineError(p.line, "the event that begins on line %d repeats (%s), and repeating events are not read yet: "+
				"disconnect this calendar or take the series out of it", e.line, p.name)
		}
	}
	return nil
}

// free is the one list of what does not take the owner's time; everything else does.
func (e event) free(owner string) bool {
	return e.says("TRANSP", "TRANSPARENT") ||
		e.says("STATUS", "CANCELLED") ||
		e.says("X-MICROSOFT-CDO-BUSYSTATUS", "FREE") ||
		e.declinedBy(owner)
}

// says is false where an event contradicts itself.
func (e event) says(name, value string) (said bool) {
	for _, p := range e.properties {
		if p.name != name {
			continue
		}
		if !strings.EqualFold(p.value, value) {
			return false
		}
		said = true
	}
	return said
}

func (e event) declinedBy(owner string) (declined bool) {
	for _, p := range e.properties {
		if p.name != "ATTENDEE" || !p.isPerson(owner) {
			continue
		}
		if answer, _ := p.param("PARTSTAT"); !strings.EqualFold(answer, "DECLINED") {
			return false
		}
		declined = true
	}
	return declined
}

// isPerson looks into EMAIL too (RFC 7986, 6.2): Apple's servers write a path of their own where the address should be.
func (p property) isPerson(email string) bool {
	if email == "" {
		return false
	}
	const scheme = "mailto:"
	address := p.value
	if len(address) >= len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
		address = address[len(scheme):]
	}
	named, _ := p.param("EMAIL")
	return strings.EqualFold(strings.TrimSpace(address), email) || strings.EqualFold(named, email)
}
