// Package when formats instants for people, in the same way on pages and in mails, and always with the name of the
// zone. It makes no decisions about times and reads no clock.
package when

import (
	"strconv"
	"strings"
	"time"

	"slotd/internal/availability/zone"
)

// Local is a zone and a clock format. The zero Local is UTC with a 24-hour clock.
type Local struct {
	zone       *zone.Zone // nil: UTC
	twelveHour bool
}

// In returns a Local that formats the zone's times as 14:30, or as 2:30 pm if twelveHour is set.
func In(z *zone.Zone, twelveHour bool) Local { return Local{z, twelveHour} }

// InNamed is like In, but takes the zone's name. It falls back to UTC if the zone cannot be loaded: a correct time in
// another zone is better than none. The fallback must not fail either, so a nil zone means UTC and needs no tz
// database.
func InNamed(name string, twelveHour bool) Local {
	z, err := zone.Load(name)
	if err != nil {
		z, _ = zone.Load("UTC")
	}
	return In(z, twelveHour)
}

// Zone returns the zone. It is nil only if the tz database cannot be read.
func (l Local) Zone() *zone.Zone { return l.zone }

// ZoneName returns the zone's IANA name: Europe/Berlin.
func (l Local) ZoneName() string {
	if l.zone == nil {
		return "UTC"
	}
	return l.zone.Name()
}

// TwelveHour reports whether times use the twelve-hour clock.
func (l Local) TwelveHour() bool { return l.twelveHour }

// Day returns the date: Tuesday 17 November 2026.
func (l Local) Day(t time.Time) string {
	return l.DayOfYear(t) + " " + strconv.Itoa(l.wall(t).Year())
}

// DayOfYear returns the date without the year: Tuesday 17 November. A page of times calls DayOfYear and Time a hundred
// times, so both allocate only once and do not use Time.Format.
func (l Local) DayOfYear(t time.Time) string {
	t = l.wall(t)
	_, month, day := t.Date()
	return t.Weekday().String() + " " + strconv.Itoa(day) + " " + month.String()
}

// Time returns 14:30 or 2:30 pm, or 01:30 (UTC-04:00) if clocks are set back and show the time twice.
func (l Local) Time(t time.Time) string {
	if l.zone != nil && l.zone.Repeats(t) {
		return l.clock(t) + " (" + l.offset(t) + ")"
	}
	return l.clock(t)
}

// At returns the zone's name and its offset at t: Europe/Berlin, UTC+01:00.
func (l Local) At(t time.Time) string {
	// The names of zones such as Etc/GMT-2 have the opposite sign of the offset.
	if name := l.ZoneName(); name == "UTC" || strings.HasPrefix(name, "Etc/GMT") {
		return l.offset(t)
	}
	return l.ZoneName() + ", " + l.offset(t)
}

// Instant returns date, time and zone: Tuesday 17 November 2026, 14:30 (Europe/Berlin, UTC+01:00).
func (l Local) Instant(t time.Time) string {
	return l.Day(t) + ", " + l.clock(t) + " (" + l.At(t) + ")"
}

// ShortInstant is a shorter form of Instant: Tue 17 Nov 2026, 14:30 (Europe/Berlin, UTC+01:00).
func (l Local) ShortInstant(t time.Time) string {
	return l.wall(t).Format("Mon 2 Jan 2006") + ", " + l.clock(t) + " (" + l.At(t) + ")"
}

func (l Local) wall(t time.Time) time.Time {
	if l.zone == nil {
		return t.UTC()
	}
	return t.In(l.zone.Location())
}

func (l Local) offset(t time.Time) string { return l.wall(t).Format("UTC-07:00") }
