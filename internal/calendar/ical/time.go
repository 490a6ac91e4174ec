package ical

import (
	"strconv"
	"strings"
	"time"
)

// Clocks range from 12 hours behind UTC to 14 hours ahead. Padding both sides by the larger value covers the event in
// any zone.
const unknownZonePadding = 14 * time.Hour

// dateTime is a time as it is written in the file.
type dateTime struct {
	wall     time.Time // what the clock shows, as if it were UTC
	isDate   bool      // a whole day
	floating bool      // without a zone: the owner's zone applies
	tzid     string
	zone     *time.Location // nil: unknown
	elapsed  time.Duration  // elapsed time to add to wall
}

// instantRange is the range in which a dateTime lies. Mostly, first and last are equal.
type instantRange struct{ first, last time.Time }

func (w dateTime) equal(other dateTime) bool {
	return w.wall.Equal(other.wall) && w.isDate == other.isDate && w.tzid == other.tzid && w.zone == other.zone &&
		w.elapsed == other.elapsed
}

// plus adds calendar days and elapsed seconds (RFC 5545, 3.3.6: a day is not always 24 hours).
func (w dateTime) plus(days, seconds int) dateTime {
	w.wall = w.wall.AddDate(0, 0, days) // in UTC, where every day has 24 hours
	w.elapsed += time.Duration(seconds) * time.Second
	return w
}

func (w dateTime) resolve() instantRange {
	var m instantRange
	switch {
	case w.zone == nil:
		m = instantRange{w.wall.Add(-unknownZonePadding), w.wall.Add(unknownZonePadding)}
	case w.isDate:
		begins := dayStart(w.wall, w.zone)
		m = instantRange{begins, begins}
	default:
		m.first, m.last, _ = instants(w.wall, w.zone)
	}
	return instantRange{m.first.Add(w.elapsed), m.last.Add(w.elapsed)}
}

// times holds when an event starts and ends.
type times struct {
	start, end dateTime
	// length is how long the event lasts according to DTEND. A later occurrence lasts as long in elapsed time (RFC
	// 5545, 3.8.5.3), but many programs keep the wall time of the end instead. If clocks change in between, the later
	// end counts.
	length, minLength time.Duration
}

func (t times) shifted(seconds int64) times {
	t.start.wall, t.end.wall = addSeconds(t.start.wall, seconds), addSeconds(t.end.wall, seconds)
	if seconds != 0 {
		t.minLength = t.length
	}
	return t
}

// since returns the time from other to w: in wall time within one zone, in elapsed time between two zones.
func (w dateTime) since(other dateTime) time.Duration {
	if w.zone == other.zone {
		return w.wall.Sub(other.wall)
	}
	return w.resolve().last.Sub(other.resolve().first)
}

// addSeconds reaches further than Time.Add, whose duration is limited to 292 years.
func addSeconds(at time.Time, seconds int64) time.Time { return time.Unix(at.Unix()+seconds, 0).UTC() }

// span returns the busy time of the event. It covers every possible start and end. ok is false if it is empty.
func (t times) span() (_ Span, ok bool) {
	if t.end.equal(t.start) {
		return Span{}, false
	}
	start, end := t.start.resolve(), t.end.resolve()
	if t.minLength > 0 {
		end.last = later(end.last, start.first.Add(t.minLength))
	}
	if end.last.Before(start.first) {
		// Start and end may be swapped, or the end may be meant for the next day. This span covers both.
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

// parseClock accepts 24:00:00, which some exporters write for the end of a day, and the leap second of RFC 5545,
// 3.3.12.
func parseClock(text string) (time.Duration, bool) {
	hour, okH := digits(text[:2])
	minute, okM := digits(text[2:4])
	second, okS := digits(text[4:])
	inDay := hour < 24 && minute < 60 && second <= 60 || hour == 24 && minute == 0 && second == 0
	seconds := hour*3600 + minute*60 + second
	return time.Duration(seconds) * time.Second, okH && okM && okS && inDay
}

func digits(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 32) // rejects signs, unlike Atoi
	return int(n), err == nil
}
