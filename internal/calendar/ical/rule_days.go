package ical

import (
	"slices"
	"time"
)

const daySeconds = 24 * 3600

// period is the range of days of one year, month, week or day of a rule, counted since 1970.
type period struct{ first, end int64 }

// periodAt returns the first period of the rule that may contain the day.
func (x *expander) periodAt(day int64) period {
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
		return period{p.first + 7*every, p.end + 7*every}
	}
	return period{p.first + every, p.end + every}
}

func yearPeriod(year int64) period { return period{firstDayOf(year * 12), firstDayOf(year*12 + 12)} }

func monthPeriod(month int64) period { return period{firstDayOf(month), firstDayOf(month + 1)} }

// daysIn returns the matching days of the period as wall time. It reuses the returned slice.
func (x *expander) daysIn(p period) []int64 {
	x.bases = x.bases[:0]
	for day := p.first; day < p.end; day++ {
		if !x.matchesWeekday(day) {
			continue
		}
		if !x.budget.spendSteps(x.lookCost) {
			break
		}
		c := civilOf(day)
		if !x.matchesMonth(c) {
			day = firstDayOf(c.months()+1) - 1
		} else if x.matchesDay(c) {
			x.bases = append(x.bases, day*daySeconds)
		}
	}
	return x.bases
}

func (x *expander) matchesWeekday(day int64) bool {
	return len(x.days) == 0 || x.weekdaySet[weekdayOf(day)]
}

func (x *expander) matchesMonth(c civil) bool {
	return len(x.months) == 0 || slices.Contains(x.months, c.month)
}

// matchesDay checks all parts that select days, except the month and the plain weekday.
func (x *expander) matchesDay(c civil) bool {
	return (len(x.monthDays) == 0 || containsNth(x.monthDays, c.day, c.monthDays)) &&
		(len(x.yearDays) == 0 || containsNth(x.yearDays, c.yearDay, c.yearDays)) &&
		(len(x.weekNumbers) == 0 || x.matchesWeek(c)) &&
		(len(x.days) == 0 || slices.ContainsFunc(x.days,
			func(d nthDay) bool { return d.day == c.weekday && x.isNth(d.n, c) }))
}

// isNth reports whether the day is the nth such weekday of its month or year. A shorter period has each weekday once,
// so the number means nothing there.
func (x *expander) isNth(n int, c civil) bool {
	at, of := c.yearDay, c.yearDays
	if x.nthInMonth {
		at, of = c.day, c.monthDays
	}
	return n == 0 || x.freq < monthly || containsNth([]int{n}, (at-1)/7+1, (at-1)/7+(of-at)/7+1)
}

// matchesWeek checks BYWEEKNO. A week belongs to the year that contains its fourth day (ISO 8601, but with the rule's
// own first day of the week).
func (x *expander) matchesWeek(c civil) bool {
	fourth := civilOf(c.date - int64(c.weekday-x.weekStart+7)%7 + 3)
	before, after := (fourth.yearDay-1)/7, (fourth.yearDays-fourth.yearDay)/7
	return containsNth(x.weekNumbers, before+1, before+after+1)
}

// containsNth reports whether list contains n, counted from either end of count things.
func containsNth(list []int, n, count int) bool {
	return slices.Contains(list, n) || slices.Contains(list, n-count-1)
}

// civil is a day with its position in month and year.
type civil struct {
	date                int64 // days since 1970
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

// months returns the number of months since year 0.
func (c civil) months() int64 { return c.year*12 + int64(c.month) - 1 }

// firstDayOf returns the first day of a month, given as months returns it.
func firstDayOf(months int64) int64 {
	// An interval may lead to years that time.Date cannot represent.
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
