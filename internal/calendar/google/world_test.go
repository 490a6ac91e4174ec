package google_test

import (
	"maps"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/google"
	"slotd/internal/calendar/oauth"
	"slotd/internal/store/testdb"
)

type event = cloudtest.Event

// world is a calendar at Google, and the stored copy of it.
type world struct {
	*cloudtest.Google
	*cloudtest.Copy
	clock    *testdb.Clock
	calendar *google.Calendar
}

func newWorld(t *testing.T) *world {
	clock := testdb.NewClock(time.Date(2030, 1, 7, 9, 0, 0, 0, time.UTC))
	w := &world{Google: cloudtest.NewGoogle(t, clock.Now), clock: clock}
	w.Copy = cloudtest.NewCopy(t, oauth.Google, w.URL, w.Grant(), clock.Now)
	w.calendar = google.New(w.Client, w.URL, "", w.Tokens, w.Reader)
	return w
}

func (w *world) sync() calendar.Changes { return w.Sync(w.calendar) }

// meeting returns an event of almost an hour, from the given hour on 8 January, in UTC.
func meeting(id, hour string, more ...event) event {
	e := event{
		"id": id, "summary": "Secret plans",
		"start": event{"dateTime": "2030-01-08T" + hour + ":00:00Z", "timeZone": "UTC"},
		"end":   event{"dateTime": "2030-01-08T" + hour + ":59:00Z", "timeZone": "UTC"},
	}
	for _, m := range more {
		maps.Copy(e, m)
	}
	return e
}
