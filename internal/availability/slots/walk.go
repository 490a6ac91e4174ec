package slots

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"slotd/internal/availability/zone"
)

// walk checks candidates in time order. Its cursors only move forward, so a whole range takes one pass over the
// range's own windows and busy spans.
//
// It uses Unix milliseconds: comparing them takes a fraction of the time that time.Time needs, and this is where a
// listing spends its time.
type walk struct {
	q          *Query
	candidates []int64
	hours      []milliSpan // union of all windows, disjoint
	busy       []milliSpan // union of all claims and busy times, disjoint
	perDay     map[zone.Date]int

	duration       int64
	bufferBefore   int64
	bufferAfter    int64
	soonest        int64
	lastDate       zone.Date
	inWindowBefore int64 // all starts before this are certainly within the booking window

	holdEnds time.Time // when the first hold expires; zero: there is no hold
}

// milliSpan is a Span in Unix milliseconds.
type milliSpan struct{ start, end int64 }

func toMilliSpan(s Span) milliSpan { return milliSpan{s.Start.UnixMilli(), ceilMilli(s.End)} }

// ceilMilli returns the first whole millisecond that is not before t.
func ceilMilli(t time.Time) int64 {
	return t.Add(time.Millisecond - 1).UnixMilli()
}

func newWalk(q *Query, within Span) *walk {
	last := q.lastDate()
	w := &walk{
		q:              q,
		duration:       q.Rules.Duration.Milliseconds(),
		bufferBefore:   q.Rules.BufferBefore.Milliseconds(),
		bufferAfter:    q.Rules.BufferAfter.Milliseconds(),
		soonest:        ceilMilli(q.Now.Add(q.Rules.Notice)),
		lastDate:       last,
		inWindowBefore: last.UTC().Add(-24 * time.Hour).UnixMilli(),
	}
	if !within.Start.Before(within.End) {
		return w
	}
	z := q.Schedule.Zone
	// One more date on each side: where clocks are set back across midnight, a date's window reaches into the
	// neighboring dates. And another one after that, because the longest slot lasts a day.
	windows := q.Schedule.spans(z.Date(within.Start)-1, z.Date(within.End)+2)
	w.candidates = candidates(windows, q.Rules.Interval.Milliseconds(), ceilMilli(within.Start), ceilMilli(within.End))
	w.hours = union(windows)
	reach := q.Reach(within)
	for claim := range q.Claims.live(reach, q.Now) {
		w.busy = append(w.busy, toMilliSpan(claim.Span))
		w.holdEnds = earliest(w.holdEnds, claim.HeldUntil)
	}
	for _, s := range touching(q.Busy, reach) {
		w.busy = append(w.busy, toMilliSpan(s))
	}
	w.busy = union(w.busy)
	if q.Rules.MaxPerDay > 0 {
		w.perDay = q.Claims.perDay(q.EventType, z, within, q.Now)
	}
	return w
}

// candidates returns the starts on the grid. It steps through each window from the window's start in elapsed time,
// so the grid never moves because something is busy.
func candidates(windows []milliSpan, interval, from, until int64) []int64 {
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

// judge returns the first reason against a start, or Free. It must be called with ascending starts.
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

// judgeDate computes the local date only if it matters: most starts are far from the end of the booking window, and
// most event types have no daily limit.
func (w *walk) judgeDate(start int64) Reason {
	if w.q.Rules.MaxPerDay == 0 && start < w.inWindowBefore {
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

// skipEnded drops the leading spans that have ended at t.
func skipEnded(spans []milliSpan, t int64) []milliSpan {
	for len(spans) > 0 && spans[0].end <= t {
		spans = spans[1:]
	}
	return spans
}

// touching returns the part of a merged list that touches s.
func touching(merged []Span, s Span) []Span {
	from := sort.Search(len(merged), func(i int) bool { return merged[i].End.After(s.Start) })
	until := sort.Search(len(merged), func(i int) bool { return !merged[i].Start.Before(s.End) })
	if from >= until {
		return nil
	}
	return merged[from:until]
}

// union sorts spans and joins those that touch. It leaves out empty ones.
func union(spans []milliSpan) []milliSpan {
	sorted := slices.Clone(spans)
	if byStart := func(a, b milliSpan) int { return cmp.Compare(a.start, b.start) }; !slices.IsSortedFunc(sorted,
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

// Merge sorts spans and joins those that touch. It leaves out empty ones.
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
