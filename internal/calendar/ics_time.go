package calendar

import (
	"strconv"
	"strings"
	"time"
)

// Clocks run from 12 hours behind UTC to 14 ahead. Padding both sides by the larger holds the event, whichever zone it is in.
const unknownZonePadding = 14 * time.Hour

// written is a time as the file has it.
type written struct {
	wall  time.Time // what the clock shows, as if it were UTC
	date  bool      // a whole day
	tzid  string
	zone  *time.Location // nil: unknown
	exact time.Duration  // elapsed time to add
}

// moment holds the instants between which a written time lies; mostly they are one.
type moment struct{ first, last time.Time }

func (w written) is(other written) bool {
	return w.wall.Equal(other.wall) && w.date == other.date && w.tzid == other.tzid && w.zone == other.zone && w.exact == other.exact
}

// plus adds days as the calendar counts them and seconds as they pass (RFC 5545, 3.3.6: a day is not always 24 hours).
func (w written) plus(days, seconds int) written {
	w.wall = w.wall.AddDate(0, 0, days) // in UTC, where no day is odd
	w.exact += time.Duration(seconds) * time.Second
	return w
}

func (w written) resolve() moment {
	var m moment
	switch {
	case w.zone == nil:
		m = moment{w.wall.Add(-unknownZonePadding), w.wall.Add(unknownZonePadding)}
	case w.date:
		begins := dayStart(w.wall, w.zone)
		m = moment{begins, begins}
	default:
		m.first, m.last, _ = instants(w.wall, w.zone)
	}
	return moment{m.first.Add(w.exact), m.last.Add(w.exact)}
}

// times reads when the event starts and ends. Without an end it ends where it starts.
func (f *icsFile) times(e event) (start, end written, err error) {
	startLine, ok, err := e.one("DTSTART")
	if err != nil {
		return start, end, err
	}
	if !ok {
		return start, end, lineError(e.line, "the event has no DTSTART: correct it in the calendar")
	}
	if start, err = f.written(startLine); err != nil {
		return start, end, err
	}
	end, err = f.ending(e, start)
	return start, end, err
}

func (f *icsFile) ending(e event, start written) (end written, err error) {
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
	end, err = f.written(endLine)
	if err == nil && end.date != start.date {
		err = lineError(endLine.line, "only one of DTSTART and DTEND is a whole day: correct the event in the calendar")
	}
	return end, err
}

func (f *icsFile) written(p property) (w written, err error) {
	wall, form, ok := parseWall(strings.ToUpper(p.value))
	kind, _ := p.param("VALUE")
	if !ok || strings.EqualFold(kind, "DATE") && form != wholeDay {
		return w, lineError(p.line, "%s is not a time like 20300108, 20300108T100000 or 20300108T100000Z: correct the event in the "+
			"calendar", p.name)
	}
	w = written{wall: wall, date: form == wholeDay, zone: f.Zone}
	if form == inUTC {
		w.zone = time.UTC
	} else if tzid, ok := p.param("TZID"); ok && form == onClock {
		w.tzid, w.zone = tzid, f.location(p.line, tzid)
	}
	return w, nil
}

// location is nil for a zone that nobody knows, with one warning for all its events.
func (f *icsFile) location(line int, tzid string) *time.Location {
	if zone, asked := f.zones[tzid]; asked {
		return zone
	}
	var zone *time.Location
	if tzid != "" && f.Location != nil {
		if found, err := f.Location(tzid); err == nil {
			zone = found
		}
	}
	if zone == nil {
		f.warnings.add("line %d: the time zone %q is unknown. Its events count as busy from 14 hours before to 14 hours after.", line, clip(tzid))
	}
	f.zones[tzid] = zone
	return zone
}

type form int

const (
	wholeDay form = iota // 20300108
	onClock              // 20300108T100000
	inUTC                // 20300108T100000Z
)

func parseWall(text string) (wall time.Time, _ form, ok bool) {
	if len(text) == 8 {
		wall, ok = parseDate(text)
		return wall, wholeDay, ok
	}
	clock, utc := strings.CutSuffix(text, "Z")
	if len(clock) != 15 || clock[8] != 'T' {
		return wall, wholeDay, false
	}
	date, dateOK := parseDate(clock[:8])
	since, clockOK := parseClock(clock[9:])
	if utc {
		return date.Add(since), inUTC, dateOK && clockOK
	}
	return date.Add(since), onClock, dateOK && clockOK
}

func parseDate(text string) (time.Time, bool) {
	year, okY := digits(text[:4])
	month, okM := digits(text[4:6])
	day, okD := digits(text[6:])
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	exists := date.Year() == year && int(date.Month()) == month && date.Day() == day
	return date, okY && okM && okD && exists
}

// parseClock takes 24:00:00, which some exporters write for the end of a day, and the leap second of RFC 5545, 3.3.12.
func parseClock(text string) (time.Duration, bool) {
	hour, okH := digits(text[:2])
	minute, okM := digits(text[2:4])
	second, okS := digits(text[4:])
	inDay := hour < 24 && minute < 60 && second <= 60 || hour == 24 && minute == 0 && second == 0
	seconds := hour*3600 + minute*60 + second
	return time.Duration(seconds) * time.Second, okH && okM && okS && inDay
}

func digits(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 32) // refuses signs, unlike Atoi
	return int(n), err == nil
}
