package workspace

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

func valid() *slotd.Workspace {
	return &slotd.Workspace{
		Slug: "acme", Name: "Acme Inc", TimeZone: "America/New_York",
		Host: slotd.Host{Name: "Ada Park", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{"default": {
			Weekly:    map[time.Weekday][]slots.Window{time.Monday: {{From: 540, Until: 720}}},
			Overrides: map[zone.Date][]slots.Window{zone.NewDate(2026, 12, 24): {}},
		}},
		EventTypes: []slotd.EventType{{
			Slug: "intro", Title: "Intro call", DurationMinutes: 30, Schedule: "default", BookingWindowDays: 60,
			Location: slotd.Location{Type: slotd.Video}, RemindersMinutesBefore: []int{1440, 60},
			Price:        &slotd.Price{AmountCents: 5000, Currency: "usd"},
			RefundPolicy: &slotd.RefundPolicy{FullUntilHoursBefore: 24},
		}},
	}
}

// wantPaths compares only the paths of the problems. Every problem must also have a reason that says what is right.
func wantPaths(t *testing.T, about any, w *slotd.Workspace, paths ...string) {
	t.Helper()
	var got []string
	for _, p := range Validate(w) {
		got = append(got, p.Path)
		if len(p.Error()) < 10 {
			t.Errorf("%v: %s has the reason %q", about, p.Path, p.Error())
		}
	}
	if strings.Join(got, " ") != strings.Join(paths, " ") {
		t.Errorf("%v: problems at %q, want %q", about, got, paths)
	}
}

func TestValidate_TakesAValidWorkspace(t *testing.T) {
	wantPaths(t, "valid", valid())
	wantPaths(t, "no event types, no schedules", &slotd.Workspace{
		Slug: "a", Name: "A", TimeZone: "UTC", Host: slotd.Host{Name: "A", Email: "a@localhost"},
	})
}

func TestValidate_HoldsBothEndsOfEachNumber(t *testing.T) {
	const e = "event_types[0]."
	numbers := []struct {
		path      string
		low, high int
		set       func(*slotd.EventType, int)
	}{
		{e + "duration_minutes", 1, 1440, func(e *slotd.EventType, n int) { e.DurationMinutes = n }},
		{e + "buffer_before_minutes", 0, 1440, func(e *slotd.EventType, n int) { e.BufferBeforeMinutes = n }},
		{e + "buffer_after_minutes", 0, 1440, func(e *slotd.EventType, n int) { e.BufferAfterMinutes = n }},
		{e + "minimum_notice_minutes", 0, 525600, func(e *slotd.EventType, n int) { e.MinimumNoticeMinutes = n }},
		{e + "booking_window_days", 1, 730, func(e *slotd.EventType, n int) { e.BookingWindowDays = n }},
		{e + "slot_interval_minutes", 0, 1440, func(e *slotd.EventType, n int) { e.SlotIntervalMinutes = n }},
		{e + "max_per_day", 0, 1000, func(e *slotd.EventType, n int) { e.MaxPerDay = n }},
		{e + "reminders_minutes_before[0]", 1, 40320,
			func(e *slotd.EventType, n int) { e.RemindersMinutesBefore = []int{n} }},
		{e + "price.amount_cents", 50, 99_999_999, func(e *slotd.EventType, n int) { e.Price.AmountCents = int64(n) }},
		{e + "refund_policy.full_until_hours_before", 0, 8760,
			func(e *slotd.EventType, n int) { e.RefundPolicy.FullUntilHoursBefore = n }},
	}
	for _, n := range numbers {
		for value, paths := range map[int][]string{n.low: nil, n.high: nil, n.low - 1: {n.path}, n.high + 1: {n.path}} {
			w := valid()
			n.set(&w.EventTypes[0], value)
			wantPaths(t, fmt.Sprint(n.path, " = ", value), w, paths...)
		}
	}
}

func TestValidate_HoldsTheLengthsOfTexts(t *testing.T) {
	const e = "event_types[0]."
	texts := []struct {
		path string
		max  int
		set  func(*slotd.Workspace, string)
	}{
		{"workspace.name", 200, func(w *slotd.Workspace, s string) { w.Name = s }},
		{"host.name", 200, func(w *slotd.Workspace, s string) { w.Host.Name = s }},
		{e + "title", 200, func(w *slotd.Workspace, s string) { w.EventTypes[0].Title = s }},
		{e + "description", 5000, func(w *slotd.Workspace, s string) { w.EventTypes[0].Description = s }},
		{e + "location.text", 5000, func(w *slotd.Workspace, s string) {
			w.EventTypes[0].Location = slotd.Location{Type: slotd.InPerson, Text: s}
		}},
	}
	for _, text := range texts {
		for _, letter := range []string{"a", "é", "😀", "\u2028"} {
			w := valid()
			text.set(w, "x"+strings.Repeat(letter, text.max-1))
			wantPaths(t, text.path+" of the right length", w)
			text.set(w, "x"+strings.Repeat(letter, text.max))
			wantPaths(t, text.path+" too long", w, text.path)
		}
		for _, s := range []string{"\x00", "a\x1fb", "a\x7f", "a\u0085b", "a\rb", "a\r\nb", "\xff", "a\xc3"} {
			w := valid()
			text.set(w, s)
			wantPaths(t, fmt.Sprintf("%s = %q", text.path, s), w, text.path)
		}
	}
}

func TestValidate_HoldsTheLengthsOfLists(t *testing.T) {
	for _, more := range []int{0, 1} {
		paths := func(path string) []string { return []string{path}[:more] }

		w := valid()
		for i := 1; i < MaxEventTypes+more; i++ {
			e := w.EventTypes[0]
			e.Slug = fmt.Sprint("intro-", i)
			w.EventTypes = append(w.EventTypes, e)
		}
		wantPaths(t, "event types", w, paths("event_types")...)

		w = valid()
		for i := 1; i < MaxSchedules+more; i++ {
			w.Schedules[fmt.Sprint(i)] = slotd.Schedule{}
		}
		wantPaths(t, "schedules", w, paths("schedules")...)

		w = valid()
		for i := 1; i < MaxOverrides+more; i++ {
			w.Schedules["default"].Overrides[zone.NewDate(2030, 1, i)] = nil
		}
		wantPaths(t, "overrides", w, paths("schedules.default.overrides")...)

		w = valid()
		w.Schedules["default"].Weekly[time.Monday] = make([]slots.Window, MaxWindowsADay+more)
		for i := range w.Schedules["default"].Weekly[time.Monday] {
			w.Schedules["default"].Weekly[time.Monday][i] = slots.Window{From: 0, Until: 1440}
		}
		wantPaths(t, "windows", w, paths("schedules.default.weekly.mon")...)

		w = valid()
		w.EventTypes[0].RemindersMinutesBefore = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}[:10+more]
		wantPaths(t, "reminders", w, paths("event_types[0].reminders_minutes_before")...)

		w = valid()
		for i := range maxAllowedSites + more {
			w.Embed.AllowedSites = append(w.Embed.AllowedSites, fmt.Sprintf("https://site-%d.example", i))
		}
		wantPaths(t, "sites", w, paths("embed.allowed_sites")...)
	}
}

func TestValidate_FindsEverythingAtOnce(t *testing.T) {
	w := valid()
	w.Slug, w.TimeZone, w.Look.Accent = "settings", "Local", "red"
	w.EventTypes = append(w.EventTypes, w.EventTypes[0], slotd.EventType{Retired: true})
	w.EventTypes[1].Schedule = "other"
	w.EventTypes[1].RemindersMinutesBefore = []int{60, 60}
	wantPaths(t, "many", w, "workspace.slug", "workspace.time_zone", "look.accent",
		"event_types[1].slug", "event_types[1].schedule", "event_types[1].reminders_minutes_before[1]")
}

func TestValidate_ChecksHours(t *testing.T) {
	w := valid()
	w.Schedules["Summer \x1b hours"] = slotd.Schedule{
		TimeZone: "Europe/Nowhere",
		Weekly: map[time.Weekday][]slots.Window{time.Sunday: {{From: 0, Until: 1440}, {From: 0, Until: 1441},
			{From: 60, Until: 60}, {From: -1, Until: 5}}},
		Overrides: map[zone.Date][]slots.Window{zone.NewDate(1999, 12, 31): nil, zone.NewDate(2000, 1, 1): nil,
			zone.NewDate(2100, 12, 31): nil, zone.NewDate(2101, 1, 1): {{From: 9, Until: 8}}},
	}
	const s = `schedules."Summer \x1b hours"`
	wantPaths(t, "schedule", w, s, s+".time_zone", s+".weekly.sun[1]", s+".weekly.sun[2]", s+".weekly.sun[3]",
		s+".overrides.1999-12-31", s+".overrides.2101-01-01", s+".overrides.2101-01-01[0]")
}

func TestValidate_KnowsWhatEachLocationNeeds(t *testing.T) {
	const l = "event_types[0].location"
	for _, test := range []struct {
		location slotd.Location
		paths    []string
	}{
		{slotd.Location{Type: slotd.Video, URL: "http://meet.example/a#b"}, nil},
		{slotd.Location{Type: slotd.Video, URL: "ftp://meet.example/a"}, []string{l + ".url"}},
		{slotd.Location{Type: slotd.Video, Text: "x", Ask: true}, []string{l + ".text", l + ".ask"}},
		{slotd.Location{Type: slotd.Phone, Text: "+1 212 555 0100"}, nil},
		{slotd.Location{Type: slotd.Phone, Ask: true}, nil},
		{slotd.Location{Type: slotd.Phone}, []string{l}},
		{slotd.Location{Type: slotd.Phone, Text: " "}, []string{l + ".text"}},
		{slotd.Location{Type: slotd.Phone, Ask: true, Text: "x", URL: "https://a.example"}, []string{l, l + ".url"}},
		{slotd.Location{Type: slotd.InPerson, Text: "1 Main St\nFloor 2"}, nil},
		{slotd.Location{Type: slotd.InPerson}, []string{l + ".text"}},
		{slotd.Location{Type: slotd.Custom, Text: "\n"}, []string{l + ".text"}},
		{slotd.Location{Type: slotd.Custom, Text: "x", Ask: true, URL: "x"}, []string{l + ".ask", l + ".url"}},
		{slotd.Location{}, []string{l + ".type"}},
		{slotd.Location{Type: "zoom"}, []string{l + ".type"}},
	} {
		w := valid()
		w.EventTypes[0].Location = test.location
		wantPaths(t, test.location, w, test.paths...)
	}
}

func TestValidate_RefundsOnlyWhatHasAPrice(t *testing.T) {
	w := valid()
	w.EventTypes[0].Price = nil
	wantPaths(t, "free", w, "event_types[0].refund_policy")
	for _, currency := range []string{"", "USD", "us", "usdd", "xyz", "xau", "d e", "sd "} {
		w = valid()
		w.EventTypes[0].Price.Currency = currency
		wantPaths(t, currency, w, "event_types[0].price.currency")
	}
}
