package microsoft_test

import (
	"testing"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/microsoft"
)

func newCloud(t *testing.T) *cloudtest.Cloud {
	w := newWorld(t)
	missing := microsoft.New(w.Client, w.URL, "gone", w.Tokens, w.Reader)
	return &cloudtest.Cloud{Fake: w.Microsoft, First: "", Ours: w.calendar, Missing: missing, Copy: w.Copy}
}

func TestWrites_KeepTheContract(t *testing.T) { cloudtest.KeepsTheContract(t, newCloud) }

func TestRace_ConcurrentWritersMakeOneEvent(t *testing.T) {
	cloudtest.ConcurrentWritersMakeOneEvent(t, newCloud)
}

func TestPut_KeepsWhatTheOwnerAdded(t *testing.T) {
	w := newWorld(t)
	ref := w.MustPut(w.calendar, cloudtest.Booking(10, 0), calendar.EntryRef{})
	e := w.Events("")[ref.ID]
	e["categories"] = "Red"
	w.Put("", e)
	if _, err := cloudtest.Settle(ref, func(p calendar.EntryRef) (calendar.EntryRef, error) {
		return w.calendar.Put(t.Context(), cloudtest.Booking(14, 1), p)
	}); err != nil {
		t.Fatal(err)
	}
	got := w.Events("")[ref.ID]
	if body, _ := got["body"].(map[string]any); got["categories"] != "Red" ||
		body["content"] != "Bob Lee, bob@example.com" {
		t.Errorf("%v", got)
	}
}

func TestPut_EndsAnAllDayEvent(t *testing.T) {
	w := newWorld(t)
	ref := w.MustPut(w.calendar, cloudtest.Booking(10, 0), calendar.EntryRef{})
	e := w.Events("")[ref.ID]
	e["isAllDay"], e["start"], e["end"] = true, utc("2030-01-08T00:00:00"), utc("2030-01-09T00:00:00")
	w.Put("", e)
	cloudtest.Settle(ref, func(p calendar.EntryRef) (calendar.EntryRef, error) {
		return w.calendar.Put(t.Context(), cloudtest.Booking(14, 1), p)
	})
	w.sync()
	w.WantKept(map[string]string{ref.ID: "UID:" + cloudtest.UID +
		"\nDTSTART:20300108T140000Z\nDTEND:20300108T143000Z"})
}
