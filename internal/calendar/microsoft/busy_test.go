package microsoft_test

import (
	"testing"
	"time"
)

func TestBusy_ASeriesIsAsItsMasterSays(t *testing.T) {
	w := newWorld(t)
	putSeries(w)
	w.sync()
	w.WantBusy("01-08 09:00/01-08 09:30", "01-15 09:00/01-15 09:30")
	for _, change := range []event{{"showAs": "free"}, {"isCancelled": true},
		{"responseStatus": event{"response": "declined"}}} {
		w.Put("", meeting("s", "09", event{"type": "seriesMaster"}, change))
		w.sync()
		w.WantBusy()
	}
	moved := occurrence("15", "2030-01-15T13:00:00", "2030-01-15T13:30:00")
	moved["type"] = "exception"
	w.Put("", moved)
	w.sync()
	w.WantBusy("01-15 13:00/01-15 13:30")
}

func TestBusy_AnOccurrenceWithoutItsMasterTakesTime(t *testing.T) {
	w := newWorld(t)
	w.Put("", occurrence("08", "2030-01-08T09:00:00", "2030-01-08T09:30:00"))
	w.sync()
	w.WantBusy("01-08 09:00/01-08 09:30")
}

func TestBusy_DaysAndFreeEvents(t *testing.T) {
	w := newWorld(t)
	w.Reader.Zone = time.FixedZone("", -5*3600)
	w.Put("", meeting("d", "00", event{"isAllDay": true, "start": utc("2030-01-08T00:00:00"),
		"end": utc("2030-01-09T00:00:00")}))
	w.Put("", meeting("free", "10", event{"showAs": "free"}))
	w.Put("", meeting("busy", "06"))
	w.sync()
	w.WantBusy("01-08 05:00/01-09 05:00", "01-08 06:00/01-08 06:59")
}
