package ical

import (
	"slices"
	"time"
)

const daySeconds = 24 * 3600

// period is the days of one year, month, week or day of a rule, counted since 1970.
type period struct{ first, past int64 }

// periodsFrom is the first period of the rule that may hold the day.
func (x *expander) periodsFrom(day int64) period {
	start, at := civilOf(floorDiv(x.start, daySeconds)), civilOf(day)
	every := int64(x.interval)
	switch x.freq {
	case yearly:
		return yearPeriod(start.year + (at.year-start.year)/every*every)
	case monthly:
		return monthPeriod(start.months() + (at.months()-start.months())/every*every)
	case weekly:
		first := start.date - int64(start.weekday-x.weekStart+7)%7
		first += (day - first) / (7 * every) * (7 * every)
		return period{first, first + 7}
	}
	first := start.date + (day-start.date)/every*every
	return period{first, first + 1}
}

func (x *expander) next(p period) period {
	every := int64(x.interval)
	switch x.freq {
	case yearly:
		return yearPeriod(civilOf(p.first).year + every)
	case monthly:
		return monthPeriod(civilOf(p.first).months() + every)
	case weekly:
		return period{p.first + 7*every, p.past + 7*every}
	}
	return period{p.first + every, p.past + every}
}

func yearPeriod(year int64) period { return period{firstOf(year * 12), firstOf(year*12 + 12)} }

func monthPeriod(month int64) period { return period{firstOf(month), firstOf(month + 1)} }

// daysIn are the period's days that match, as wall time. The list is used again.
func (x *expander) daysIn(p period) []int64 {
	x.baseList = x.baseList[:0]
	for day := p.first; day < p.past; day++ {
		if !x.onWeekday(day) {
			continue
		}
		if !x.budget.steps(x.look) {
			break
		}
		c := civilOf(day)
		if !x.inMonths(c) {
			day = firstOf(c.months()+1) - 1
		} else if x.matches(c) {
			x.baseList = append(x.baseList, day*daySeconds)
		}
	}
	return x.baseList
}

func (x *expander) onWeekday(day int64) bool { return len(x.days) == 0 || x.onDays[weekdayOf(day)] }

func (x *expander) inMonths(c civil) bool {
	return len(x.months) == 0 || slices.Contains(x.months, c.month)
}

// matches looks at all day parts but the month and the bare weekday.
func (x *expander) matches(c civil) bool {
	return (len(x.monthDays) == 0 || nth(x.monthDays, c.day, c.monthDays)) &&
		(len(x.yearDays) == 0 || nth(x.yearDays, c.yearDay, c.yearDays)) &&
		(len(x.weekNumbers) == 0 || x.inWeeks(c)) &&
		(len(x.days) == 0 || slices.ContainsFunc(x.days,
			func(d nthDay) bool { return d.day == c.weekday && x.isNth(d.n, c) }))
}

// isNth says whether the day is its month's or year's nth such weekday. Shorter periods have one of each, and the
// number means nothing.
func (x *expander) isNth(n int, c civil) bool {
	at, of := c.yearDay, c.yearDays
	if x.inMonth {
		at, of = c.day, c.monthDays
	}
	return n == 0 || x.freq < monthly || nth([]int{n}, (at-1)/7+1, (at-1)/7+(of-at)/7+1)
}

// inWeeks: a week belongs to the year that holds its fourth day (ISO 8601, with the rule's own first day of the week).
func (x *expander) inWeeks(c civil) bool {
	fourth := civilOf(c.date - int64(c.weekday-x.weekStart+7)%7 + 3)
	before, after := (fourth.yearDay-1)/7, (fourth.yearDays-fourth.yearDay)/7
	return nth(x.weekNumbers, before+1, before+after+1)
}

// nth reports whether list names number at of of things, from either end.
func nth(list []int, at, of int) bool {
	return slices.Contains(list, at) || slices.Contains(list, at-of-1)
}

// civil is a day with its places in month and year.
type civil struct {
	date                int64 // since 1970
	year                int64
	month, day, yearDay int
	monthDays, yearDays int
	weekday             time.Weekday
}

func civilOf(date int64) civil {
	at := time.Unix(date*daySeconds, 0).UTC()
	year, month, day := at.Date()
	c := civil{date: date, year: int64(year), month: int(month), day: day, yearDay: at.YearDay(),
		weekday: weekdayOf(date), yearDays: 365}
	c.monthDays = 31 - (c.month-1)%7%2
	leap := year%4 == 0 && (year%100 != 0 || year%400 == 0)
	if leap {
		c.yearDays = 366
	}
	if month == time.February {
		c.monthDays = c.yearDays - 337
	}
	return c
}

// months counts from year 0.
func (c civil) months() int64 { return c.year*12 + int64(c.month) - 1 }

// firstOf is the first day of a month, counted as months does.
func firstOf(months int64) int64 {
	// An interval may lead to years that time.Date cannot count.
	const last = 12 * 1_000_000
	months = min(months, last)
	return time.Date(int(months/12), time.Month(months%12+1), 1, 0, 0, 0, 0, time.UTC).Unix() / daySeconds
}

func weekdayOf(date int64) time.Weekday { return time.Weekday(((date+4)%7 + 7) % 7) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
