package google

import (
	"strings"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
)

// event is an event as Google sends it, with parts of its lists left out.
type event struct {
	ID           string
	ETag         string
	Status       string
	ICalUID      string
	Transparency string
	EventType    string
	Series       string    `json:"recurringEventId"`
	Original     eventTime `json:"originalStartTime"`
	Recurrence   rules
	Start, End   eventTime
	Attendees    attendees
}

// eventTime is a day, or an instant with the zone in which it was entered.
type eventTime struct {
	Date     string
	DateTime string
	TimeZone string
}

func (e event) itemTag() itemTag { return itemTag{e.ETag, e.Series, e.ICalUID} }

// text returns when the event is, as iCalendar.
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
	if e.isFree() {
		lines = append(lines, "TRANSP:TRANSPARENT")
	}
	return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		nil
}

// times returns the event's times as iCalendar lines. For a canceled instance, Google sends only its original start.
func (e event) times(r ical.Reader) (lines []string, err error) {
	properties := []struct {
		name string
		at   eventTime
	}{{"DTSTART", e.Start}, {"DTEND", e.End}}
	if e.Status == "cancelled" {
		properties = properties[:1]
		properties[0].at = e.Original
	}
	for _, p := range properties {
		value, err := p.at.value(r, e.Recurrence != "")
		if err != nil {
			return nil, err
		}
		lines = append(lines, p.name+value)
	}
	if e.Series == "" {
		return lines, nil
	}
	value, err := e.Original.value(r, false)
	return append(lines, "RECURRENCE-ID"+value), err
}

// isFree reports whether the event leaves the owner's time free. Working locations and birthdays only label a day;
// Google allows no other transparency for them.
func (e event) isFree() bool {
	return e.Attendees.declined || e.Transparency == "transparent" || e.EventType == "workingLocation" ||
		e.EventType == "birthday"
}

// value returns a property's parameters and value. Only a series needs its zone: its later instances follow that
// zone's clock.
func (m eventTime) value(r ical.Reader, isSeries bool) (string, error) {
	if m.Date != "" {
		day, err := time.Parse(time.DateOnly, m.Date)
		if err != nil {
			return "", unreadableError()
		}
		return ";VALUE=DATE:" + day.Format("20060102"), nil
	}
	at, err := time.Parse(time.RFC3339, m.DateTime)
	if err != nil {
		return "", unreadableError()
	}
	if isSeries && m.TimeZone != "" && m.TimeZone != "UTC" {
		return ";TZID=" + ical.QuoteParam(m.TimeZone) + ":" + at.In(m.zone(r, at)).Format("20060102T150405"), nil
	}
	return ":" + at.UTC().Format("20060102T150405Z"), nil
}

// zone returns the zone for the wall time. If it is unknown here, the reader does not know it either, and extends the
// event.
func (m eventTime) zone(r ical.Reader, at time.Time) *time.Location {
	if r.Location != nil {
		if zone, err := r.Location(m.TimeZone); err == nil {
			return zone
		}
	}
	return at.Location()
}

func unreadableError() error {
	return calendar.Errorf(calendar.Unusable, "Google sent an event whose times can't be read.")
}
