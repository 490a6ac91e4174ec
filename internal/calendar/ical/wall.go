package ical

import (
	"sort"
	"time"
)

// instants returns the first and the last instant at which a clock in zone shows wall (given as if it were UTC). When
// clocks are set back, there may be two. When clocks are set forward, there may be none; then the two results use the
// offset after the gap and the offset before it. A busy event starts at its first instant and ends at its last, so
// that neither reading loses time. time.Date picks one of them, and which one depends on the zone.
func instants(wall time.Time, zone *time.Location) (first, last time.Time, exists bool) {
	offsets := offsetsAround(wall, zone)
	if offsets[0] == offsets[1] {
		at := wall.Add(-offsets[0])
		return at, at, true
	}
	for i, offset := range offsets {
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

// dayStart returns the first instant of a date. If midnight is skipped, that is the end of the gap; time.Date would
// return an hour of the day before.
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

// offsetsAround returns the offsets in force a day before and a day after wall: no zone is further from UTC, and none
// changes twice within two days. ZoneBounds would find them too, but in Go 1.26 its end lies before the given instant
// on 31 December of a leap year beyond the zone's table.
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
