package page

import (
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// ParseDay parses a date and reports whether bookings can be on it.
func ParseDay(text string) (zone.Date, bool) {
	d, err := zone.ParseDate(text)
	return d, err == nil && d >= zone.NewDate(2000, 1, 1) && d < zone.NewDate(2101, 1, 1)
}

// BrowserZone returns the browser's time zone, which the pages' script stores in a cookie.
func (v *Visit) BrowserZone() string {
	cookie, err := v.R.Cookie("slotd_zone")
	if err != nil {
		return ""
	}
	if _, err := zone.Load(cookie.Value); err != nil {
		return ""
	}
	return cookie.Value
}

// DefaultWeek returns the hours of a new schedule: Monday to Friday from 09:00 to 17:00.
func DefaultWeek() map[time.Weekday][]slots.Window {
	week := map[time.Weekday][]slots.Window{}
	for day := time.Monday; day <= time.Friday; day++ {
		week[day] = []slots.Window{{From: 9 * 60, Until: 17 * 60}}
	}
	return week
}
