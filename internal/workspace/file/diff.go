package file

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"slotd"
)

// Diff says in sentences what turning old into next changes; none if they mean the same. A nil old is a workspace that
// does not exist yet. Identifiers of ours do not count, nor does a weekday with an empty list beside one that is left
// out.
func Diff(old, next *slotd.Workspace) []string {
	var d changes
	if old == nil {
		d.say("workspace %s: created", next.Slug)
		old = &slotd.Workspace{}
	} else {
		d.compare("", facts(old), facts(next))
	}
	d.schedules(old.Schedules, next.Schedules)
	d.eventTypes(old.EventTypes, next.EventTypes)
	d.calendars(old.Calendars, next.Calendars)
	return d
}

type changes []string

func (d *changes) say(format string, args ...any) { *d = append(*d, fmt.Sprintf(format, args...)) }

// fact is one field as a person reads it. Two values of a field read the same only if they mean the same.
type fact struct{ name, value string }

// compare takes the facts of two things of one kind, which name the same fields in the same order.
func (d *changes) compare(of string, old, next []fact) {
	for i, o := range old {
		if n := next[i]; o.value != n.value {
			before, after := shortened(o.value, n.value)
			d.say("%s%s: %s → %s", of, o.name, before, after)
		}
	}
}

func facts(w *slotd.Workspace) []fact {
	return []fact{
		{"workspace slug", quoted(w.Slug)},
		{"workspace name", quoted(w.Name)},
		{"workspace time_zone", quoted(w.TimeZone)},
		{"host name", quoted(w.Host.Name)},
		{"host email", quoted(w.Host.Email)},
		{"look accent", quoted(w.Look.Accent)},
		{"look logo", quoted(w.Look.Logo)},
		{"embed allowed_sites", orNone(joined(w.Embed.AllowedSites, quoted))},
	}
}

func quoted(s string) string {
	if s == "" {
		return "none"
	}
	return fmt.Sprintf("%q", s)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (d *changes) eventTypes(old, next []slotd.EventType) {
	before := bySlug(old)
	for i := range next {
		e := &next[i]
		was, known := before[e.Slug]
		of := "event type " + e.Slug + ": "
		switch {
		case !known:
			d.say("%sadded", of)
			continue
		case was.Retired && !e.Retired:
			d.say("%srevived", of)
		}
		d.compare(of, eventTypeFacts(was), eventTypeFacts(e))
	}
	after := bySlug(next)
	for _, e := range old {
		if now, kept := after[e.Slug]; !e.Retired && (!kept || now.Retired) {
			d.say("event type %s: retired", e.Slug)
		}
	}
	d.order(old, next)
}

func bySlug(types []slotd.EventType) map[string]*slotd.EventType {
	m := map[string]*slotd.EventType{}
	for i := range types {
		m[types[i].Slug] = &types[i]
	}
	return m
}

// order compares only those that are offered before and after: where the others go, their own sentences let one expect.
func (d *changes) order(old, next []slotd.EventType) {
	before, after := offered(old), offered(next)
	stay := func(in []string) func(string) bool {
		return func(slug string) bool { return !slices.Contains(in, slug) }
	}
	if !slices.Equal(slices.DeleteFunc(slices.Clone(before), stay(after)),
		slices.DeleteFunc(slices.Clone(after), stay(before))) {
		d.say("event types: new order: %s", strings.Join(after, ", "))
	}
}

func offered(types []slotd.EventType) (slugs []string) {
	for _, e := range types {
		if !e.Retired {
			slugs = append(slugs, e.Slug)
		}
	}
	return slugs
}

func (d *changes) schedules(old, next map[string]slotd.Schedule) {
	for _, name := range slices.Sorted(maps.Keys(next)) {
		if was, known := old[name]; known {
			d.schedule("schedule "+scalar(name)+": ", was, next[name])
		} else {
			d.say("schedule %s: added", scalar(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if _, kept := next[name]; !kept {
			d.say("schedule %s: removed", scalar(name))
		}
	}
}
