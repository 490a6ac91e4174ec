package calendar

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	// A calendar holds events, an event holds alarms; deeper is nobody's calendar.
	maxDepth = 16
	// One event with this many attendees and dates is made to hurt.
	maxProperties = 10_000
)

var errNoCalendar = errors.New("this is not an iCalendar file: it does not begin with BEGIN:VCALENDAR. Use the address or the file " +
	"that your calendar offers as ICS or iCal")

// icsFile is a file while it is read: event by event, so that a large one is never held as a tree.
type icsFile struct {
	Reader
	open      []string // the components around the current line
	calendars int
	events    int
	event     event
	zones     map[string]*time.Location // nil: asked for, and unknown
	busy      []Span
	warnings  warnings
}

func lineError(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

func (f *icsFile) read(text string) error {
	for number, line := range lines(text) {
		if err := f.readLine(number, line); err != nil {
			return err
		}
	}
	switch {
	case len(f.open) > 0:
		return fmt.Errorf("the calendar breaks off inside %q: download or export it again", clip(f.open[len(f.open)-1]))
	case f.calendars == 0:
		return errNoCalendar
	}
	return nil
}

func (f *icsFile) readLine(number int, line string) error {
	p, ok, err := parseProperty(number, line)
	switch {
	case len(f.open) == 0 && (!ok || p.name != "BEGIN"):
		return f.outside(line)
	case !ok && !f.inEvent():
		return nil // a time zone may write its times as it likes
	case err != nil || !ok:
		return err
	case p.name == "BEGIN":
		return f.begin(number, strings.ToUpper(p.value))
	case p.name == "END":
		return f.end(number, strings.ToUpper(p.value))
	case f.inEvent():
		return f.event.add(p)
	}
	return nil
}

// inEvent is false inside an event's alarms, which have durations and attendees of their own.
func (f *icsFile) inEvent() bool {
	return len(f.open) > 0 && f.open[len(f.open)-1] == "VEVENT"
}

// outside allows blank lines anywhere and anything after a whole calendar: web caches append their remarks there.
func (f *icsFile) outside(line string) error {
	if f.calendars == 0 && strings.TrimSpace(line) != "" {
		return errNoCalendar
	}
	return nil
}

func (f *icsFile) begin(number int, name string) error {
	depth := len(f.open)
	switch {
	case depth == 0 && name != "VCALENDAR" && f.calendars == 0:
		return errNoCalendar
	case (name == "VCALENDAR") != (depth == 0), name == "VEVENT" && depth != 1, depth == maxDepth:
		return lineError(number, "%q cannot stand here, the file is damaged: download or export it again", clip(name))
	case name == "VFREEBUSY":
		return lineError(number, "this calendar lists busy periods (VFREEBUSY), which are not read: connect one that lists events")
	case name == "VEVENT":
		if f.events++; f.events > maxEvents {
			return errors.New("the calendar has more than 20,000 events: connect one that leaves out old events")
		}
		f.event = event{line: number}
	}
	f.open = append(f.open, name)
	return nil
}

func (f *icsFile) end(number int, name string) error {
	last := len(f.open) - 1
	if name != f.open[last] {
		return lineError(number, "END:%q inside %q, the file is damaged: download or export it again", clip(name), clip(f.open[last]))
	}
	inEvent := f.inEvent()
	f.open = f.open[:last]
	switch {
	case inEvent:
		return f.addBusy(f.event)
	case last == 0:
		f.calendars++
	}
	return nil
}

func (f *icsFile) addBusy(e event) error {
	span, ok, err := f.span(e)
	if ok {
		f.busy = append(f.busy, span)
	}
	return err
}

// clip keeps a stranger's text from filling a sentence.
func clip(text string) string {
	if len(text) > 60 {
		text = text[:60] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
