package google

import (
	"strings"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
)

// event is an event as Google sends it, with less of its lists.
type event struct {
	ID           string
	ETag         string
	Status       string
	ICalUID      string
	Transparency string
	EventType    string
	Series       string `json:"recurringEventId"`
	Original     moment `json:"originalStartTime"`
	Recurrence   rules
	Start, End   moment
	Attendees    attendees
}

// moment is a day, or an instant with the zone that it was entered in.
type moment struct {
	Date     string
	DateTime string
	TimeZone string
}

func (e event) mark() mark { return mark{e.ETag, e.Series, e.ICalUID} }

// text is when the event is, as iCalendar.
func (e event) text(r ical.Reader) (string, error) {
	times, err := e.times(r)
	if err != nil {
		return "", err
	}
	lines := append([]string{"UID:" + ical.EscapeText(e.ICalUID)}, times...)
	if e.Recurrence != "" {
		lines = append(lines, string(e.Recurrence))
	}
	if e.Status == "cancelled" {
		lines = append(lines, "STATUS:CANCELLED")
	}
	if e.free() {
		lines = append(lines, "TRANSP:TRANSPARENT")
	}
	return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		nil
}

// times: of a canceled instance Google says no more than when it would have been.
func (e event) times(r ical.Reader) (lines []string, err error) {
	named := []struct {
		name string
		at   moment
	}{{"DTSTART", e.Start}, {"DTEND", e.End}}
	if e.Status == "cancelled" {
		named = named[:1]
		named[0].at = e.Original
	}
	for _, t := range named {
		value, err := t.at.value(r, e.Recurrence != "")
		if err != nil {
			return nil, err
		}
		lines = append(lines, t.name+value)
	}
	if e.Series == "" {
		return lines, nil
	}
	value, err := e.Original.value(r, false)
	return append(lines, "RECURRENCE-ID"+value), err
}

// free: working locations and birthdays are marks on a day, for which Google allows no other transparency.
func (e event) free() bool {
	return e.Attendees.declined || e.Transparency == "transparent" || e.EventType == "workingLocation" ||
		e.EventType == "birthday"
}

// value is a property's parameters and value. Only a series needs its zone: its later instances follow that zone's
// clock.
func (m moment) value(r ical.Reader, repeats bool) (string, error) {
	if m.Date != "" {
		day, err := time.Parse(time.DateOnly, m.Date)
		if err != nil {
			return "", unreadable()
		}
		return ";VALUE=DATE:" + day.Format("20060102"), nil
	}
	at, err := time.Parse(time.RFC3339, m.DateTime)
	if err != nil {
		return "", unreadable()
	}
	if repeats && m.TimeZone != "" && m.TimeZone != "UTC" {
		return ";TZID=" + ical.QuoteParam(m.TimeZone) + ":" + at.In(m.zone(r, at)).Format("20060102T150405"), nil
	}
	return ":" + at.UTC().Format("20060102T150405Z"), nil
}

// zone is where the clock is read. One that is unknown here is unknown to the reader as well, which then widens the
// event.
func (m moment) zone(r ical.Reader, at time.Time) *time.Location {
	if r.Location != nil {
		if zone, err := r.Location(m.TimeZone); err == nil {
			return zone
		}
	}
	return at.Location()
}

func unreadable() error {
	return calendar.Errorf(calendar.Unusable, "Google sends an event whose times cannot be read.")
}
