package public

import (
	"fmt"
	"slices"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// month is a page of the calendar, counted from year 0.
type month int

func monthOf(d zone.Date) month {
	year, m, _ := d.UTC().Date()
	return month(year*12 + int(m) - 1)
}

// parseMonth reads YYYY-MM.
func parseMonth(s string) (month, bool) {
	d, err := zone.ParseDate(s + "-01")
	return monthOf(d), err == nil
}

func (m month) first() zone.Date { return zone.NewDate(int(m)/12, time.Month(m%12+1), 1) }

// String is what an address says: 2026-11.
func (m month) String() string { return fmt.Sprintf("%04d-%02d", int(m)/12, int(m)%12+1) }

// name is what a page says: November 2026.
func (m month) name() string { return fmt.Sprintf("%s %d", time.Month(m%12+1), int(m)/12) }

// span holds all of the month's instants in the zone, and a few more: where clocks are put back
// across midnight, yesterday comes again after today began.
func (m month) span(z *zone.Zone) slots.Span {
	return slots.Span{Start: z.Start(m.first(), 0), End: z.End((m + 1).first(), 0)}.Grow(repeated, repeated)
}

// No clock is put back by more.
const repeated = 3 * time.Hour

// openings are a month's open times, day by day.
type openings struct {
	month month
	days  map[zone.Date][]time.Time
	dates []zone.Date // those that have any, in order
}

// listing gathers what a page shows, and how long that holds.
type listing struct {
	query      slots.Query
	zone       *zone.Zone
	reach      slots.Span // where a change changes the page
	holdsUntil time.Time  // zero: for ever
	except     time.Time  // is not offered: a booking's own time
}

// open lists a month in the viewer's zone.
func (l *listing) open(m month) openings {
	span := m.span(l.zone)
	starts, holdsUntil := slots.Open(l.query, span)
	l.hold(l.query.Reach(span), holdsUntil)
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

// add takes a stretch of a day's times. A day has two where yesterday comes again after midnight.
func (o *openings) add(d zone.Date, times []time.Time, except time.Time) {
	if i := slices.IndexFunc(times, except.Equal); i >= 0 {
		times = slices.Delete(times, i, i+1)
	}
	if len(times) == 0 {
		return
	}
	if known, twice := o.days[d]; twice {
		o.days[d] = append(known, times...)
		return
	}
	o.dates = append(o.dates, d)
	o.days[d] = times
}

// hold narrows what the page may be kept for.
func (l *listing) hold(reach slots.Span, until time.Time) {
	if l.reach.Start.IsZero() || reach.Start.Before(l.reach.Start) {
		l.reach.Start = reach.Start
	}
	if reach.End.After(l.reach.End) {
		l.reach.End = reach.End
	}
	l.holdUntil(until)
}

func (l *listing) holdUntil(until time.Time) {
	if !until.IsZero() && (l.holdsUntil.IsZero() || until.Before(l.holdsUntil)) {
		l.holdsUntil = until
	}
}

// nearest are the three open times closest to one that is not.
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

// bounds are the months in which anything may be open.
func (l *listing) bounds() (first, last month) {
	return monthOf(l.zone.Date(l.query.Now)), monthOf(l.zone.Date(l.query.WindowEnds().Add(-1)))
}

// next finds the first month from m on that has open times; m itself if none has.
func (l *listing) next(m month) openings {
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
