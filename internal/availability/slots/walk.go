package slots

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"slotd/internal/availability/zone"
)

// walk judges candidates in time order. Its cursors only move forward, so a whole range costs
// one pass over the range's own windows and busy spans.
//
// Inside it counts Unix milliseconds: comparing those takes a fraction of what time.Time takes,
// and this is where a listing spends its time.
type walk struct {
	q          *Query
	candidates []int64
	hours      []stretch // union of all windows, disjoint
	busy       []stretch // union of all that is taken, disjoint
	perDay     map[zone.Date]int

	duration     int64
	bufferBefore int64
	bufferAfter  int64
	soonest      int64
	lastDate     zone.Date
	surelyNear   int64 // every start before it lies within the booking window

	holdEnds time.Time // when the first hold ends by itself; zero: there is none
}

// stretch is a Span in milliseconds.
type stretch struct{ start, end int64 }

func stretchOf(s Span) stretch { return stretch{s.Start.UnixMilli(), ceilMilli(s.End)} }

// ceilMilli is the first whole millisecond not before t.
func ceilMilli(t time.Time) int64 {
	return t.Add(time.Millisecond - 1).UnixMilli()
}

func newWalk(q *Query, within Span) *walk {
	last := q.lastDate()
	w := &walk{
		q:            q,
		duration:     q.Rules.Duration.Milliseconds(),
		bufferBefore: q.Rules.BufferBefore.Milliseconds(),
		bufferAfter:  q.Rules.BufferAfter.Milliseconds(),
		soonest:      ceilMilli(q.Now.Add(q.Rules.Notice)),
		lastDate:     last,
		surelyNear:   last.UTC().Add(-24 * time.Hour).UnixMilli(),
	}
	if !within.Start.Before(within.End) {
		return w
	}
	z := q.Schedule.Zone
	// A date more on each side: where clocks go back across midnight, a date's window reaches into
	// its neighbours' instants. Another one after: the longest slot lasts a day.
	windows := q.Schedule.stretches(z.Date(within.Start)-1, z.Date(within.End)+2)
	w.candidates = candidates(windows, q.Rules.Interval.Milliseconds(), ceilMilli(within.Start), ceilMilli(within.End))
	w.hours = union(windows)
	reach := q.Reach(within)
	for claim := range q.Claims.live(reach, q.Now) {
		w.busy = append(w.busy, stretchOf(claim.Span))
		w.holdEnds = earliest(w.holdEnds, claim.HeldUntil)
	}
	for _, s := range touching(q.Busy, reach) {
		w.busy = append(w.busy, stretchOf(s))
	}
	w.busy = union(w.busy)
	if q.Rules.MaxPerDay > 0 {
		w.perDay = q.Claims.perDay(q.EventType, z, within, q.Now)
	}
	return w
}

// candidates steps through each window from its own start in elapsed time: the grid never moves
// because something is busy.
func candidates(windows []stretch, interval, from, until int64) []int64 {
	starts := make([]int64, 0, 128)
	for _, w := range windows {
		at := w.start
		if skip := from - at; skip > 0 {
			at += (skip + interval - 1) / interval * interval
		}
		for ; at < w.end && at < until; at += interval {
			starts = append(starts, at)
		}
	}
	if !slices.IsSorted(starts) {
		slices.Sort(starts)
	}
	return slices.Compact(starts)
}

// judge must be asked about rising starts.
func (w *walk) judge(start int64) Reason {
	w.hours = skipEnded(w.hours, start)
	if len(w.hours) == 0 || w.hours[0].start > start || start+w.duration > w.hours[0].end {
		return NotOffered
	}
	if start < w.soonest {
		return TooSoon
	}
	if reason := w.judgeDate(start); reason != Free {
		return reason
	}
	w.busy = skipEnded(w.busy, start-w.bufferBefore)
	if len(w.busy) > 0 && w.busy[0].start < start+w.duration+w.bufferAfter {
		return Busy
	}
	return Free
}

// judgeDate looks the local date up only where it matters: most starts are far from the window's
// end, and most event types have no daily limit.
func (w *walk) judgeDate(start int64) Reason {
	if w.q.Rules.MaxPerDay == 0 && start < w.surelyNear {
		return Free
	}
	date := w.q.Schedule.Zone.Date(time.UnixMilli(start))
	switch {
	case date > w.lastDate:
		return TooFar
	case w.q.Rules.MaxPerDay > 0 && w.perDay[date] >= w.q.Rules.MaxPerDay:
		return DayFull
	}
	return Free
}

// skipEnded drops the leading stretches that are over at t.
func skipEnded(stretches []stretch, t int64) []stretch {
	for len(stretches) > 0 && stretches[0].end <= t {
		stretches = stretches[1:]
	}
	return stretches
}

// touching cuts the part of a merged list that touches s.
func touching(merged []Span, s Span) []Span {
	from := sort.Search(len(merged), func(i int) bool { return merged[i].End.After(s.Start) })
	until := sort.Search(len(merged), func(i int) bool { return !merged[i].Start.Before(s.End) })
	if from >= until {
		return nil
	}
	return merged[from:until]
}

// union sorts stretches and joins those that touch; those without length are left out.
func union(stretches []stretch) []stretch {
	sorted := slices.Clone(stretches)
	if byStart := func(a, b stretch) int { return cmp.Compare(a.start, b.start) }; !slices.IsSortedFunc(sorted,
		byStart) {
		slices.SortFunc(sorted, byStart)
	}
	joined := sorted[:0]
	for _, s := range sorted {
		switch n := len(joined); {
		case s.start >= s.end:
		case n > 0 && s.start <= joined[n-1].end:
			joined[n-1].end = max(joined[n-1].end, s.end)
		default:
			joined = append(joined, s)
		}
	}
	return joined
}

// Merge sorts spans and joins those that touch. Spans without length are left out.
func Merge(spans []Span) []Span {
	sorted := slices.SortedFunc(slices.Values(spans), func(a, b Span) int { return a.Start.Compare(b.Start) })
	merged := sorted[:0]
	for _, s := range sorted {
		switch n := len(merged); {
		case !s.Start.Before(s.End):
		case n > 0 && !s.Start.After(merged[n-1].End):
			if s.End.After(merged[n-1].End) {
				merged[n-1].End = s.End
			}
		default:
			merged = append(merged, s)
		}
	}
	return merged
}
