package google_test

import (
	"testing"
	"time"
)

// Berlin changes its clocks on 31 March; the series stays at 09:00 there.
func TestBusy_ASeriesWithAMovedAndACanceledInstance(t *testing.T) {
	w := newWorld(t)
	w.Reader.Until = time.Date(2030, 1, 30, 0, 0, 0, 0, time.UTC)
	w.Put("primary", standup())
	putMoved(w)
	w.sync()
	w.WantBusy("01-08 08:00/01-08 08:30", "01-15 13:00/01-15 13:30", "01-29 08:00/01-29 08:30")
	w.Remove("primary", "s_"+at15th)
	w.sync()
	w.WantBusy("01-08 08:00/01-08 08:30", "01-29 08:00/01-29 08:30")

	w.Reader.From, w.Reader.Until = time.Date(2030, 4, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2030, 4, 8, 0, 0, 0, 0, time.UTC)
	w.WantBusy("04-02 07:00/04-02 07:30")
}

func TestBusy_DaysAndFreeEvents(t *testing.T) {
	w := newWorld(t)
	w.Reader.Zone = time.FixedZone("", -5*3600)
	w.Put("primary", event{"id": "d", "start": event{"date": "2030-01-08"}, "end": event{"date": "2030-01-09"}})
	w.Put("primary", meeting("free", "10", event{"transparency": "transparent"}))
	w.Put("primary", meeting("busy", "06"))
	w.sync()
	w.WantBusy("01-08 05:00/01-09 05:00", "01-08 06:00/01-08 06:59")
}

func TestBusy_ASeriesOfDaysWithACanceledOne(t *testing.T) {
	w := newWorld(t)
	w.Reader.Until = time.Date(2030, 1, 11, 0, 0, 0, 0, time.UTC)
	w.Put("primary", event{
		"id": "d", "recurrence": []string{"RRULE:FREQ=DAILY;COUNT=3"}, "start": event{"date": "2030-01-08"},
		"end": event{"date": "2030-01-09"},
	})
	w.Put("primary", event{"id": "d_9", "recurringEventId": "d", "originalStartTime": event{"date": "2030-01-09"}})
	w.Remove("primary", "d_9")
	w.sync()
	w.WantBusy("01-08 00:00/01-09 00:00", "01-10 00:00/01-11 00:00")
}
