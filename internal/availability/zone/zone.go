// Package zone turns wall time into instants and back.
//
// It accepts only IANA names and reads its own embedded copy of the tz database, so that all servers agree,
// whatever their machines have installed. It decides the two hard cases, the hour that a clock skips and the hour
// that it repeats, by one rule; time.Date decides them differently from zone to zone.
package zone

import (
	"fmt"
	"sort"
	"sync"
	"time"
)

// Zone is one IANA time zone.
type Zone struct {
	name string
	loc  *time.Location

	// Period i has offsets[i] and lasts from changes[i-1] until changes[i], both in Unix seconds.
	// They are computed at first use: most zones are only named, not used in computations.
	once    sync.Once
	changes []int64
	offsets []int64
}

func (z *Zone) Name() string             { return z.name }
func (z *Zone) Location() *time.Location { return z.loc }

// Date returns the local date at t.
func (z *Zone) Date(t time.Time) Date {
	unix := t.Unix()
	return Date(floorDiv(unix+z.offsetAt(unix), secondsPerDay))
}

// Exists reports whether the date occurs in the zone. The clocks can skip one, such as 2011-12-30 in Apia.
func (z *Zone) Exists(d Date) bool {
	return z.Start(d, 0).Before(z.Start(d+1, 0))
}

// Start returns the instant at which a window starts that opens at this minute of the date's wall clock. For a
// skipped minute, that is the first instant after the gap; for a repeated one, its first occurrence.
func (z *Zone) Start(d Date, minute int) time.Time {
	return time.Unix(z.resolve(d, minute).first, 0).UTC()
}

// End returns the instant at which a window ends that closes at this minute of the date's wall clock. For a skipped
// minute, that is the instant of the gap. For a repeated one, it is the second occurrence, except for the first
// minute of the repetition: a window that closes then closes before anything repeats.
func (z *Zone) End(d Date, minute int) time.Time {
	r := z.resolve(d, minute)
	if r.startsOverlap {
		return time.Unix(r.first, 0).UTC()
	}
	return time.Unix(r.last, 0).UTC()
}

// NextChange returns the next instant after t at which the zone's clocks change. It returns zero if there is none.
func (z *Zone) NextChange(t time.Time) time.Time {
	z.once.Do(z.findChanges)
	i := z.period(t.Unix())
	if i == len(z.changes) {
		return time.Time{}
	}
	return time.Unix(z.changes[i], 0).UTC()
}

// occurrences holds the instants at which a wall clock shows one minute. In a gap both are the instant of the
// change.
type occurrences struct {
	first, last   int64
	startsOverlap bool // the minute is the first one of the repetition
}

// maxOffset is larger than any zone's distance from UTC in seconds. It limits the periods that can show a wall time.
const maxOffset = 15 * 3600

// resolve finds the instants at which the zone's wall clock shows the minute of the date.
func (z *Zone) resolve(d Date, minute int) occurrences {
	z.once.Do(z.findChanges)
	wall := int64(d)*secondsPerDay + int64(minute)*60
	var r occurrences
	found, gap := 0, int64(0)
	for i := z.period(wall - maxOffset); ; i++ {
		t := wall - z.offsets[i]
		if z.inPeriod(i, t) {
			if found == 0 {
				r.first = t
			} else {
				r.startsOverlap = floorDiv(z.changes[i-1]+z.offsets[i], 60) == floorDiv(wall, 60)
			}
			r.last = t
			found++
		}
		if i == len(z.changes) || z.changes[i] > wall+maxOffset {
			break
		}
		if t >= z.changes[i] && wall-z.offsets[i+1] < z.changes[i] {
			gap = z.changes[i]
		}
	}
	if found == 0 {
		return occurrences{first: gap, last: gap}
	}
	return r
}

// inPeriod reports whether the instant t lies in period i.
func (z *Zone) inPeriod(i int, t int64) bool {
	return (i == 0 || t >= z.changes[i-1]) && (i == len(z.changes) || t < z.changes[i])
}

func (z *Zone) offsetAt(unix int64) int64 {
	z.once.Do(z.findChanges)
	return z.offsets[z.period(unix)]
}

// period returns the index of the period that contains the instant.
func (z *Zone) period(unix int64) int {
	return sort.Search(len(z.changes), func(i int) bool { return z.changes[i] > unix })
}

// Dates are limited to 2000–2100. The table is wider on both sides to cover booking windows.
var (
	tableFrom  = time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	tableUntil = time.Date(2104, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// findChanges compares the offsets every twelve hours, and searches for the exact second where two differ.
// Time.ZoneBounds would be faster, but after the last listed change it returns the ends of years, and in leap years
// 31 December (Go 1.26). No zone has changed twice in a day since 1999; a test checks all of them.
func (z *Zone) findChanges() {
	const step = 12 * 3600
	before := z.offsetFromLocation(tableFrom)
	z.offsets = append(z.offsets, before)
	for at := tableFrom; at < tableUntil; at += step {
		after := z.offsetFromLocation(at + step)
		if after == before {
			continue
		}
		n := sort.Search(step, func(s int) bool { return z.offsetFromLocation(at+int64(s)) != before })
		z.changes = append(z.changes, at+int64(n))
		z.offsets = append(z.offsets, after)
		before = after
	}
}

func (z *Zone) offsetFromLocation(unix int64) int64 {
	_, offset := time.Unix(unix, 0).In(z.loc).Zone()
	return int64(offset)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Offset returns the zone's offset from UTC at t, such as "+05:45".
func (z *Zone) Offset(t time.Time) string {
	minutes := z.offsetAt(t.Unix()) / 60
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
}

// Repeats reports whether the wall clock shows the same time at another instant, because clocks are set back. It is
// true in both occurrences of the hour, so that a page can distinguish them.
func (z *Zone) Repeats(t time.Time) bool {
	unix := t.Unix()
	minute := floorDiv(unix+z.offsetAt(unix), 60)
	r := z.resolve(0, int(minute))
	return r.first != r.last
}
