// Package when says instants in words: one renderer for pages and mails, the zone's name always
// beside the time. It decides no time, and it asks no clock.
package when

import (
	"strconv"
	"strings"
	"time"

	"slotd/internal/availability/zone"
)

// Local is a zone and a kind of clock. The zero Local is UTC with 24 hours.
type Local struct {
	zone   *zone.Zone // nil: UTC
	twelve bool
}

// In speaks of the zone's times as 14:30, or with twelve as 2:30 pm.
func In(z *zone.Zone, twelve bool) Local { return Local{z, twelve} }

// InNamed falls back to UTC: a right time in another zone is better than none. That must not fail
// either, so UTC needs no tz database.
func InNamed(name string, twelve bool) Local {
	z, err := zone.Load(name)
	if err != nil {
		z, _ = zone.Load("UTC")
	}
	return In(z, twelve)
}

// Zone is nil only where the tz database cannot be read.
func (l Local) Zone() *zone.Zone { return l.zone }

// ZoneName is the zone's IANA name: Europe/Berlin.
func (l Local) ZoneName() string {
	if l.zone == nil {
		return "UTC"
	}
	return l.zone.Name()
}

// Twelve reports whether hours are counted to twelve.
func (l Local) Twelve() bool { return l.twelve }

// Day is Tuesday 17 November 2026.
func (l Local) Day(t time.Time) string {
	return l.DayOfYear(t) + " " + strconv.Itoa(l.wall(t).Year())
}

// DayOfYear is Tuesday 17 November. A page of times asks for it, and for Time, a hundred times:
// both make one allocation and do without Time.Format.
func (l Local) DayOfYear(t time.Time) string {
	t = l.wall(t)
	_, month, day := t.Date()
	return t.Weekday().String() + " " + strconv.Itoa(day) + " " + month.String()
}

// Time is 14:30 or 2:30 pm, and 01:30 (UTC-04:00) where clocks are put back and show it twice.
func (l Local) Time(t time.Time) string {
	if l.zone != nil && l.zone.Repeats(t) {
		return l.clock(t) + " (" + l.offset(t) + ")"
	}
	return l.clock(t)
}

// At is the zone's name and its offset at t: Europe/Berlin, UTC+01:00.
func (l Local) At(t time.Time) string {
	// The names of zones such as Etc/GMT-2 count the other way.
	if name := l.ZoneName(); name == "UTC" || strings.HasPrefix(name, "Etc/GMT") {
		return l.offset(t)
	}
	return l.ZoneName() + ", " + l.offset(t)
}

// Instant is Tuesday 17 November 2026, 14:30 (Europe/Berlin, UTC+01:00).
func (l Local) Instant(t time.Time) string {
	return l.Day(t) + ", " + l.clock(t) + " (" + l.At(t) + ")"
}

// ShortInstant is Tue 17 Nov 2026, 14:30 (Europe/Berlin, UTC+01:00).
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
