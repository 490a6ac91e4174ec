package google_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/calendar"
)

// wantBusy expands the whole copy at once, as the callers do: an instance is an item of its own and belongs to its series.
func (w *world) wantBusy(want ...string) {
	w.t.Helper()
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(w.kept)) {
		text.WriteString(w.kept[id].Text)
	}
	x := calendar.NewExpansion(w.reader)
	x.Add(text.String())
	events, warnings, err := x.Events()
	if err != nil || len(warnings) > 0 {
		w.t.Fatalf("%v, %q", err, warnings)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.Start.Format("01-02 15:04")+"/"+e.End.Format("01-02 15:04"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Error(diff)
	}
}

// Berlin changes its clock on 31 March; the series stays at 09:00 there.
func TestBusy_ASeriesWithAMovedAndACanceledInstance(t *testing.T) {
	w := newWorld(t)
	w.reader.Until = time.Date(2030, 1, 30, 0, 0, 0, 0, time.UTC)
	w.Put("primary", standup())
	putMoved(w)
	w.sync()
	w.wantBusy("01-08 08:00/01-08 08:30", "01-15 13:00/01-15 13:30", "01-29 08:00/01-29 08:30")
	w.Remove("primary", "s_"+at15th)
	w.sync()
	w.wantBusy("01-08 08:00/01-08 08:30", "01-29 08:00/01-29 08:30")

	w.reader.From, w.reader.Until = time.Date(2030, 4, 1, 0, 0, 0, 0, time.UTC), time.Date(2030, 4, 8, 0, 0, 0, 0, time.UTC)
	w.wantBusy("04-02 07:00/04-02 07:30")
}

func TestBusy_DaysAndFreeEvents(t *testing.T) {
	w := newWorld(t)
	w.reader.Zone = time.FixedZone("", -5*3600)
	w.Put("primary", event{"id": "d", "start": event{"date": "2030-01-08"}, "end": event{"date": "2030-01-09"}})
	w.Put("primary", meeting("free", "10", event{"transparency": "transparent"}))
	w.Put("primary", meeting("busy", "06"))
	w.sync()
	w.wantBusy("01-08 05:00/01-09 05:00", "01-08 06:00/01-08 06:59")
}

func TestBusy_ASeriesOfDaysWithACanceledOne(t *testing.T) {
	w := newWorld(t)
	w.reader.Until = time.Date(2030, 1, 11, 0, 0, 0, 0, time.UTC)
	w.Put("primary", event{
		"id": "d", "recurrence": []string{"RRULE:FREQ=DAILY;COUNT=3"}, "start": event{"date": "2030-01-08"}, "end": event{"date": "2030-01-09"},
	})
	w.Put("primary", event{"id": "d_9", "recurringEventId": "d", "originalStartTime": event{"date": "2030-01-09"}})
	w.Remove("primary", "d_9")
	w.sync()
	w.wantBusy("01-08 00:00/01-09 00:00", "01-10 00:00/01-11 00:00")
}
