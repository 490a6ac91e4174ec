package file

import (
	"slices"

	"slotd/internal/lib/say"
	"slotd/internal/workspace"

	"slotd"
)

func (d *changes) calendars(old, next []slotd.Calendar) {
	for i := range next {
		c := &next[i]
		index := slices.IndexFunc(old, func(o slotd.Calendar) bool { return o.Name == c.Name })
		if index < 0 {
			d.add(say.T("calendar %s: connected", scalar(c.Name)))
			continue
		}
		compare(d, "calendar "+scalar(c.Name)+": ", &old[index], c, workspace.CalendarFields)
	}
	if names := calendarNames(next); len(old) == len(next) && !slices.Equal(calendarNames(old), names) {
		if before := slices.Sorted(slices.Values(calendarNames(old))); slices.Equal(before,
			slices.Sorted(slices.Values(names))) {
			d.add(say.T("calendars: new order: %s", joined(names, scalar)))
		}
	}
	for _, o := range old {
		if !slices.ContainsFunc(next, func(c slotd.Calendar) bool { return c.Name == o.Name }) {
			d.add(say.T("calendar %s: disconnected", scalar(o.Name)))
		}
	}
}

func calendarNames(calendars []slotd.Calendar) (names []string) {
	for _, c := range calendars {
		names = append(names, c.Name)
	}
	return names
}
