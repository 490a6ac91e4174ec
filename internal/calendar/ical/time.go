package ical

import (
	"strconv"
	"strings"
	"time"
)

// Clocks run from 12 hours behind UTC to 14 ahead. Padding both sides by the larger holds the event, whichever zone it
// is in.
const unknownZonePadding = 14 * time.Hour

// written is a time as the file has it.
type written struct {
	wall     time.Time // what the clock shows, as if it were UTC
	date     bool      // a whole day
	floating bool      // on no zone's clock: the owner's
	tzid     string
	zone     *time.Location // nil: unknown
	exact    time.Duration  // elapsed time to add
}

// moment holds the instants between which a written time lies; mostly they are one.
type moment struct{ first, last time.Time }

func (w written) is(other written) bool {
	return w.wall.Equal(other.wall) && w.date == other.date && w.tzid == other.tzid && w.zone == other.zone &&
		w.exact == other.exact
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

// times is from when until when an event lasts.
type times struct {
	start, end written
	// length is how long DTEND says that it lasts. A later occurrence lasts as long in elapsed time (RFC 5545,
	// 3.8.5.3), but many programs keep the end's wall time instead. Where clocks change in between, the later end
	// counts.
	length, atLeast time.Duration
}

func (t times) shifted(seconds int64) times {
	t.start.wall, t.end.wall = addSeconds(t.start.wall, seconds), addSeconds(t.end.wall, seconds)
	if seconds != 0 {
		t.atLeast = t.length
	}
	return t
}

// since is how long it is from other to w: as clocks count in one zone, as time passes between two.
func (w written) since(other written) time.Duration {
	if w.zone == other.zone {
		return w.wall.Sub(other.wall)
	}
	return w.resolve().last.Sub(other.resolve().first)
}

// addSeconds reaches further than Time.Add, whose duration ends at 292 years.
func addSeconds(at time.Time, seconds int64) time.Time { return time.Unix(at.Unix()+seconds, 0).UTC() }

// span is when the event takes time, as wide as what is in doubt about its two ends; ok is false if it has no length.
func (t times) span() (_ Span, ok bool) {
	if t.end.is(t.start) {
		return Span{}, false
	}
	start, end := t.start.resolve(), t.end.resolve()
	if t.atLeast > 0 {
		end.last = later(end.last, start.first.Add(t.atLeast))
	}
	if end.last.Before(start.first) {
		// The two may be swapped, or the end may be meant for the next day. Both lie in this.
		return Span{Start: end.first, End: start.last.Add(24 * time.Hour)}, true
	}
	return Span{Start: start.first, End: end.last}, end.last.After(start.first)
}

func (t times) backwards() bool { return t.end.resolve().last.Before(t.start.resolve().first) }

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
