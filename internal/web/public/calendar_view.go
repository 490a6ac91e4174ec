package public

import (
	"html/template"
	"slices"
	"strconv"
	"time"

	"slotd/internal/availability/zone"
)

// calendarView is a month to choose a day from, and a day to choose a time from.
type calendarView struct {
	Month      string        // November 2026
	Prev, Next string        // links; empty: there is nothing
	Grid       template.HTML // the month's days
	Status     string        // what a screen reader is told when the month changes

	Day    string        // Tuesday 17 November, whose times are shown
	Count  string        // 12 open times
	Times  template.HTML // to choose from; empty: the month has none
	Missed string        // a day that was asked for and has none
	Later  *namedLink    // an empty month's next one that has times

	at time.Time // the first of the times
}

// timeLink is a time to choose, outside the calendar.
type timeLink struct{ Href, Slot, Name string }

type namedLink struct{ Href, Text string }

// newCalendar shows the month that was asked for, or else the first that has open times; in it the
// day that was asked for, or else the first that has.
func newCalendar(l *listing, v viewer, ask asked, to address) *calendarView {
	first, last := l.bounds()
	var o openings
	if ask.month == 0 {
		o = l.next(first)
	} else {
		o = l.open(ask.month)
	}
	c := &calendarView{Month: o.month.name(), Status: status(o)}
	if o.month > first {
		c.Prev = to.with("month", (o.month - 1).String())
	}
	if o.month < last {
		c.Next = to.with("month", (o.month + 1).String())
	}
	chosen := c.choose(o, v, ask.date, to)
	today := l.zone.Date(l.query.Now)
	c.Grid = grid(o, v.first, chosen, today, to)
	l.holdUntil(l.zone.Start(today+1, 0))       // today is marked
	l.holdUntil(l.zone.NextChange(l.query.Now)) // a month without times names the offset of now
	if len(o.dates) == 0 && o.month < last {
		if later := l.next(o.month + 1); len(later.dates) > 0 {
			c.Later = &namedLink{to.with("month", later.month.String()), later.month.name()}
		}
	}
	return c
}

func status(o openings) string {
	if len(o.dates) == 0 {
		return o.month.name() + ": no open times"
	}
	return o.month.name() + ": " + count(len(o.dates), "day") + " with open times"
}

// choose lists a day's times: where the day has none, those of the next in the month, or of the last.
func (c *calendarView) choose(o openings, v viewer, date zone.Date, to address) (chosen zone.Date) {
	if len(o.dates) == 0 {
		return 0
	}
	chosen = o.dates[0]
	if date != 0 && monthOf(date) == o.month {
		next, open := slices.BinarySearch(o.dates, date)
		chosen = o.dates[min(next, len(o.dates)-1)]
		if !open {
			c.Missed = nameOf(date)
		}
	}
	c.Day, c.at = nameOf(chosen), o.days[chosen][0]
	c.Count = count(len(o.days[chosen]), "open time")
	c.Times = timeList(o.days[chosen], c.Day, v.local, to)
	return chosen
}

// nameOf is a day's full name: Tuesday 17 November.
func nameOf(d zone.Date) string {
	_, m, day := d.UTC().Date()
	return d.Weekday().String() + " " + strconv.Itoa(day) + " " + m.String()
}
