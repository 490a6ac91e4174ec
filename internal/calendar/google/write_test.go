package google_test

import (
	"testing"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/google"
)

func newCloud(t *testing.T) *cloudtest.Cloud {
	w := newWorld(t)
	missing := google.New(w.Client, w.URL, "gone", w.Tokens, w.Reader)
	return &cloudtest.Cloud{Fake: w.Google, First: "primary", Ours: w.calendar, Missing: missing, Copy: w.Copy}
}

func TestWrites_KeepTheContract(t *testing.T) { cloudtest.KeepsTheContract(t, newCloud) }

func TestRace_ConcurrentWritersMakeOneEvent(t *testing.T) {
	cloudtest.ConcurrentWritersMakeOneEvent(t, newCloud)
}

func TestPut_KeepsWhatTheOwnerAdded(t *testing.T) {
	w := newWorld(t)
	ref := w.MustPut(w.calendar, cloudtest.Booking(10, 0), calendar.EntryRef{})
	e := w.Events("primary")[ref.ID]
	e["colorId"] = "7"
	w.Put("primary", e)
	if _, err := cloudtest.Settle(ref, func(p calendar.EntryRef) (calendar.EntryRef, error) {
		return w.calendar.Put(t.Context(), cloudtest.Booking(14, 1), p)
	}); err != nil {
		t.Fatal(err)
	}
	if got := w.Events("primary")[ref.ID]; got["colorId"] != "7" || got["description"] != "Bob Lee, bob@example.com" {
		t.Errorf("%v", got)
	}
}

func TestPut_EndsAnAllDayEvent(t *testing.T) {
	w := newWorld(t)
	ref := w.MustPut(w.calendar, cloudtest.Booking(10, 0), calendar.EntryRef{})
	e := w.Events("primary")[ref.ID]
	e["start"], e["end"] = event{"date": "2030-01-08"}, event{"date": "2030-01-09"}
	w.Put("primary", e)
	cloudtest.Settle(ref, func(p calendar.EntryRef) (calendar.EntryRef, error) {
		return w.calendar.Put(t.Context(), cloudtest.Booking(14, 1), p)
	})
	start := w.Events("primary")[ref.ID]["start"].(map[string]any)
	if _, day := start["date"]; day || start["dateTime"] != "2030-01-08T14:00:00Z" {
		t.Errorf("%v", start)
	}
}
