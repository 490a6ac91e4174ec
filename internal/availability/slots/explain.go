package slots

import (
	"time"

	"slotd/internal/availability/zone"
)

// Rule is one of the checks that a start must pass.
type Rule string

const (
	RuleOverride Rule = "override" // a date's own hours that exclude the time
	RuleHours    Rule = "hours"
	RuleGrid     Rule = "grid" // the steps at which slots start
	RuleNotice   Rule = "notice"
	RuleWindow   Rule = "window"
	RuleLimit    Rule = "limit"
	RuleBusy     Rule = "busy"
	RuleBuffer   Rule = "buffer"
)

// Verdict is the result of one rule, with the facts behind it. Which facts are set depends on the rule.
type Verdict struct {
	Rule   Rule
	Passed bool
	Reason Reason // what Check returns if this is the first rule that fails

	Date          zone.Date   // override, hours, limit: the date in question; window: the last date that can be booked
	Overridden    bool        // override: the date has hours of its own
	Windows       []Window    // override, hours: the hours of the date
	Near          []time.Time // grid: the nearest starts on the grid
	EarliestStart time.Time   // notice: the earliest start
	Count         int         // limit: active bookings and holds on the date
	Obstacles     []Obstacle  // busy, buffer
}

// Obstacle is something that takes the host's time: a booking's claim, or a calendar event if Claim is nil.
type Obstacle struct {
	Span
	Claim *Claim
}

// Explain checks one start against all rules, and does not stop at the first that fails. All rules pass if and only
// if Check returns Free, and the first rule that fails has the reason that Check returns.
func Explain(q Query, start time.Time) []Verdict {
	w := newWalk(&q, Span{start, start.Add(time.Millisecond)})
	at := start.UnixMilli()
	offered := w.inHours(at)
	date := q.Schedule.Zone.Date(start)
	count := q.Claims.perDay(q.EventType, q.Schedule.Zone, Span{start, start.Add(time.Millisecond)}, q.Now)[date]
	busy, inBuffers := q.obstacles(start)
	return []Verdict{
		q.explainOverride(start, offered),
		{Rule: RuleHours, Passed: offered, Reason: NotOffered, Date: date, Windows: q.Schedule.windows(date)},
		{Rule: RuleGrid, Passed: len(w.candidates) > 0 && time.UnixMilli(w.candidates[0]).Equal(start),
			Reason: NotOffered,
			Near:   q.nearestOnGrid(start)},
		{Rule: RuleNotice, Passed: at >= w.soonest, Reason: TooSoon, EarliestStart: time.UnixMilli(w.soonest).UTC()},
		{Rule: RuleWindow, Passed: date <= w.lastDate, Reason: TooFar, Date: w.lastDate},
		{Rule: RuleLimit, Passed: q.Rules.MaxPerDay == 0 || count < q.Rules.MaxPerDay, Reason: DayFull, Date: date,
			Count: count},
		{Rule: RuleBusy, Passed: len(busy) == 0, Reason: Busy, Obstacles: busy},
		{Rule: RuleBuffer, Passed: len(inBuffers) == 0, Reason: Busy, Obstacles: inBuffers},
	}
}

// inHours reports whether the whole slot lies inside the hours.
func (w *walk) inHours(start int64) bool {
	for _, h := range w.hours {
		if h.start <= start && start+w.duration <= h.end {
			return true
		}
	}
	return false
}

// explainOverride fails only if the weekly hours alone would have offered the time: otherwise the override is not the
// cause.
func (q *Query) explainOverride(start time.Time, offered bool) Verdict {
	z := q.Schedule.Zone
	v := Verdict{Rule: RuleOverride, Passed: true, Reason: NotOffered, Date: z.Date(start)}
	for d := z.Date(start); d <= z.Date(start.Add(q.Rules.Duration-1)); d++ { // the slot may end on another date
		if windows, ok := q.Schedule.overrides[d]; ok {
			v.Overridden, v.Date, v.Windows = true, d, windows
			break
		}
	}
	if offered {
		return v
	}
	plain := *q
	plain.Schedule = &Schedule{Zone: z, weekly: q.Schedule.weekly}
	v.Passed = !newWalk(&plain, Span{start, start.Add(time.Millisecond)}).inHours(start.UnixMilli())
	return v
}

// nearestOnGrid returns the last start before and the first start after, considering only the hours. It searches a
// little more than a week each way, because the hours repeat after a week.
func (q *Query) nearestOnGrid(start time.Time) (near []time.Time) {
	const week = 8 * 24 * time.Hour
	w := newWalk(q, Span{start.Add(-week), start.Add(week)})
	var before, after time.Time
	for _, c := range w.candidates {
		at := time.UnixMilli(c).UTC()
		switch {
		case at.Equal(start) || !w.inHours(c):
		case at.Before(start):
			before = at
		case after.IsZero():
			after = at
		}
	}
	for _, at := range []time.Time{before, after} {
		if !at.IsZero() {
			near = append(near, at)
		}
	}
	return near
}

// obstacles returns what overlaps the slot itself, and what overlaps only its buffers.
func (q *Query) obstacles(start time.Time) (busy, inBuffers []Obstacle) {
	slot := milliSpan{start.UnixMilli(), start.Add(q.Rules.Duration).UnixMilli()}
	wide := milliSpan{slot.start - q.Rules.BufferBefore.Milliseconds(), slot.end + q.Rules.BufferAfter.Milliseconds()}
	add := func(o Obstacle) {
		switch s := toMilliSpan(o.Span); {
		case s.overlaps(slot):
			busy = append(busy, o)
		case s.overlaps(wide):
			inBuffers = append(inBuffers, o)
		}
	}
	reach := q.Reach(Span{start, start.Add(time.Millisecond)})
	for claim := range q.Claims.live(reach, q.Now) {
		add(Obstacle{claim.Span, &claim})
	}
	for _, s := range touching(q.Busy, reach) {
		add(Obstacle{Span: s})
	}
	return busy, inBuffers
}

func (s milliSpan) overlaps(o milliSpan) bool {
	return s.start < s.end && s.start < o.end && o.start < s.end
}
