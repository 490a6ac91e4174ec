package file

import (
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// parts are the parts of a file that have lists or names of their own.
var parts = []string{"schedules", "event_types", "calendars"}

func (r *reader) file(root *node) *File {
	file := &File{}
	w := &file.Workspace
	f := readObject(r, root, "", w, workspace.Fields, parts...)
	w.Schedules = r.schedules(f.parts["schedules"])
	for i, n := range f.list("event_types", "- slug: intro") {
		var e slotd.EventType
		readObject(r, n, fmt.Sprintf("event_types[%d]", i), &e, workspace.EventTypeFields)
		w.EventTypes = append(w.EventTypes, e)
	}
	f.calendars(file)
	return file
}

// schedules also returns schedules that have problems, so that event types that use them are not reported as well.
func (r *reader) schedules(n *node) map[string]slotd.Schedule {
	schedules := map[string]slotd.Schedule{}
	for _, m := range r.mapping(n, "schedules", "default: {weekly: …}") {
		schedules[m.name] = r.schedule(m.value, workspace.JoinPath("schedules", m.name))
	}
	return schedules
}

// mapping reads an object whose keys the owner chooses.
func (r *reader) mapping(n *node, path, example string) []member {
	if n == nil || !r.expect(n, object, path, say.T("must be a mapping, such as %s", example)) {
		return nil
	}
	for _, m := range n.members {
		r.lines[workspace.JoinPath(path, m.name)] = m.line
	}
	return n.members
}

func (r *reader) schedule(n *node, path string) (s slotd.Schedule) {
	readObject(r, n, path, &s, workspace.ScheduleFields)
	return s
}

// week has no entry for a day without windows: omitting a day and giving it an empty list mean the same.
func (r *reader) week(n *node, path string) map[time.Weekday][]slots.Window {
	days := r.object(n, path, workspace.Weekdays...)
	weekly := map[time.Weekday][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := workspace.DayName(day)
		if n := days.parts[name]; n != nil {
			if windows := r.windows(n, days.at(name)); len(windows) > 0 {
				weekly[day] = windows
			}
		}
	}
	return weekly
}

func (r *reader) dates(n *node, path, example string) map[zone.Date][]slots.Window {
	overrides := map[zone.Date][]slots.Window{}
	for _, m := range r.mapping(n, path, example) {
		at := workspace.JoinPath(path, m.name)
		date, err := zone.ParseDate(m.name)
		if err != nil {
			r.add(m.line, at, err.Error())
			continue
		}
		overrides[date] = r.windows(m.value, at)
	}
	return overrides
}

// windows also rejects null, which could mean either a closed day or the weekly hours.
func (r *reader) windows(n *node, path string) []slots.Window {
	items := r.list(n, path, say.T(`["09:00-12:00"], or [] for none`))
	windows := make([]slots.Window, 0, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		window, err := slots.ParseWindow(r.text(item, at))
		if err != nil && !r.hasProblem[at] {
			r.add(item.line, at, err.Error())
		}
		windows = append(windows, window)
	}
	return windows
}
