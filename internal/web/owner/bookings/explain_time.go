package bookings

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/zone"
)

// askedTime is the instant that was asked about, with a note if the wall clock is ambiguous.
type askedTime struct {
	at        time.Time
	clockNote string
	other     time.Time // the second instant at which the clock shows the same time; zero: none
}

type pasted struct{ instant, workspace, event string }

// pasted splits the address of a booking page. It takes anything else for an instant.
func (c *explainContent) pasted() pasted {
	u, err := url.Parse(c.At)
	if err != nil || u.Host == "" && u.RawQuery == "" {
		return pasted{instant: c.At}
	}
	p := pasted{instant: u.Query().Get("slot")}
	if parts := strings.Split(strings.Trim(u.Path, "/"), "/"); len(parts) == 2 {
		p.workspace, p.event = parts[0], parts[1]
	}
	return p
}

// asked returns the time that was pasted or typed.
func (c *explainContent) asked(z *zone.Zone, p pasted) (m askedTime) {
	if c.At == "" {
		return c.typed(z)
	}
	// A plus sign in an address is decoded as a space.
	at, reason := slotd.ParseInstant(strings.ReplaceAll(p.instant, " ", "+"))
	if reason != "" {
		c.AddProblem("at", "What you pasted "+reason+", or the address of a booking page with ?slot= in it.")
		return m
	}
	wall := at.In(z.Location())
	c.Date, c.Time = wall.Format("2006-01-02"), wall.Format("15:04")
	return askedTime{at: at}
}

// typed finds the instant of a wall clock time, by the same rule that decides when a window begins.
func (c *explainContent) typed(z *zone.Zone) (m askedTime) {
	date, err := zone.ParseDate(c.Date)
	if err != nil {
		c.AddProblem("date", "The date must be one of the years 2000 to 2100, such as 2027-01-31.")
	}
	minute, ok := minuteOf(c.Time)
	if !ok {
		c.AddProblem("time", "The time must be one of the clock, such as 14:30.")
	}
	if len(c.Problems) > 0 {
		return m
	}
	m.at = z.Start(date, minute)
	if shown := m.at.In(z.Location()).Format("2006-01-02 15:04"); shown != c.Date+" "+c.Time {
		m.clockNote = "The clocks skip " + c.Time + " on this date: the first instant after that is meant."
	} else if z.Repeats(m.at) {
		m.clockNote, m.other = "The clocks show "+c.Time+" twice on this date: the first time is meant.",
			secondTime(z, m.at)
	}
	return m
}

// secondTime returns when the clock shows the same time again after it is put back.
func secondTime(z *zone.Zone, first time.Time) time.Time {
	_, before := first.In(z.Location()).Zone()
	_, after := z.NextChange(first).In(z.Location()).Zone()
	return first.Add(time.Duration(before-after) * time.Second)
}

func minuteOf(text string) (int, bool) {
	hour, minute, ok := strings.Cut(text, ":")
	h, errHour := strconv.ParseUint(hour, 10, 8)
	m, errMinute := strconv.ParseUint(minute, 10, 8)
	return int(h*60 + m), ok && len(text) == 5 && errHour == nil && errMinute == nil && h < 24 && m < 60
}
