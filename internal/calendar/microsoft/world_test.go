package microsoft_test

import (
	"maps"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/microsoft"
	"slotd/internal/calendar/oauth"
	"slotd/internal/store/testdb"
)

type event = cloudtest.Event

// world is a calendar at Microsoft, and the stored copy of it.
type world struct {
	*cloudtest.Microsoft
	*cloudtest.Copy
	clock    *testdb.Clock
	calendar *microsoft.Calendar
}

func newWorld(t *testing.T) *world {
	clock := testdb.NewClock(time.Date(2030, 1, 7, 9, 0, 0, 0, time.UTC))
	w := &world{Microsoft: cloudtest.NewMicrosoft(t, clock.Now), clock: clock}
	w.Copy = cloudtest.NewCopy(t, oauth.Microsoft, w.URL, w.Grant(), clock.Now)
	w.calendar = microsoft.New(w.Client, w.URL, "", w.Tokens, w.Reader)
	return w
}

func (w *world) sync() calendar.Changes { return w.Sync(w.calendar) }

// meeting returns an event of almost an hour, from the given hour on 8 January.
func meeting(id, hour string, more ...event) event {
	e := event{
		"id": id, "subject": "Secret plans", "showAs": "busy", "iCalUId": "uid-" + id,
		"start": utc("2030-01-08T" + hour + ":00:00"), "end": utc("2030-01-08T" + hour + ":59:00"),
	}
	for _, m := range more {
		maps.Copy(e, m)
	}
	return e
}

func utc(wall string) event { return event{"dateTime": wall + ".0000000", "timeZone": "UTC"} }
