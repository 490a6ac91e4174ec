package public

import (
	"fmt"
	"strconv"
	"time"

	"slotd"
	"slotd/internal/zone"
)

// calendarView is a month to choose a day from, and a day to choose a time from.
type calendarView struct {
	Month      string // November 2026
	Prev, Next string // links; empty: there is nothing
	Weekdays   []time.Weekday
	Weeks      [][7]dayCell

	Day    string     // Tuesday 17 November, whose times are shown
	Times  []timeLink // empty: the month has none
	Missed string     // a day that was asked for and has none
	Later  *namedLink // an empty month's next one that has times
	Status string     // what a screen reader is told when the month changes
	at     time.Time  // the first of the times
}

// dayCell is one field of the month; those before the first and after the last are empty.
type dayCell struct {
	ID, Number string
	Name       string // Tuesday 17 November
	Times      int
	Href       string // empty: nothing is open
	Chosen     bool
	Today      bool
}

type timeLink struct{ ID, Href, Name, Text string }

type namedLink struct{ Href, Text string }

// newCalendar shows the month that was asked for, or else the first that has open times; in it the
// day that was asked for, or else the first that has.
func newCalendar(l *listing, v viewer, ask asked, to address) *calendarView {
	first, last := l.bounds()
	var o openings
	if ask.month == 0 {
		o = l.next(first)
	} else {
		o = l.open(min(max(ask.month, first), last))
	}
	c := &calendarView{Month: o.month.name(), Status: status(o)}
	for i := range 7 {
		c.Weekdays = append(c.Weekdays, (v.first+time.Weekday(i))%7)
	}
	if o.month > first {
		c.Prev = to.with("month", (o.month - 1).String())
	}
	if o.month < last {
		c.Next = to.with("month", (o.month + 1).String())
	}
	chosen := c.choose(o, v, ask.date, to)
	c.fill(o, v, chosen, l.zone.Date(l.query.Now), to)
	if len(o.dates) == 0 && o.month < last {
		if later := l.next(o.month + 1); len(later.dates) > 0 {
			c.Later = &namedLink{to.with("month", later.month.String()), later.month.name()}
		}
	}
	l.holdUntil(l.zone.Start(l.zone.Date(l.query.Now)+1, 0)) // today is marked
	return c
}

func status(o openings) string {
	switch len(o.dates) {
	case 0:
		return o.month.name() + ": no open times"
	case 1:
		return o.month.name() + ": 1 day with open times"
	}
	return fmt.Sprintf("%s: %d days with open times", o.month.name(), len(o.dates))
}

// choose lists a day's times.
func (c *calendarView) choose(o openings, v viewer, date zone.Date, to address) (chosen zone.Date) {
	if len(o.dates) == 0 {
		return 0
	}
	chosen = o.dates[0]
	if _, open := o.days[date]; open {
		chosen = date
	} else if date != 0 && monthOf(date) == o.month {
		c.Missed = nameOf(date)
	}
	c.Day, c.at = nameOf(chosen), o.days[chosen][0]
	for _, t := range o.days[chosen] {
		text, instant := v.local.Time(t), slotd.Instant(t)
		c.Times = append(c.Times, timeLink{"t" + strconv.FormatInt(t.Unix(), 36), to.with("slot", instant), c.Day + ", " + text, text})
	}
	return chosen
}

// fill lays the dates out in weeks.
func (c *calendarView) fill(o openings, v viewer, chosen, today zone.Date, to address) {
	first, end := o.month.first(), (o.month + 1).first()
	column := (int(first.Weekday()) - int(v.first) + 7) % 7
	for d := first; d < end; d++ {
		if column == 0 || d == first {
			c.Weeks = append(c.Weeks, [7]dayCell{})
		}
		cell := &c.Weeks[len(c.Weeks)-1][column]
		*cell = dayCell{ID: "d" + strconv.Itoa(int(d)), Number: strconv.Itoa(int(d-first) + 1), Today: d == today}
		if times := len(o.days[d]); times > 0 {
			cell.Name, cell.Times, cell.Href, cell.Chosen = nameOf(d), times, to.with("date", d.String()), d == chosen
		}
		column = (column + 1) % 7
	}
}

// nameOf is a day's full name: Tuesday 17 November.
func nameOf(d zone.Date) string {
	_, m, day := d.UTC().Date()
	return d.Weekday().String() + " " + strconv.Itoa(day) + " " + m.String()
}
