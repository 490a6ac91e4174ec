package page

import "slotd"

// PausedNotice says that nobody can book because a calendar has not been read for too long.
type PausedNotice struct {
	Calendars string
	Many      bool
	Since     string // when it was last read, if a single calendar is the reason; empty: never, or there are several
}

// Paused returns nil while guests can book.
func (v *Visit) Paused() *PausedNotice {
	var stale []*slotd.Calendar
	for i := range v.Snapshot.Calendars {
		cal := &v.Snapshot.Calendars[i]
		if read := v.Snapshot.Busy.ReadBy(cal.ID, v.Now); v.Now.Sub(read) > cal.StaleAfter() {
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
	s := &PausedNotice{Calendars: JoinNames(names), Many: len(stale) > 1}
	if read := v.Snapshot.Busy.ReadBy(stale[0].ID, v.Now); !s.Many && !read.IsZero() {
		s.Since = v.Local().ShortInstant(read)
	}
	return s
}
