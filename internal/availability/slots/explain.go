package slots

import (
	"time"

	"slotd/internal/availability/zone"
)

// Rule is one of the questions that a start has to stand.
type Rule string

const (
	RuleOverride Rule = "override" // hours of one date that leave it out
	RuleHours    Rule = "hours"
	RuleGrid     Rule = "grid" // the steps at which slots start
	RuleNotice   Rule = "notice"
	RuleWindow   Rule = "window"
	RuleLimit    Rule = "limit"
	RuleBusy     Rule = "busy"
	RuleBuffer   Rule = "buffer"
)

// Verdict is one rule's answer, with the facts that it follows from. Which of them are set depends on the rule.
type Verdict struct {
	Rule   Rule
	Yes    bool
	Reason Reason // what Check says if this is the first rule against it

	Date       zone.Date // override, hours, limit: the date it is about; window: the last one that can be booked
	Overridden bool      // override: that date has hours of its own
	Windows    []Window  // override, hours: of that date
	Near       []time.Time
	Soonest    time.Time  // notice
	Count      int        // limit: live bookings and holds of that date
	InTheWay   []Obstacle // busy, buffer
}

// Obstacle is something that takes the host's time: a booking's claim, or the time of calendars where Claim is nil.
type Obstacle struct {
	Span
	Claim *Claim
}

// Explain asks every rule about one start, and not only up to the first that refuses it. All say yes exactly if Check
// says Free, and the first that says no has Check's reason.
func Explain(q Query, start time.Time) []Verdict {
	w := newWalk(&q, Span{start, start.Add(time.Millisecond)})
	at := start.UnixMilli()
	offered := w.within(at)
	date := q.Schedule.Zone.Date(start)
	count := q.Claims.perDay(q.EventType, q.Schedule.Zone, Span{start, start.Add(time.Millisecond)}, q.Now)[date]
	busy, near := q.obstacles(start)
	return []Verdict{
		q.explainOverride(start, offered),
		{Rule: RuleHours, Yes: offered, Reason: NotOffered, Date: date, Windows: q.Schedule.windows(date)},
		{Rule: RuleGrid, Yes: len(w.candidates) > 0 && time.UnixMilli(w.candidates[0]).Equal(start), Reason: NotOffered,
			Near: q.nearestOnGrid(start)},
		{Rule: RuleNotice, Yes: at >= w.soonest, Reason: TooSoon, Soonest: time.UnixMilli(w.soonest).UTC()},
		{Rule: RuleWindow, Yes: date <= w.lastDate, Reason: TooFar, Date: w.lastDate},
		{Rule: RuleLimit, Yes: q.Rules.MaxPerDay == 0 || count < q.Rules.MaxPerDay, Reason: DayFull, Date: date,
			Count: count},
		{Rule: RuleBusy, Yes: len(busy) == 0, Reason: Busy, InTheWay: busy},
		{Rule: RuleBuffer, Yes: len(near) == 0, Reason: Busy, InTheWay: near},
	}
}

// within reports whether the whole slot lies inside the hours.
func (w *walk) within(start int64) bool {
	for _, h := range w.hours {
		if h.start <= start && start+w.duration <= h.end {
			return true
		}
	}
	return false
}

// explainOverride says no only where the weekly hours alone would have offered the time: else the override is not to
// blame.
func (q *Query) explainOverride(start time.Time, offered bool) Verdict {
	z := q.Schedule.Zone
	v := Verdict{Rule: RuleOverride, Yes: true, Reason: NotOffered, Date: z.Date(start)}
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
	v.Yes = !newWalk(&plain, Span{start, start.Add(time.Millisecond)}).within(start.UnixMilli())
	return v
}

// nearestOnGrid are the last start before and the first after, by the hours alone. Hours come again after a week.
func (q *Query) nearestOnGrid(start time.Time) (near []time.Time) {
	const week = 8 * 24 * time.Hour
	w := newWalk(q, Span{start.Add(-week), start.Add(week)})
	var before, after time.Time
	for _, c := range w.candidates {
		at := time.UnixMilli(c).UTC()
		switch {
		case at.Equal(start) || !w.within(c):
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

// obstacles are what meets the slot itself, and what meets its buffers only.
func (q *Query) obstacles(start time.Time) (busy, near []Obstacle) {
	slot := stretch{start.UnixMilli(), start.Add(q.Rules.Duration).UnixMilli()}
	wide := stretch{slot.start - q.Rules.BufferBefore.Milliseconds(), slot.end + q.Rules.BufferAfter.Milliseconds()}
	add := func(o Obstacle) {
		switch s := stretchOf(o.Span); {
		case s.meets(slot):
			busy = append(busy, o)
		case s.meets(wide):
			near = append(near, o)
		}
	}
	reach := q.Reach(Span{start, start.Add(time.Millisecond)})
	for claim := range q.Claims.live(reach, q.Now) {
		add(Obstacle{claim.Span, &claim})
	}
	for _, s := range touching(q.Busy, reach) {
		add(Obstacle{Span: s})
	}
	return busy, near
}

func (s stretch) meets(o stretch) bool { return s.start < s.end && s.start < o.end && o.start < s.end }
