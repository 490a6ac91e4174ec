package mail

import (
	"time"

	"slotd/internal/zone"
)

const (
	longDay  = "Monday 2 January 2006"
	shortDay = "Mon 2 Jan 2006"
	clock    = "15:04"
)

// local is the time zone in which a mail speaks.
type local struct {
	name     string
	location *time.Location
}

// localZone falls back to UTC: a mail with a right time in another zone is better than none.
func localZone(name string) local {
	z, err := zone.Load(name)
	if err != nil {
		return local{"UTC", time.UTC}
	}
	return local{z.Name(), z.Location()}
}

// span is a meeting's time in words.
type span struct {
	Day   string // Tuesday 17 November 2026
	Hours string // 14:30–15:00
	Zone  string // Europe/Berlin, UTC+01:00
}

func (s span) String() string { return s.Day + ", " + s.Hours + " (" + s.Zone + ")" }

// span names whatever differs at the end: the date, and the offset if the clocks change meanwhile.
func (l local) span(start, end time.Time) span {
	start, end = start.In(l.location), end.In(l.location)
	day, from, until, dash, where := start.Format(longDay), start.Format(clock), end.Format(clock), "–", l.at(start)
	if endDay := end.Format(longDay); endDay != day {
		until, dash = endDay+", "+until, " – "
	}
	if offset(start) != offset(end) {
		from, until, dash, where = from+" "+offset(start), until+" "+offset(end), " – ", l.name
	}
	return span{day, from + dash + until, where}
}

func (l local) instant(t time.Time, day string) string {
	t = t.In(l.location)
	return t.Format(day) + ", " + t.Format(clock) + " (" + l.at(t) + ")"
}

// at is the zone's name and its offset at t.
func (l local) at(t time.Time) string {
	if l.name == "UTC" {
		return offset(t)
	}
	return l.name + ", " + offset(t)
}

func offset(t time.Time) string { return t.Format("UTC-07:00") }
