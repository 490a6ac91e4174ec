package ical

import (
	"slices"
	"time"
)

// eachShort walks periods of an hour or less. If a day, hour or minute cannot match, it skips to the next one: a rule
// that never matches costs one step per day.
func (x *expander) eachShort(from, until int64, visit func(int64) bool) {
	unit := map[frequency]int64{secondly: 1, minutely: 60, hourly: 3600}[x.freq]
	first, every := x.start-floorMod(x.start, unit), unit*int64(x.interval)
	base := make([]int64, 1)
	for at := first + (from-first)/every*every; at <= until && x.budget.spendSteps(x.lookCost); {
		if next := x.nextMatch(at); next > at {
			at += (next - at + every - 1) / every * every
			continue
		}
		base[0] = at
		if !x.emit(base, visit) {
			return
		}
		at += every
	}
}

// nextMatch returns at if its period matches, otherwise the start of the next day, hour or minute that may match.
func (x *expander) nextMatch(at int64) int64 {
	day := floorDiv(at, daySeconds)
	if c := civilOf(day); !x.matchesWeekday(day) || !x.matchesMonth(c) || !x.matchesDay(c) {
		return (day + 1) * daySeconds
	}
	clock := time.Unix(at, 0).UTC()
	switch {
	case len(x.hours) > 0 && !slices.Contains(x.hours, clock.Hour()):
		return at - floorMod(at, 3600) + 3600
	case x.freq < hourly && len(x.minutes) > 0 && !slices.Contains(x.minutes, clock.Minute()):
		return at - floorMod(at, 60) + 60
	case x.freq < minutely && len(x.seconds) > 0 && !slices.Contains(x.seconds, clock.Second()):
		return at + 1
	}
	return at
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }
