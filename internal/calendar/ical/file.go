package ical

import (
	"errors"
	"fmt"
	"strings"
)

const (
	// A calendar holds events, an event holds alarms; deeper is nobody's calendar.
	maxDepth = 16
	// One event with this many attendees and dates is made to hurt.
	maxProperties = 10_000
)

var errNoCalendar = errors.New("this is not an iCalendar file: it does not begin with BEGIN:VCALENDAR. Use the " +
	"address or the file " +
	"that your calendar offers as ICS or iCal")

// icsFile is a text with only those of its lines that matter.
type icsFile struct {
	objects []*object

	owner  string
	budget *budget
	open   []string // the components around the current line
	whole  bool     // an object was read to its end
	zone   *vtimezone
}

// object is one VCALENDAR. Its time zones are its own.
type object struct {
	events []event
	zones  map[string]*vtimezone // by TZID
}

func readFile(text, owner string, b *budget) (*icsFile, error) {
	if len(text) > maxBytes {
		return nil, errTooLarge
	}
	f := &icsFile{owner: owner, budget: b}
	// Some programs on Windows begin a file with a byte order mark.
	for number, line := range lines(strings.TrimPrefix(text, "\ufeff")) {
		if err := f.readLine(number, line); err != nil {
			return nil, err
		}
	}
	switch {
	case len(f.open) > 0:
		return nil, fmt.Errorf("the calendar breaks off inside %q: download or export it again",
			clip(f.open[len(f.open)-1]))
	case !f.whole:
		return nil, errNoCalendar
	}
	f.linkSeries()
	return f, nil
}

func (f *icsFile) readLine(number int, line string) error {
	p, ok, err := parseProperty(number, line)
	switch {
	case len(f.open) == 0 && (!ok || p.name != "BEGIN"):
		return f.outside(line)
	case !ok && !f.in("VEVENT"):
		return nil // only in events must all be readable
	case err != nil || !ok:
		return err
	case p.name == "BEGIN":
		return f.begin(number, strings.ToUpper(p.value))
	case p.name == "END":
		return f.end(number, strings.ToUpper(p.value))
	}
	return f.keep(p)
}

// in looks at the innermost component: an event's alarms have durations and attendees of their own.
func (f *icsFile) in(name string) bool {
	return len(f.open) > 0 && f.open[len(f.open)-1] == name
}

func (f *icsFile) keep(p property) error {
	switch {
	case f.in("VEVENT"):
		return f.event().add(p, f.owner, f.budget)
	case f.zone == nil:
		return nil
	case f.in("VTIMEZONE") && p.name == "TZID":
		f.zone.tzid = zoneName(p.value)
	case f.in("STANDARD") || f.in("DAYLIGHT"):
		return f.zone.add(p, f.budget)
	}
	return nil
}

// outside allows blank lines anywhere and anything after a whole calendar: web caches append their remarks there.
func (f *icsFile) outside(line string) error {
	if !f.whole && strings.TrimSpace(line) != "" {
		return errNoCalendar
	}
	return nil
}

func (f *icsFile) begin(number int, name string) error {
	depth := len(f.open)
	switch {
	case depth == 0 && name != "VCALENDAR" && !f.whole:
		return errNoCalendar
	case (name == "VCALENDAR") != (depth == 0), name == "VEVENT" && depth != 1, depth == maxDepth:
		return lineError(number, "%q cannot stand here, the file is damaged: download or export it again", clip(name))
	case name == "VFREEBUSY":
		return lineError(number, "this calendar lists busy periods (VFREEBUSY), which are not read: connect one that "+
			"lists events")
	}
	f.open = append(f.open, name)
	return f.start(number, name)
}

func (f *icsFile) start(number int, name string) error {
	switch name {
	case "VCALENDAR":
		if n := len(f.objects); n == 0 || len(f.objects[n-1].events) > 0 {
			f.objects = append(f.objects, &object{})
		} else {
			*f.objects[n-1] = object{} // nothing was in it
		}
	case "VEVENT":
		o := f.object()
		o.events = append(o.events, event{block: block{line: number}})
		return f.budget.event()
	case "VTIMEZONE":
		if len(f.open) == 2 {
			f.zone = &vtimezone{}
			return f.zone.count(vtimezoneLines, f.budget)
		}
	case "STANDARD", "DAYLIGHT":
		if f.zone != nil {
			f.zone.rules = append(f.zone.rules, block{line: number})
			return f.zone.count(1, f.budget)
		}
	}
	return nil
}

func (f *icsFile) end(number int, name string) error {
	last := len(f.open) - 1
	if name != f.open[last] {
		return lineError(number, "END:%q inside %q, the file is damaged: download or export it again", clip(name),
			clip(f.open[last]))
	}
	f.open = f.open[:last]
	switch {
	case last == 0:
		f.whole = true
	case last == 1 && name == "VTIMEZONE":
		f.object().addZone(f.zone)
		f.zone = nil
	}
	return nil
}

func (f *icsFile) object() *object { return f.objects[len(f.objects)-1] }

func (f *icsFile) event() *event {
	o := f.object()
	return &o.events[len(o.events)-1]
}
