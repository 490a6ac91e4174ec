package ical

import (
	"strings"

	"slotd/internal/calendar"
)

const (
	// A calendar contains events, and an event contains alarms. No real calendar nests deeper than this.
	maxDepth = 16
	// An event with this many attendees and dates is an attack.
	maxProperties = 10_000
)

var errNoCalendar = calendar.Errorf(calendar.Unusable,
	"This isn't an iCalendar file: it doesn't begin with BEGIN:VCALENDAR.").Advise(calendar.UseFeedAddress)

// icsFile is a parsed text, reduced to the lines that are relevant.
type icsFile struct {
	objects []*object

	owner       string
	budget      *budget
	stack       []string // the components around the current line
	complete    bool     // an object was read to its end
	currentZone *vtimezone
}

// object is one VCALENDAR. Its time zones apply only to its own events.
type object struct {
	events []event
	zones  map[string]*vtimezone // by TZID
}

func readFile(text, owner string, b *budget) (*icsFile, error) {
	if len(text) > maxBytes {
		return nil, errTooLarge
	}
	f := &icsFile{owner: owner, budget: b}
	// Some Windows programs begin a file with a byte order mark.
	for number, line := range lines(strings.TrimPrefix(text, "\ufeff")) {
		if err := f.readLine(number, line); err != nil {
			return nil, err
		}
	}
	switch {
	case len(f.stack) > 0:
		return nil, calendar.Errorf(calendar.Unusable, "The calendar breaks off inside %q.",
			clip(f.stack[len(f.stack)-1])).Advise(calendar.AskProvider)
	case !f.complete:
		return nil, errNoCalendar
	}
	f.linkSeries()
	return f, nil
}

func (f *icsFile) readLine(number int, line string) error {
	p, ok, err := parseProperty(number, line)
	switch {
	case len(f.stack) == 0 && (!ok || p.name != "BEGIN"):
		return f.checkOutside(line)
	case !ok && !f.inside("VEVENT"):
		return nil // only the lines of an event must all be readable
	case err != nil || !ok:
		return err
	case p.name == "BEGIN":
		return f.begin(number, strings.ToUpper(p.value))
	case p.name == "END":
		return f.end(number, strings.ToUpper(p.value))
	}
	return f.addProperty(p)
}

// inside reports whether name is the innermost component: an event's alarms have their own durations and attendees.
func (f *icsFile) inside(name string) bool {
	return len(f.stack) > 0 && f.stack[len(f.stack)-1] == name
}

func (f *icsFile) addProperty(p property) error {
	switch {
	case f.inside("VEVENT"):
		return f.currentEvent().add(p, f.owner, f.budget)
	case f.currentZone == nil:
		return nil
	case f.inside("VTIMEZONE") && p.name == "TZID":
		f.currentZone.tzid = zoneName(p.value)
	case f.inside("STANDARD") || f.inside("DAYLIGHT"):
		return f.currentZone.add(p, f.budget)
	}
	return nil
}

// checkOutside accepts blank lines anywhere, and anything after a complete calendar: web caches append comments
// there.
func (f *icsFile) checkOutside(line string) error {
	if !f.complete && strings.TrimSpace(line) != "" {
		return errNoCalendar
	}
	return nil
}

func (f *icsFile) begin(number int, name string) error {
	depth := len(f.stack)
	switch {
	case depth == 0 && name != "VCALENDAR" && !f.complete:
		return errNoCalendar
	case (name == "VCALENDAR") != (depth == 0), name == "VEVENT" && depth != 1, depth == maxDepth:
		return lineError(number, "%q isn't allowed here. The file is damaged.", clip(name)).
			Advise(calendar.AskProvider)
	case name == "VFREEBUSY":
		return lineError(number, "this calendar lists busy periods (VFREEBUSY) instead of events.").
			Advise(calendar.UseFeedAddress)
	}
	f.stack = append(f.stack, name)
	return f.addComponent(number, name)
}

func (f *icsFile) addComponent(number int, name string) error {
	switch name {
	case "VCALENDAR":
		if n := len(f.objects); n == 0 || len(f.objects[n-1].events) > 0 {
			f.objects = append(f.objects, &object{})
		} else {
			*f.objects[n-1] = object{} // it was empty
		}
	case "VEVENT":
		o := f.currentObject()
		o.events = append(o.events, event{block: block{line: number}})
		return f.budget.spendEvent()
	case "VTIMEZONE":
		if len(f.stack) == 2 {
			f.currentZone = &vtimezone{}
			return f.currentZone.count(vtimezoneLines, f.budget)
		}
	case "STANDARD", "DAYLIGHT":
		if f.currentZone != nil {
			f.currentZone.rules = append(f.currentZone.rules, block{line: number})
			return f.currentZone.count(1, f.budget)
		}
	}
	return nil
}

func (f *icsFile) end(number int, name string) error {
	last := len(f.stack) - 1
	if name != f.stack[last] {
		return lineError(number, "END:%q inside %q. The file is damaged.", clip(name), clip(f.stack[last])).
			Advise(calendar.AskProvider)
	}
	f.stack = f.stack[:last]
	switch {
	case last == 0:
		f.complete = true
	case last == 1 && name == "VTIMEZONE":
		f.currentObject().addZone(f.currentZone)
		f.currentZone = nil
	}
	return nil
}

func (f *icsFile) currentObject() *object { return f.objects[len(f.objects)-1] }

func (f *icsFile) currentEvent() *event {
	o := f.currentObject()
	return &o.events[len(o.events)-1]
}
