package page

import (
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// parseDay takes the days that bookings can be on.
func ParseDay(text string) (zone.Date, bool) {
	d, err := zone.ParseDate(text)
	return d, err == nil && d >= zone.NewDate(2000, 1, 1) && d < zone.NewDate(2101, 1, 1)
}

// findZone takes a zone's name, or a city.
func FindZone(text string) (string, bool) {
	if _, err := zone.Load(text); err == nil {
		return text, true
	}
	found, exact := zone.Find(text, 1)
	if exact && len(found) > 0 {
		return found[0].Zone, true
	}
	return "", false
}

// browserZone is the one that the pages' script has remembered.
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

func DefaultWeek() map[time.Weekday][]slots.Window {
	week := map[time.Weekday][]slots.Window{}
	for day := time.Monday; day <= time.Friday; day++ {
		week[day] = []slots.Window{{From: 9 * 60, Until: 17 * 60}}
	}
	return week
}
