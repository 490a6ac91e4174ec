package public

import (
	"fmt"
	"slices"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// month is a calendar month, counted from January of year 0.
type month int

func monthOf(d zone.Date) month {
	year, m, _ := d.UTC().Date()
	return month(year*12 + int(m) - 1)
}

// parseMonth parses YYYY-MM.
func parseMonth(s string) (month, bool) {
	d, err := zone.ParseDate(s + "-01")
	return monthOf(d), err == nil
}

func (m month) first() zone.Date { return zone.NewDate(int(m)/12, time.Month(m%12+1), 1) }

// String returns the month as URLs have it, such as 2026-11.
func (m month) String() string { return fmt.Sprintf("%04d-%02d", int(m)/12, int(m)%12+1) }

// name returns the month as pages show it, such as November 2026.
func (m month) name() string { return fmt.Sprintf("%s %d", time.Month(m%12+1), int(m)/12) }

// span returns a span with all of the month's instants in the zone and a few more: where clocks go back across
// midnight, the previous day resumes after the next one began.
func (m month) span(z *zone.Zone) slots.Span {
	return slots.Span{Start: z.Start(m.first(), 0), End: z.End((m + 1).first(), 0)}.Grow(maxClockShift, maxClockShift)
}

// No clock goes back by more than maxClockShift.
const maxClockShift = 3 * time.Hour

// openings are a month's open times, day by day.
type openings struct {
	month month
	days  map[zone.Date][]time.Time
	dates []zone.Date // the days with open times, in order
}

// listing lists open times for a page and records for how long the page is valid.
type listing struct {
	query      slots.Query
	zone       *zone.Zone
	reach      slots.Span // a change in this span can change the page
	validUntil time.Time  // zero if forever
	except     time.Time  // not offered: the time of the booking to be moved
}

// open returns a month's open times in the viewer's zone.
func (l *listing) open(m month) openings {
	span := m.span(l.zone)
	starts, validUntil := slots.Open(l.query, span)
	l.dependOn(l.query.Reach(span), validUntil)
	o := openings{month: m, days: make(map[zone.Date][]time.Time, 31)}
	first, end := m.first(), (m + 1).first()
	for len(starts) > 0 {
		d, n := l.zone.Date(starts[0]), 1
		for n < len(starts) && l.zone.Date(starts[n]) == d {
			n++
		}
		if d >= first && d < end {
			o.add(d, starts[:n:n], l.except)
		}
		starts = starts[n:]
	}
	return o
}

// add adds consecutive times of a day. A day comes in two parts where clocks go back across midnight.
func (o *openings) add(d zone.Date, times []time.Time, except time.Time) {
	if i := slices.IndexFunc(times, except.Equal); i >= 0 {
		times = slices.Delete(times, i, i+1)
	}
	if len(times) == 0 {
		return
	}
	if earlier, ok := o.days[d]; ok {
		o.days[d] = append(earlier, times...)
		return
	}
	o.dates = append(o.dates, d)
	o.days[d] = times
}

// dependOn records that the page depends on the span and is valid until the given time.
func (l *listing) dependOn(reach slots.Span, until time.Time) {
	if l.reach.Start.IsZero() || reach.Start.Before(l.reach.Start) {
		l.reach.Start = reach.Start
	}
	if reach.End.After(l.reach.End) {
		l.reach.End = reach.End
	}
	l.limitValidity(until)
}

// limitValidity records that the page is valid until the given time at most; the zero time is no limit.
func (l *listing) limitValidity(until time.Time) {
	if !until.IsZero() && (l.validUntil.IsZero() || until.Before(l.validUntil)) {
		l.validUntil = until
	}
}

// nearest returns the three open times closest to t, which is not open.
func (l *listing) nearest(t time.Time) []time.Time {
	near := slices.DeleteFunc(slots.Nearest(l.query, t, 4), l.except.Equal)
	if len(near) < 4 {
		return near
	}
	if t.Sub(near[0]) > near[3].Sub(t) {
		return near[1:]
	}
	return near[:3]
}

// bounds returns the first and the last month that can have open times.
func (l *listing) bounds() (first, last month) {
	return monthOf(l.zone.Date(l.query.Now)), monthOf(l.zone.Date(l.query.WindowEnd().Add(-1)))
}

// firstOpenFrom returns the first month from m on with open times, or m if there is none.
func (l *listing) firstOpenFrom(m month) openings {
	_, last := l.bounds()
	first := l.open(m)
	for o := first; ; o = l.open(m) {
		if len(o.dates) > 0 {
			return o
		}
		if m++; m > last {
			return first
		}
	}
}
