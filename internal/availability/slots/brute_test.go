package slots_test

import (
	"slices"
	"time"

	"slotd/internal/availability/slots"
)

// brute computes the open starts directly from the rules of the contract, one minute at a time. It does no time zone
// arithmetic: it records what a wall clock shows at each minute of real time, and searches there.
type brute struct {
	s     scenario
	from  int64   // Unix minute of the first entry
	walls []int64 // what the wall clock shows, as if it were UTC, in Unix minutes

	covered []bool // which minutes lie in the union of all windows
	grid    []bool // which minutes are candidates
}

// reach is how far outside the range something can matter, in minutes: a slot lasts at most a day, so does a window,
// and clocks have been set forward by a day.
const reach = 4 * 1440

func newBrute(s scenario, within slots.Span) *brute {
	b := &brute{s: s, from: within.Start.Unix()/60 - reach}
	loc := s.zone.Location()
	for m := b.from; m <= within.End.Unix()/60+reach; m++ {
		at := time.Unix(m*60, 0).In(loc)
		year, month, day := at.Date()
		shown := time.Date(year, month, day, at.Hour(), at.Minute(), 0, 0, time.UTC)
		b.walls = append(b.walls, shown.Unix()/60)
	}
	b.covered, b.grid = make([]bool, len(b.walls)), make([]bool, len(b.walls))
	b.markWindows()
	return b
}

// markWindows marks the windows of all dates that the clock shows. A skipped date has none.
func (b *brute) markWindows() {
	first, last := b.walls[0]/1440+1, b.walls[len(b.walls)-1]/1440-1
	for day := first; day <= last; day++ {
		if !slices.ContainsFunc(b.walls, func(wall int64) bool { return wall/1440 == day }) {
			continue
		}
		for _, w := range b.windowsOf(day) {
			b.mark(b.startOf(day*1440+int64(w.From)), b.endOf(day*1440+int64(w.Until)))
		}
	}
}

// windowsOf merges the windows of a date by marking its minutes.
func (b *brute) windowsOf(day int64) []slots.Window {
	date := time.Unix(day*86400, 0).UTC()
	list, ok := b.s.overrides[date.Format("2006-01-02")]
	if !ok {
		list = b.s.weekly[date.Weekday()]
	}
	var marked [1441]bool // 24:00 stays unmarked
	for _, w := range list {
		for m := w.From; m < w.Until; m++ {
			marked[m] = true
		}
	}
	var merged []slots.Window
	for m, open := 0, -1; m <= 1440; m++ {
		if marked[m] && open < 0 {
			open = m
		} else if !marked[m] && open >= 0 {
			merged = append(merged, slots.Window{From: open, Until: m})
			open = -1
		}
	}
	return merged
}

func (b *brute) mark(start, end int) {
	step := int(b.s.rules.Interval / time.Minute)
	for i := start; i < end; i++ {
		b.covered[i] = true
		if (i-start)%step == 0 {
			b.grid[i] = true
		}
	}
}

// startOf returns the first occurrence in an overlap, and the first instant after a gap.
func (b *brute) startOf(wall int64) int {
	if i := slices.Index(b.walls, wall); i >= 0 {
		return i
	}
	return b.afterGap(wall)
}

// endOf returns the second occurrence in an overlap, unless the repetition starts with this minute. In a gap it
// returns the instant of the gap.
func (b *brute) endOf(wall int64) int {
	first := slices.Index(b.walls, wall)
	if first < 0 {
		return b.afterGap(wall)
	}
	next := slices.Index(b.walls[first+1:], wall)
	if next < 0 {
		return first
	}
	second := first + 1 + next
	if repetitionStarts := b.walls[second-1] != wall-1; repetitionStarts {
		return first
	}
	return second
}

func (b *brute) afterGap(wall int64) int {
	for i := 1; i < len(b.walls); i++ {
		if b.walls[i-1] < wall && wall < b.walls[i] {
			return i
		}
	}
	panic("a wall time that is neither shown nor skipped")
}

// open returns the open starts at now, which need not be the scenario's own.
func (b *brute) open(within slots.Span, now time.Time) []time.Time {
	var open []time.Time
	for i, candidate := range b.grid {
		start := time.Unix((b.from+int64(i))*60, 0).UTC()
		if candidate && !start.Before(within.Start) && start.Before(within.End) && len(b.refusals(start, now)) == 0 {
			open = append(open, start)
		}
	}
	return open
}

// refusals returns all reasons against a start.
func (b *brute) refusals(start, now time.Time) []slots.Reason {
	var reasons []slots.Reason
	rules := b.s.rules
	if !b.offered(start) {
		reasons = append(reasons, slots.NotOffered)
	}
	if start.Before(now.Add(rules.Notice)) {
		reasons = append(reasons, slots.TooSoon)
	}
	if b.localDay(start) > b.localDay(now)+int64(rules.WindowDays) {
		reasons = append(reasons, slots.TooFar)
	}
	if rules.MaxPerDay > 0 && b.bookedOn(b.localDay(start)) >= rules.MaxPerDay {
		reasons = append(reasons, slots.DayFull)
	}
	if b.taken(start.Add(-rules.BufferBefore), start.Add(rules.Duration).Add(rules.BufferAfter)) {
		reasons = append(reasons, slots.Busy)
	}
	return reasons
}

func (b *brute) offered(start time.Time) bool {
	if start.Unix()%60 != 0 || start.Nanosecond() != 0 {
		return false
	}
	i := int(start.Unix()/60 - b.from)
	if !b.grid[i] {
		return false
	}
	for m := range int(b.s.rules.Duration / time.Minute) {
		if !b.covered[i+m] {
			return false
		}
	}
	return true
}

func (b *brute) localDay(t time.Time) int64 {
	year, month, day := t.In(b.s.zone.Location()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400
}

func (b *brute) bookedOn(day int64) int {
	count := 0
	for _, c := range b.s.claims {
		if c.EventType == eventType && b.localDay(c.StartsAt) == day {
			count++
		}
	}
	return count
}

func (b *brute) taken(from, until time.Time) bool {
	taken := func(s slots.Span) bool {
		return s.Start.Before(s.End) && s.Start.Before(until) && from.Before(s.End)
	}
	return slices.ContainsFunc(b.s.busy, taken) ||
		slices.ContainsFunc(b.s.claims, func(c slots.Claim) bool { return taken(c.Span) })
}

// nearest returns the n closest starts in time order. Of two equally close ones, it prefers the earlier.
func (b *brute) nearest(open []time.Time, start time.Time, n int) []time.Time {
	near := slices.Clone(open)
	slices.SortStableFunc(near, func(x, y time.Time) int {
		return int(x.Sub(start).Abs().Milliseconds() - y.Sub(start).Abs().Milliseconds())
	})
	near = near[:min(n, len(near))]
	slices.SortFunc(near, time.Time.Compare)
	return near
}
