package file

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// wantDiff applies one edit to the example and expects these sentences.
func wantDiff(t *testing.T, edit func(*slotd.Workspace), want ...string) {
	t.Helper()
	old, next := acme(), acme()
	edit(&next)
	wantEqual(t, Diff(&old, &next), want)
}

func TestDiff_SaysWhatChanges(t *testing.T) {
	wantDiff(t, func(w *slotd.Workspace) { w.EventTypes[0].ID = 7 })
	wantDiff(t, func(w *slotd.Workspace) { w.Name, w.Host.Email = "Acme \"2\"", "b@acme.example" },
		`workspace name: "Acme Inc" → "Acme \"2\""`, `host email: "ada@acme.example" → "b@acme.example"`)
	wantDiff(t, func(w *slotd.Workspace) { w.Look, w.Embed = slotd.Look{}, slotd.Embed{} },
		`look accent: "#0b7285" → none`, `look logo: "https://acme.example/logo.svg" → none`,
		`embed allowed_sites: "https://acme.example" → none`)
	wantDiff(t, func(w *slotd.Workspace) {
		e := &w.EventTypes[0]
		e.DurationMinutes, e.Price, e.RefundPolicy, e.MaxPerDay, e.SlotIntervalMinutes, e.RemindersMinutesBefore = 45,
			nil, nil, 0, 0, nil
	}, "event type intro: duration_minutes: 30 → 45", "event type intro: price: 5000 usd → free",
		"event type intro: refund_policy: in full until 24 hours before → no refund",
		"event type intro: slot_interval_minutes: 30 → the duration",
		"event type intro: max_per_day: 5 → no limit", "event type intro: reminders_minutes_before: 1440, 60 → none")
}

func TestDiff_ComparesHours(t *testing.T) {
	wantDiff(t, func(w *slotd.Workspace) {
		s := w.Schedules["default"]
		s.TimeZone = ""
		s.Weekly[time.Monday] = []slots.Window{{From: 540, Until: 1440}}
		s.Weekly[time.Sunday] = []slots.Window{}
		delete(s.Weekly, time.Tuesday)
		delete(s.Overrides, zone.NewDate(2026, 12, 24))
		s.Overrides[zone.NewDate(2026, 12, 31)] = nil
		w.Schedules["default"] = s
		w.Schedules["Summer: hours"] = slotd.Schedule{}
	}, `schedule "Summer: hours": added`, "schedule default: time_zone: America/New_York → the workspace's",
		"schedule default: weekly mon: 09:00-12:00, 13:00-17:00 → 09:00-24:00",
		"schedule default: weekly tue: 09:00-17:00 → closed",
		"schedule default: override 2026-12-24: closed → weekly hours",
		"schedule default: override 2026-12-31: 09:00-12:00 → closed")
	wantDiff(t, func(w *slotd.Workspace) { w.Schedules = nil }, "schedule default: removed")
}

func TestDiff_FollowsEventTypesThroughTheirLife(t *testing.T) {
	types := func(slugs ...string) *slotd.Workspace {
		w := acme()
		w.EventTypes = nil
		for _, slug := range slugs {
			name, retired := strings.CutSuffix(slug, "-retired")
			w.EventTypes = append(w.EventTypes, slotd.EventType{Slug: name, Retired: retired})
		}
		return &w
	}
	for _, test := range []struct {
		old, next *slotd.Workspace
		want      []string
	}{
		{types("a", "b"), types("a", "c", "b"), []string{"event type c: added"}},
		{types("a", "b"), types("b"), []string{"event type a: retired"}},
		{types("a", "b-retired"), types("a"), nil},
		{types("a", "b-retired"), types("b", "a"), []string{"event type b: revived"}},
		{types("a", "b", "c"), types("c", "a", "d", "b"),
			[]string{"event type d: added", "event types: new order: c, a, d, b"}},
	} {
		wantEqual(t, Diff(test.old, test.next), test.want)
	}
	w := types("a", "b")
	wantEqual(t, Diff(nil, w), []string{"workspace acme: created", "schedule default: added", "event type a: added",
		"event type b: added"})
}

func TestDiff_ShowsWhereALongTextChanges(t *testing.T) {
	long := strings.Repeat("é", 300)
	old, next := acme(), acme()
	old.EventTypes[0].Description, next.EventTypes[0].Description = long+" one "+long, long+" two "+long
	got := Diff(&old, &next)
	if len(got) != 1 || len(got[0]) > 300 || !strings.Contains(got[0], " one ") || !strings.Contains(got[0], " two ") ||
		strings.Contains(got[0], "\ufffd") {
		t.Errorf("%q", got)
	}
}

func TestDiff_IsEmptyExactlyForEqualWorkspaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorkspace.Draw(t, "workspace")
		other := w
		other.EventTypes = slices.Clone(w.EventTypes)
		switch rapid.IntRange(0, 3).Draw(t, "edit") {
		case 0:
			other = anyWorkspace.Draw(t, "other")
		case 1:
			other.Schedules = map[string]slotd.Schedule{}
			for name := range w.Schedules {
				other.Schedules[name] = anySchedule.Draw(t, "schedule")
			}
		case 2:
			if len(w.EventTypes) > 0 {
				other.EventTypes[0] = anyEventType(t, 0, w.EventTypes[0].Schedule)
			}
		case 3:
			slices.Reverse(other.EventTypes)
		}
		if diff := Diff(&w, &other); cmp.Equal(w, other) != (len(diff) == 0) {
			t.Fatalf("equal: %v, yet the difference is %q", cmp.Equal(w, other), diff)
		}
		if diff := Diff(&w, &w); len(diff) != 0 {
			t.Fatalf("differs from itself: %q", diff)
		}
	})
}
