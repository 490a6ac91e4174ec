package file

import (
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/workspace"
)

func (r *reader) file(root *node) *File {
	f := r.object(root, "", "workspace", "host", "look", "embed", "schedules", "event_types",
		"calendars").require("workspace", "host")
	file := &File{}
	w := &file.Workspace
	f.identity(w)
	f.appearance(w)
	w.Schedules = r.schedules(f.parts["schedules"])
	types, _ := f.list("event_types", "- slug: intro")
	for i, n := range types {
		w.EventTypes = append(w.EventTypes, r.eventType(n, fmt.Sprintf("event_types[%d]", i)))
	}
	f.calendars(file)
	return file
}

func (f fields) identity(w *slotd.Workspace) {
	if f.parts["workspace"] != nil {
		part := f.object("workspace", "slug", "name", "time_zone").require("slug", "name", "time_zone")
		w.Slug, w.Name, w.TimeZone = part.text("slug"), part.text("name"), part.text("time_zone")
	}
	if f.parts["host"] != nil {
		part := f.object("host", "name", "email").require("name", "email")
		w.Host = slotd.Host{Name: part.text("name"), Email: part.text("email")}
	}
}

func (f fields) appearance(w *slotd.Workspace) {
	look := f.object("look", "accent", "logo")
	w.Look = slotd.Look{Accent: look.text("accent"), Logo: look.text("logo")}
	embed := f.object("embed", "allowed_sites")
	sites, _ := embed.list("allowed_sites", `["https://acme.example"]`)
	for i, n := range sites {
		w.Embed.AllowedSites = append(w.Embed.AllowedSites, f.r.item(n, fmt.Sprintf("embed.allowed_sites[%d]", i)))
	}
}

func (r *reader) item(n *node, path string) string {
	if n.kind != plain && n.kind != quotedText {
		r.add(n.line, path, "must be text")
	}
	return n.text
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
	if n == nil || !r.expect(n, object, path, "must be a mapping, such as "+example) {
		return nil
	}
	for _, m := range n.members {
		r.lines[workspace.JoinPath(path, m.name)] = m.line
	}
	return n.members
}

func (r *reader) schedule(n *node, path string) slotd.Schedule {
	f := r.object(n, path, "time_zone", "weekly", "overrides").require("weekly")
	return slotd.Schedule{
		TimeZone:  f.text("time_zone"),
		Weekly:    f.weekly(),
		Overrides: r.overrides(f.parts["overrides"], f.at("overrides")),
	}
}

// weekly has no entry for a day without windows: omitting a day and giving it an empty list mean the same.
func (f fields) weekly() map[time.Weekday][]slots.Window {
	days := f.object("weekly", workspace.Weekdays...)
	weekly := map[time.Weekday][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := workspace.DayName(day)
		if n := days.parts[name]; n != nil {
			if windows := f.r.windows(n, days.at(name)); len(windows) > 0 {
				weekly[day] = windows
			}
		}
	}
	return weekly
}

func (r *reader) overrides(n *node, path string) map[zone.Date][]slots.Window {
	overrides := map[zone.Date][]slots.Window{}
	for _, m := range r.mapping(n, path, `{"2026-12-24": []}`) {
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
	items := r.list(n, path, `["09:00-12:00"], or [] for none`)
	windows := make([]slots.Window, 0, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		window, err := slots.ParseWindow(r.item(item, at))
		if err != nil && !r.hasProblem[at] {
			r.add(item.line, at, err.Error())
		}
		windows = append(windows, window)
	}
	return windows
}
