package google_test

import (
	"runtime"
	"strings"
	"testing"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
)

// allocated returns how much work takes from the heap, released or not. Less is live at any one time.
func allocated(work func()) (mebibytes uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

func (w *world) page(items string) string {
	return `{"kind":"calendar#events","items":[` + items + `],"nextSyncToken":"7"}`
}

// eventWith returns an event with these fields.
func eventWith(fields string) string {
	return `{"id":"a","etag":"1","start":{"date":"2030-01-08"},"end":{"date":"2030-01-09"},` + fields + `}`
}

func TestChanges_AnEventHasItsBounds(t *testing.T) {
	w := newWorld(t)
	name := strings.Repeat("x", 1025)
	for _, fields := range []string{
		`"id":"` + name + `"`, `"iCalUID":"` + name + `"`, `"etag":"` + name + `"`, `"recurringEventId":"` + name + `"`,
		`"iCalUID":"` + name[:1000] + `","etag":"` + name[:1000] + `"`, `"id":"\u0000"`, `"iCalUID":"\u0000"`,
		`"etag":"\u0000"`,
		`"start":{"dateTime":"2030-01-08T10:00:00Z","timeZone":"\u0000"}`, `"status":"` + "\xff" + `"`,
		`"location":"` + strings.Repeat("x", 64<<10) + `"`,
	} {
		w.AnswerNext(w.page(eventWith(fields)))
		_, err := w.calendar.Changes(t.Context(), "", nil)
		if e := cloudtest.WantKind(t, err, calendar.Unusable); !strings.Contains(e.Message, "too long") {
			t.Errorf("%.60s: %s", fields, e)
		}
	}
	w.AnswerNext(w.page(eventWith(`"recurrence":["RRULE:\u0000"]`)))
	_, err := w.calendar.Changes(t.Context(), "", nil)
	cloudtest.WantKind(t, err, calendar.Unusable)

	w.AnswerNext(w.page(eventWith(`"iCalUID":"` + name[10:] + `","location":"` + strings.Repeat("x", 60<<10) + `"`)))
	if _, err := w.calendar.Changes(t.Context(), "", nil); err != nil {
		t.Errorf("at the bounds: %v", err)
	}
}

func TestChanges_ACursorHasItsBounds(t *testing.T) {
	w := newWorld(t)
	for _, token := range []string{strings.Repeat("x", 65<<10), `\u0000`} {
		for _, name := range []string{"nextSyncToken", "nextPageToken"} {
			w.AnswerNext(`{"kind":"calendar#events","items":[],"` + name + `":"` + token + `"}`)
			_, err := w.calendar.Changes(t.Context(), "", nil)
			cloudtest.WantKind(t, err, calendar.Unusable)
		}
	}
}

func TestChanges_ABombTakesLittleMemory(t *testing.T) {
	w := newWorld(t)
	for name, items := range map[string]string{
		"many events":    strings.Repeat("{},", 5<<20) + "{}",
		"a long UID":     eventWith(`"iCalUID":"` + strings.Repeat("x", 15<<20) + `"`),
		"many attendees": eventWith(`"attendees":[` + strings.Repeat("{},", 5<<20) + "{}]"),
		"many lines":     eventWith(`"recurrence":[` + strings.Repeat(`"",`, 5<<20) + `""]`),
	} {
		w.AnswerNext(w.page(items))
		used := allocated(func() {
			_, err := w.calendar.Changes(t.Context(), "", nil)
			cloudtest.WantKind(t, err, calendar.Unusable)
		})
		if used > 200 { // the fake and the body take half of it
			t.Errorf("%s: %d MiB", name, used)
		}
	}
}

func TestPut_AnAnswerHasItsBounds(t *testing.T) {
	w := newWorld(t)
	for _, fields := range []string{`"id":"` + strings.Repeat("x", 1025) + `"`, `"etag":"\u0000"`,
		`"attendees":[` + strings.Repeat("{},", 1<<20) + `{}]`} {
		w.AnswerNext(eventWith(fields))
		_, err := w.calendar.Put(t.Context(), cloudtest.Booking(10, 0), calendar.EntryRef{ID: "a", Tag: "1"})
		cloudtest.WantKind(t, err, calendar.Unusable)
	}
}
