package owner

import "slotd"

// standstill is that nobody can book, as a calendar was not read for too long.
type standstill struct {
	Calendars string
	Many      bool
	Since     string // when it was read last, if only one is the reason; empty: never, or there are several
}

// standstill is nil while guests can book.
func (v *visit) standstill() *standstill {
	var stale []*slotd.Calendar
	for i := range v.snapshot.Calendars {
		cal := &v.snapshot.Calendars[i]
		if read := v.snapshot.Busy.ReadBy(cal.ID, v.now); v.now.Sub(read) > cal.StaleAfter() {
			stale = append(stale, cal)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	var names []string
	for _, cal := range stale {
		names = append(names, cal.Name)
	}
	s := &standstill{Calendars: inList(names), Many: len(stale) > 1}
	if read := v.snapshot.Busy.ReadBy(stale[0].ID, v.now); !s.Many && !read.IsZero() {
		s.Since = v.local().ShortInstant(read)
	}
	return s
}
