package records

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
)

// stale is how old the copy of the calendar may be.
const stale = 15 * time.Minute

// fakeFeed serves a calendar of the host as an iCalendar feed.
type fakeFeed struct {
	mu     sync.Mutex
	events map[string]string // by UID
}

func (f *fakeFeed) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fmt.Fprint(w, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"+strings.Join(slices.Collect(maps.Values(f.events)), "")+
		"END:VCALENDAR\r\n")
}

// put adds an event to the calendar.
func (f *fakeFeed) put(uid string, start time.Time, length time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const layout = "20060102T150405Z"
	f.events[uid] = fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s\r\nDTSTART:%s\r\nDTEND:%s\r\nEND:VEVENT\r\n", uid,
		start.UTC().Format(layout), start.Add(length).UTC().Format(layout))
}

// connect makes a fake feed the host's calendar. It has not been read yet.
func (w *world) connect() *fakeFeed {
	w.t.Helper()
	f := &fakeFeed{events: map[string]string{}}
	server := httptest.NewServer(f)
	w.t.Cleanup(server.Close)
	w.file.Calendars = []slotd.Calendar{{Name: "club", Type: slotd.ICSFeed, URL: server.URL + "/club.ics",
		StaleAfterMinutes: int(stale.Minutes())}}
	w.apply()
	return f
}

// read does what the sync job does.
func (w *world) read() {
	w.t.Helper()
	c := w.config()
	for _, cal := range c.Calendars {
		w.must(w.calendars.Read(background, c.WorkspaceID, cal.ID))
	}
}

// listed returns the open slots of the week, as the server lists them.
func (w *world) listed(slug string) ([]time.Time, error) {
	w.t.Helper()
	p, err := w.Cache.Latest(background, w.actor.WorkspaceID)
	w.must(err)
	q, err := w.Query(p, p.EventTypeBySlug(slug), nil)
	if err != nil {
		return nil, err
	}
	open, _ := slots.Open(q, slots.Span{Start: at("00:00"), End: at("+7 00:00")})
	return open, nil
}
