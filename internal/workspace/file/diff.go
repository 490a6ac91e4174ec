package file

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// Diff describes in sentences what changes from old to next. It returns none if they mean the same. A nil old stands
// for a workspace that does not exist yet. Internal ids are ignored, and an empty list for a weekday equals an omitted
// weekday.
func Diff(old, next *slotd.Workspace) []string {
	var d changes
	if old == nil {
		d.add(say.T("workspace %s: created", next.Slug))
		old = &slotd.Workspace{}
	} else {
		compare(&d, "", old, next, workspace.Fields)
	}
	d.schedules(old.Schedules, next.Schedules)
	d.eventTypes(old.EventTypes, next.EventTypes)
	d.calendars(old.Calendars, next.Calendars)
	return d
}

type changes []string

func (d *changes) add(change string) { *d = append(*d, change) }

// fact is one field in readable form. Two values of a field have the same text only if they mean the same.
type fact struct{ name, value string }

// compare reports the fields that differ.
func compare[T any](d *changes, prefix string, old, next *T, fields []workspace.Field[T]) {
	after := facts(next, old, fields)
	for i, o := range facts(old, next, fields) {
		if n := after[i]; o.value != n.value {
			before, after := shortened(o.value, n.value)
			d.add(fmt.Sprintf("%s%s: %s → %s", prefix, o.name, before, after))
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return say.T("none")
	}
	return s
}

func (d *changes) eventTypes(old, next []slotd.EventType) {
	before := bySlug(old)
	for i := range next {
		e := &next[i]
		previous, known := before[e.Slug]
		prefix := say.T("event type %s: ", e.Slug)
		switch {
		case !known:
			d.add(say.T("event type %s: added", e.Slug))
			continue
		case previous.Retired && !e.Retired:
			d.add(say.T("event type %s: revived", e.Slug))
		}
		compare(d, prefix, previous, e, workspace.EventTypeFields)
	}
	after := bySlug(next)
	for _, e := range old {
		if current, exists := after[e.Slug]; !e.Retired && (!exists || current.Retired) {
			d.add(say.T("event type %s: retired", e.Slug))
		}
	}
	d.compareOrder(old, next)
}

func bySlug(types []slotd.EventType) map[string]*slotd.EventType {
	m := map[string]*slotd.EventType{}
	for i := range types {
		m[types[i].Slug] = &types[i]
	}
	return m
}

// compareOrder compares only the event types that are offered both before and after. The others have their own
// sentences, which imply their position.
func (d *changes) compareOrder(old, next []slotd.EventType) {
	before, after := liveSlugs(old), liveSlugs(next)
	notIn := func(in []string) func(string) bool {
		return func(slug string) bool { return !slices.Contains(in, slug) }
	}
	if !slices.Equal(slices.DeleteFunc(slices.Clone(before), notIn(after)),
		slices.DeleteFunc(slices.Clone(after), notIn(before))) {
		d.add(say.T("event types: new order: %s", strings.Join(after, ", ")))
	}
}

func liveSlugs(types []slotd.EventType) (slugs []string) {
	for _, e := range types {
		if !e.Retired {
			slugs = append(slugs, e.Slug)
		}
	}
	return slugs
}

func (d *changes) schedules(old, next map[string]slotd.Schedule) {
	for _, name := range slices.Sorted(maps.Keys(next)) {
		if previous, known := old[name]; known {
			now := next[name]
			compare(d, "schedule "+scalar(name)+": ", &previous, &now, workspace.ScheduleFields)
		} else {
			d.add(say.T("schedule %s: added", scalar(name)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if _, exists := next[name]; !exists {
			d.add(say.T("schedule %s: removed", scalar(name)))
		}
	}
}
