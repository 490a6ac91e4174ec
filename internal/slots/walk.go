package slots

import (
	"slices"
	"sort"
	"time"

	"slotd/internal/zone"
)

// walk judges candidates in time order. Its cursors only move forward, so a whole range costs
// one pass over the range's own windows and busy spans.
type walk struct {
	q          *Query
	candidates []time.Time
	hours      []Span // union of all windows, disjoint
	busy       []Span // union of all that is taken, disjoint
	perDay     map[zone.Date]int
	lastDate   zone.Date
	surelyNear time.Time // every start before it lies within the booking window
}

func newWalk(q *Query, within Span) *walk {
	last := q.lastDate()
	w := &walk{q: q, lastDate: last, surelyNear: last.UTC().Add(-24 * time.Hour)}
	if !within.Start.Before(within.End) {
		return w
	}
	z := q.Schedule.Zone
	// A date more on each side: where clocks go back across midnight, a date's window reaches into
	// its neighbours' instants. Another one after: the longest slot lasts a day.
	windows := q.Schedule.spans(z.Date(within.Start)-1, z.Date(within.End)+2)
	w.candidates = candidates(windows, q.Rules.Interval, within)
	w.hours = Merge(windows)
	reach := q.Reach(within)
	w.busy = Merge(append(q.Claims.spans(reach), touching(q.Busy, reach)...))
	if q.Rules.MaxPerDay > 0 {
		w.perDay = q.Claims.perDay(q.EventType, z, within)
	}
	return w
}

// candidates steps through each window from its own start in elapsed time: the grid never moves
// because something is busy.
func candidates(windows []Span, interval time.Duration, within Span) []time.Time {
	starts := make([]time.Time, 0, 128)
	for _, w := range windows {
		at := w.Start
		if skip := within.Start.Sub(at); skip > 0 {
			at = at.Add((skip + interval - 1) / interval * interval)
		}
		for ; at.Before(w.End) && at.Before(within.End); at = at.Add(interval) {
			starts = append(starts, at)
		}
	}
	if !slices.IsSortedFunc(starts, time.Time.Compare) {
		slices.SortFunc(starts, time.Time.Compare)
	}
	return slices.CompactFunc(starts, time.Time.Equal)
}

// judge must be asked about rising starts.
func (w *walk) judge(start time.Time) Reason {
	rules := &w.q.Rules
	slot := Span{start, start.Add(rules.Duration)}
	w.hours = skipEnded(w.hours, slot.Start)
	if len(w.hours) == 0 || !w.hours[0].Contains(slot) {
		return NotOffered
	}
	if start.Before(w.q.Now.Add(rules.Notice)) {
		return TooSoon
	}
	if reason := w.judgeDate(start); reason != Free {
		return reason
	}
	needed := slot.Grow(rules.BufferBefore, rules.BufferAfter)
	w.busy = skipEnded(w.busy, needed.Start)
	if len(w.busy) > 0 && w.busy[0].Touches(needed) {
		return Busy
	}
	return Free
}

// judgeDate looks the local date up only where it matters: most starts are far from the window's
// end, and most event types have no daily limit.
func (w *walk) judgeDate(start time.Time) Reason {
	if w.q.Rules.MaxPerDay == 0 && start.Before(w.surelyNear) {
		return Free
	}
	date := w.q.Schedule.Zone.Date(start)
	switch {
	case date > w.lastDate:
		return TooFar
	case w.q.Rules.MaxPerDay > 0 && w.perDay[date] >= w.q.Rules.MaxPerDay:
		return DayFull
	}
	return Free
}

// skipEnded drops the leading spans that are over at t.
func skipEnded(spans []Span, t time.Time) []Span {
	for len(spans) > 0 && !spans[0].End.After(t) {
		spans = spans[1:]
	}
	return spans
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
