// Package fieldtest makes workspaces in which one field alone has another value, for each field of each list. Tests
// range over them, so that a new field is tested as soon as it stands on its list.
package fieldtest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/workspace"
)

// Base returns a workspace in which each field can be changed somewhere: there are event types with each kind of
// location, and calendars of each kind.
func Base() *slotd.Workspace {
	hours := []slots.Window{{From: 9 * 60, Until: 17 * 60}}
	w := &slotd.Workspace{
		Slug: "acme", Name: "Acme Inc", TimeZone: "UTC", Host: slotd.Host{Name: "Ada Park", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{},
	}
	for _, name := range []string{"default", "late"} {
		w.Schedules[name] = slotd.Schedule{Weekly: map[time.Weekday][]slots.Window{time.Monday: hours},
			Overrides: map[zone.Date][]slots.Window{}}
	}
	for _, place := range []slotd.Location{{Type: slotd.Video}, {Type: slotd.InPerson, Text: "Main St"},
		{Type: slotd.Phone, Text: "Call 112"}} {
		var e slotd.EventType
		workspace.SetDefaults(&e, workspace.EventTypeFields)
		e.Slug, e.Title = strings.ReplaceAll(string(place.Type), "_", "-"), "Call"
		e.DurationMinutes, e.Location = 30, place
		e.Price = &slotd.Price{AmountCents: 5000, Currency: "usd"}
		e.RefundPolicy = &slotd.RefundPolicy{FullUntilHoursBefore: 24}
		w.EventTypes = append(w.EventTypes, e)
	}
	for _, kind := range []slotd.CalendarType{slotd.ICSFeed, slotd.CalDAV, slotd.Google} {
		var c slotd.Calendar
		workspace.SetDefaults(&c, workspace.CalendarFields)
		if c.Name, c.Type = "my "+string(kind), kind; kind != slotd.Google {
			c.URL = "http://10.0.0.1/" + string(kind) // nobody answers there, not even a name server is asked
		}
		w.Calendars = append(w.Calendars, c)
	}
	return w
}

// Variant is the base with one field changed.
type Variant struct {
	List      string // workspace, schedules, event_types or calendars
	Field     string // its path in the file, below the event type, the calendar or the schedule
	Item      string // the slug or name of what was changed; "" for the workspace itself
	Fixed     bool   // the field can't be changed on the owner's pages
	Workspace *slotd.Workspace
}

// Variants returns a variant for each field of each list. It reports fields for which it finds no other valid value.
func Variants(t testing.TB) (all []Variant) {
	t.Helper()
	all = append(all, variants(t, "workspace", []string{""}, workspace.Fields,
		func(w *slotd.Workspace, _ string, change func(*slotd.Workspace)) { change(w) })...)
	all = append(all, variants(t, "schedules", []string{"default"}, workspace.ScheduleFields,
		func(w *slotd.Workspace, name string, change func(*slotd.Schedule)) {
			s := w.Schedules[name]
			change(&s)
			w.Schedules[name] = s
		})...)
	var slugs, names []string
	for _, e := range Base().EventTypes {
		slugs = append(slugs, e.Slug)
	}
	for _, c := range Base().Calendars {
		names = append(names, c.Name)
	}
	all = append(all, variants(t, "event_types", slugs, workspace.EventTypeFields,
		func(w *slotd.Workspace, slug string, change func(*slotd.EventType)) {
			change(&w.EventTypes[slices.Index(slugs, slug)])
		})...)
	return append(all, variants(t, "calendars", names, workspace.CalendarFields,
		func(w *slotd.Workspace, name string, change func(*slotd.Calendar)) {
			change(&w.Calendars[slices.Index(names, name)])
		})...)
}

func variants[T any](t testing.TB, list string, items []string, fields []workspace.Field[T],
	edit func(w *slotd.Workspace, item string, change func(*T))) (all []Variant) {
	t.Helper()
	for _, l := range leaves("", fields) {
		found := false
		for _, item := range items {
			for _, change := range l.changes {
				w := Base()
				edit(w, item, change)
				if !found && !reflect.DeepEqual(w, Base()) && len(workspace.Validate(w)) == 0 {
					found = true
					all = append(all, Variant{list, l.path, item, l.fixed, w})
				}
			}
		}
		if !found {
			t.Errorf("%s: no other value of %s is valid: add one to fieldtest", list, l.path)
		}
	}
	return all
}

// leaf is a field that has no fields of its own, and changes of which one should be valid.
type leaf[T any] struct {
	path    string
	fixed   bool
	changes []func(*T)
}

func leaves[T any](path string, fields []workspace.Field[T]) (all []leaf[T]) {
	for _, f := range fields {
		at := workspace.JoinPath(path, f.Name)
		switch k := f.Kind.(type) {
		case workspace.Object[T]:
			all = append(all, leaves(at, k.Fields)...)
		case workspace.FileOnly[T]: // it is no part of a workspace
		default:
			all = append(all, leaf[T]{at, f.Fixed, changes(f.Kind)})
		}
	}
	return all
}

// texts are valid in one format or another.
var texts = []string{"other", "late", "Europe/Paris", "#112233", "eve@acme.example", "http://10.0.0.1/other",
	"https://other.example"}

func changes[T any](kind workspace.Kind[T]) (all []func(*T)) {
	switch k := kind.(type) {
	case workspace.Text[T]:
		for _, text := range slices.Concat(k.Format.Choices, texts) {
			all = append(all, func(v *T) { *k.At(v) = text })
		}
	case workspace.Number[T]:
		all = append(all, func(v *T) { k.Set(v, k.Min+1) })
	case workspace.Flag[T]:
		flip := func(v *T) { *k.At(v) = !*k.At(v) }
		all = append(all, flip, func(v *T) { withoutNumber(v, func() { flip(v) }) })
	case workspace.Numbers[T]:
		all = append(all, func(v *T) { *k.At(v) = []int{k.Min + 1} })
	case workspace.Texts[T]:
		for _, text := range texts {
			all = append(all, func(v *T) { *k.At(v) = []string{text} })
		}
	case workspace.Week[T]:
		all = append(all, func(v *T) { (*k.At(v))[time.Tuesday] = []slots.Window{{From: 600, Until: 660}} })
	case workspace.Dates[T]:
		all = append(all, func(v *T) { (*k.At(v))[zone.NewDate(2027, time.March, 1)] = []slots.Window{} })
	}
	return all
}

// withoutNumber is for a phone call: it has either a number or asks for one, so ask cannot change alone.
func withoutNumber(v any, change func()) {
	if e, ok := v.(*slotd.EventType); ok && e.Location.Type == slotd.Phone {
		e.Location.Text = ""
		change()
	}
}
