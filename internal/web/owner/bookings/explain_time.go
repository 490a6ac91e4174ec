package bookings

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
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
		c.AddProblem("at", say.T("What you pasted can't be used: it %s. Paste a time, or the link to a booking page "+
			"with ?slot= in it.", reason))
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
		c.AddProblem("date", say.T("The date must be between 2000 and 2100, such as 2027-01-31."))
	}
	minute, ok := minuteOf(c.Time)
	if !ok {
		c.AddProblem("time", say.T("The time must have hours and minutes, such as 14:30."))
	}
	if len(c.Problems) > 0 {
		return m
	}
	m.at = z.Start(date, minute)
	if shown := m.at.In(z.Location()).Format("2006-01-02 15:04"); shown != c.Date+" "+c.Time {
		m.clockNote = say.T("The clocks skip %s on this date. This is about the first moment after that.", c.Time)
	} else if z.Repeats(m.at) {
		m.clockNote = say.T("The clocks show %s twice on this date. This is about the first time.", c.Time)
		m.other = secondTime(z, m.at)
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
