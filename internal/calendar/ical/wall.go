package ical

import (
	"sort"
	"time"
)

// instants are the first and the last at which a clock in zone shows wall (given as if it were UTC). In an overlap
// there are two. In a gap there is none; then these are the readings by the offset after the gap and by the one before
// it. A busy event takes the first for its start and the last for its end, so that it loses no time to either reading.
// time.Date picks one of them, differently from zone to zone.
func instants(wall time.Time, zone *time.Location) (first, last time.Time, exists bool) {
	around := offsetsAround(wall, zone)
	if around[0] == around[1] {
		at := wall.Add(-around[0])
		return at, at, true
	}
	for i, offset := range around {
		at := wall.Add(-offset)
		shown := offsetAt(at, zone) == offset
		switch {
		case i == 0 || shown && !exists:
			first, last, exists = at, at, shown
		case shown == exists:
			first, last = earlier(first, at), later(last, at)
		}
	}
	return first, last, exists
}

// dayStart is a date's first instant. Where midnight is skipped that is the end of the gap; time.Date would give an
// hour of the day before.
func dayStart(date time.Time, zone *time.Location) time.Time {
	first, last, exists := instants(date, zone)
	if exists {
		return first
	}
	before := offsetAt(first, zone)
	gap := sort.Search(int(last.Sub(first)/time.Second), func(second int) bool {
		return offsetAt(first.Add(time.Duration(second)*time.Second), zone) != before
	})
	return first.Add(time.Duration(gap) * time.Second)
}

// offsetsAround are those in force within a day of wall: no zone is further from UTC, and none changes twice in two
// days. ZoneBounds would find them too, but in Go 1.26 its end lies before the asked instant on 31 December of a leap
// year beyond the zone's table.
func offsetsAround(wall time.Time, zone *time.Location) [2]time.Duration {
	const reach = 24 * time.Hour
	return [2]time.Duration{offsetAt(wall.Add(-reach), zone), offsetAt(wall.Add(reach), zone)}
}

func offsetAt(at time.Time, zone *time.Location) time.Duration {
	_, seconds := at.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
