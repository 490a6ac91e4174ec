package manifest

import (
	"slices"
	"strconv"

	"slotd"
)

func (d *changes) calendars(old, next []slotd.Calendar) {
	for i := range next {
		c := &next[i]
		at := slices.IndexFunc(old, func(o slotd.Calendar) bool { return o.Name == c.Name })
		if at < 0 {
			d.say("calendar %s: connected", scalar(c.Name))
			continue
		}
		d.compare("calendar "+scalar(c.Name)+": ", calendarFacts(&old[at]), calendarFacts(c))
	}
	for _, o := range old {
		if !slices.ContainsFunc(next, func(c slotd.Calendar) bool { return c.Name == o.Name }) {
			d.say("calendar %s: disconnected", scalar(o.Name))
		}
	}
}

func calendarFacts(c *slotd.Calendar) []fact {
	return []fact{
		{"type", string(c.Type)},
		{"url", quoted(c.URL)},
		{"username", quoted(c.Username)},
		{"calendar", quoted(c.Calendar)},
		{"write_back", strconv.FormatBool(c.WriteBack)},
		{"stale_after_minutes", strconv.Itoa(c.StaleAfterMinutes)},
	}
}
