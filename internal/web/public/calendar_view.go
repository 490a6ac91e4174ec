package public

import (
	"html/template"
	"slices"
	"strconv"
	"time"

	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// calendarView is a month to choose a day from, and a day to choose a time from.
type calendarView struct {
	Month      string        // November 2026
	Prev, Next string        // links; empty if there is nothing
	Grid       template.HTML // the month's days
	Status     string        // what screen readers announce when the month changes

	Day       string        // Tuesday 17 November, whose times are shown
	DayStatus string        // Tuesday 17 November: 12 available times
	Times     template.HTML // to choose from; empty if the month has none
	EmptyDay  string        // the selected day, if it has no open times
	NextOpen  *namedLink    // for an empty month: the next one with open times

	firstTime time.Time // the first of the times
}

// timeLink is a time that is offered outside the calendar.
type timeLink struct{ Href, Slot, Name string }

type namedLink struct{ Href, Text string }

// newCalendar shows the selected month, or the first one with open times, and in it the selected day, or the first one
// with open times.
func newCalendar(l *listing, v viewer, sel selection, to pageURL) *calendarView {
	first, last := l.bounds()
	var o openings
	if sel.month == 0 {
		o = l.firstOpenFrom(first)
	} else {
		o = l.open(sel.month)
	}
	c := &calendarView{Month: o.month.name(), Status: status(o)}
	if o.month > first {
		c.Prev = to.with("month", (o.month - 1).String())
	}
	if o.month < last {
		c.Next = to.with("month", (o.month + 1).String())
	}
	chosen := c.choose(o, v, sel.date, to)
	today := l.zone.Date(l.query.Now)
	c.Grid = grid(o, v.firstWeekday, chosen, today, to)
	l.limitValidity(l.zone.Start(today+1, 0))       // the page highlights today
	l.limitValidity(l.zone.NextChange(l.query.Now)) // a month without times shows the current offset
	if len(o.dates) == 0 && o.month < last {
		if next := l.firstOpenFrom(o.month + 1); len(next.dates) > 0 {
			c.NextOpen = &namedLink{to.with("month", next.month.String()), next.month.name()}
		}
	}
	return c
}

func status(o openings) string {
	if len(o.dates) == 0 {
		return say.T("%s: no available times", o.month.name())
	}
	return say.N(len(o.dates), "%[2]s: %[1]d day with available times", "%[2]s: %[1]d days with available times",
		o.month.name())
}

// choose lists the times of date. If it has none, choose takes the next day of the month that has some, or the last.
func (c *calendarView) choose(o openings, v viewer, date zone.Date, to pageURL) (chosen zone.Date) {
	if len(o.dates) == 0 {
		return 0
	}
	chosen = o.dates[0]
	if date != 0 && monthOf(date) == o.month {
		next, open := slices.BinarySearch(o.dates, date)
		chosen = o.dates[min(next, len(o.dates)-1)]
		if !open {
			c.EmptyDay = dayName(date)
		}
	}
	c.Day, c.firstTime = dayName(chosen), o.days[chosen][0]
	c.DayStatus = say.N(len(o.days[chosen]), "%[2]s: %[1]d available time", "%[2]s: %[1]d available times", c.Day)
	c.Times = timeList(o.days[chosen], c.Day, v.local, to)
	return chosen
}

// dayName returns a day's full name, such as Tuesday 17 November.
func dayName(d zone.Date) string {
	_, m, day := d.UTC().Date()
	return d.Weekday().String() + " " + strconv.Itoa(day) + " " + m.String()
}
