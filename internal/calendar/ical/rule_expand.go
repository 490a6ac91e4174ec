package ical

import (
	"iter"
	"slices"
	"time"
)

// Our own expansion, and not teambition/rrule-go: its iterator looks for the next date without a bound. That one rule
// FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30 never matches it finds out in 0.56 s, in the year 9999, and a file may have
// thousands; and it walks every series from its first date. This one begins near the asked range, jumps over what
// cannot match, and pays for each step from a budget.

// walls yields when the rule repeats an event that starts at start: in order, within [from, until]. All are seconds of
// wall time since 1970, as if it were UTC, so that no time zone disturbs the arithmetic. It stops early if the budget
// is spent, which the caller must look at.
func (r rule) walls(start, from, until int64, b *budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		x := newExpander(r, start, b)
		left := r.count
		keep := func(wall int64) bool {
			switch {
			case wall < start:
				return true
			case wall > until:
				return false
			case wall >= from && !yield(wall):
				return false
			}
			left--
			return left != 0
		}
		first := max(from, start)
		if r.count > 0 {
			first = start // every one counts
		}
		x.each(first, until, keep)
	}
}

// expander holds what a rule needs at every period: its parts, those that the start stands in for, and the times within
// a base. A base is a day, or for shorter periods the period itself.
type expander struct {
	rule
	start    int64
	onDays   [7]bool
	inMonth  bool // numbered weekdays count within the month
	times    []int32
	look     int // what it costs to look at a date or at a period
	budget   *budget
	baseList []int64
}

func newExpander(r rule, start int64, b *budget) *expander {
	x := &expander{rule: r, start: start, budget: b}
	x.takeDayFromStart()
	for _, d := range x.days {
		x.onDays[d.day] = true
	}
	x.inMonth = r.freq == monthly || len(r.months) > 0
	x.times = x.timesInBase()
	x.look = 1 + x.listed()/8 // eight take as long as the look itself
	return x
}

// listed is how many numbers a look goes through.
func (x *expander) listed() int {
	return len(x.months) + len(x.weekNumbers) + len(x.yearDays) + len(x.monthDays) + len(x.days) +
		len(x.hours) + len(x.minutes) + len(x.seconds) + len(x.positions)
}

// takeDayFromStart fills in what the rule leaves open: a yearly rule means the start's date.
func (x *expander) takeDayFromStart() {
	c := civilOf(floorDiv(x.start, daySeconds))
	if len(x.yearDays) > 0 || len(x.monthDays) > 0 || len(x.days) > 0 {
		return
	}
	switch {
	case x.freq == weekly || len(x.weekNumbers) > 0:
		x.days = []nthDay{{day: c.weekday}}
	case x.freq == yearly && len(x.months) == 0:
		x.months = []int{c.month}
		fallthrough
	case x.freq == yearly || x.freq == monthly:
		x.monthDays = []int{c.day}
	}
}

// timesInBase are the seconds at which the rule repeats within a base.
func (x *expander) timesInBase() (times []int32) {
	clock := time.Unix(x.start, 0).UTC()
	hours, minutes, seconds := []int{0}, []int{0}, []int{0}
	if x.freq >= daily {
		hours = orStart(x.hours, clock.Hour())
	}
	if x.freq >= hourly {
		minutes = orStart(x.minutes, clock.Minute())
	}
	if x.freq >= minutely {
		seconds = orStart(x.seconds, clock.Second())
	}
	n := len(hours) * len(minutes) * len(seconds)
	if !x.budget.steps(n) {
		return nil
	}
	times = make([]int32, 0, n)
	for _, h := range hours {
		for _, m := range minutes {
			for _, s := range seconds {
				times = append(times, int32(h*3600+m*60+s))
			}
		}
	}
	slices.Sort(times) // second 60 is the next minute's first
	return slices.Compact(times)
}

func orStart(list []int, start int) []int {
	if len(list) > 0 {
		return list
	}
	return []int{start}
}

// each calls keep with every repetition from the period of from on, until it says no.
func (x *expander) each(from, until int64, keep func(int64) bool) {
	if x.freq < daily {
		x.eachShort(from, until, keep)
		return
	}
	p := x.periodsFrom(floorDiv(from, daySeconds))
	for ; p.first*daySeconds <= until; p = x.next(p) {
		if !x.budget.steps(x.look) || !x.emit(x.daysIn(p), keep) {
			return
		}
	}
}

// emit passes on the bases' times, or those of them that BYSETPOS picks. They are never listed: there may be millions.
func (x *expander) emit(bases []int64, keep func(int64) bool) bool {
	n := len(x.times)
	for _, i := range x.picked(len(bases) * n) {
		if !x.budget.steps(1) || !keep(bases[i/n]+int64(x.times[i%n])) {
			return false
		}
	}
	if len(x.positions) > 0 {
		return true
	}
	for _, base := range bases {
		for _, t := range x.times {
			if !x.budget.steps(1) || !keep(base+int64(t)) {
				return false
			}
		}
	}
	return true
}

// picked turns BYSETPOS into indexes of a set.
func (x *expander) picked(size int) (indexes []int) {
	for _, p := range x.positions {
		if p < 0 {
			p += size + 1
		}
		if p >= 1 && p <= size {
			indexes = append(indexes, p-1)
		}
	}
	slices.Sort(indexes)
	return slices.Compact(indexes)
}
