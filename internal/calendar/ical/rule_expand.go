package ical

import (
	"iter"
	"slices"
	"time"
)

// This package has its own rule expansion because the iterator of teambition/rrule-go looks for the next date without
// a limit. It needs 0.56 s, up to the year 9999, to find out that the one rule FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30
// never matches, and a file may have thousands of rules. It also walks every series from its first date. The
// expansion here starts near the requested range, skips what cannot match, and pays for each step from a budget.

// walls yields the times at which the rule repeats an event that starts at start, in order, within [from, until]. All
// times are seconds of wall time since 1970, as if it were UTC, so that no time zone affects the arithmetic. It stops
// early when the budget is exhausted; the caller must check that.
func (r rule) walls(start, from, until int64, b *budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		x := newExpander(r, start, b)
		remaining := r.count
		visit := func(wall int64) bool {
			switch {
			case wall < start:
				return true
			case wall > until:
				return false
			case wall >= from && !yield(wall):
				return false
			}
			remaining--
			return remaining != 0
		}
		first := max(from, start)
		if r.count > 0 {
			first = start // COUNT counts from the start
		}
		x.each(first, until, visit)
	}
}

// expander holds what a rule needs in every period: its parts, including those taken from the start, and the times
// within a base. A base is a day or, for shorter periods, the period itself.
type expander struct {
	rule
	start      int64
	weekdaySet [7]bool
	nthInMonth bool // numbered weekdays count within the month
	times      []int32
	lookCost   int // steps it takes to check a date or a period
	budget     *budget
	bases      []int64
}

func newExpander(r rule, start int64, b *budget) *expander {
	x := &expander{rule: r, start: start, budget: b}
	x.fillFromStart()
	for _, d := range x.days {
		x.weekdaySet[d.day] = true
	}
	x.nthInMonth = r.freq == monthly || len(r.months) > 0
	x.times = x.timesInBase()
	x.lookCost = 1 + x.numberCount()/8 // comparing eight numbers takes as long as the rest of the check
	return x
}

// numberCount returns how many numbers a check compares.
func (x *expander) numberCount() int {
	return len(x.months) + len(x.weekNumbers) + len(x.yearDays) + len(x.monthDays) + len(x.days) +
		len(x.hours) + len(x.minutes) + len(x.seconds) + len(x.positions)
}

// fillFromStart fills in what the rule leaves open: for example, a yearly rule repeats on the start's date.
func (x *expander) fillFromStart() {
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

// timesInBase returns the seconds within a base at which the rule repeats.
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
	if !x.budget.spendSteps(n) {
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
	slices.Sort(times) // second 60 is the first of the next minute
	return slices.Compact(times)
}

func orStart(list []int, start int) []int {
	if len(list) > 0 {
		return list
	}
	return []int{start}
}

// each calls visit with every repetition, beginning with the period that contains from, until visit returns false.
func (x *expander) each(from, until int64, visit func(int64) bool) {
	if x.freq < daily {
		x.eachShort(from, until, visit)
		return
	}
	p := x.periodAt(floorDiv(from, daySeconds))
	for ; p.first*daySeconds <= until; p = x.next(p) {
		if !x.budget.spendSteps(x.lookCost) || !x.emit(x.daysIn(p), visit) {
			return
		}
	}
}

// emit visits the times of the bases, or those that BYSETPOS selects. It never lists them: there may be millions.
func (x *expander) emit(bases []int64, visit func(int64) bool) bool {
	n := len(x.times)
	for _, i := range x.setPositions(len(bases) * n) {
		if !x.budget.spendSteps(1) || !visit(bases[i/n]+int64(x.times[i%n])) {
			return false
		}
	}
	if len(x.positions) > 0 {
		return true
	}
	for _, base := range bases {
		for _, t := range x.times {
			if !x.budget.spendSteps(1) || !visit(base+int64(t)) {
				return false
			}
		}
	}
	return true
}

// setPositions converts BYSETPOS to indexes into a set of this size.
func (x *expander) setPositions(size int) (indexes []int) {
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
