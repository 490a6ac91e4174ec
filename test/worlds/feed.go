package worlds

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"slotd"
)

// Feed serves a calendar of the host as an iCalendar feed.
type Feed struct {
	t   testing.TB
	URL string

	mu       sync.Mutex
	events   map[string]string // by UID
	status   int
	stall    chan struct{} // if nil, it answers at once
	requests int
}

// NewFeed serves an empty calendar.
func NewFeed(t testing.TB) *Feed {
	f := &Feed{t: t, status: http.StatusOK, events: map[string]string{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.URL = server.URL + "/club.ics"
	return f
}

// StaleAfter is how old the copy of the feed may be.
const StaleAfter = 15 * time.Minute

// Calendar returns the feed as the workspace's calendar "club".
func (f *Feed) Calendar() slotd.Calendar {
	return slotd.Calendar{Name: "club", Type: slotd.ICSFeed, URL: f.URL, StaleAfterMinutes: int(StaleAfter.Minutes())}
}

func (f *Feed) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	f.mu.Lock()
	f.requests++
	status, stall := f.status, f.stall
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
	for _, uid := range slices.Sorted(maps.Keys(f.events)) { // otherwise an unchanged feed would look changed
		text += f.events[uid]
	}
	f.mu.Unlock()
	if stall != nil {
		<-stall
	}
	w.WriteHeader(status)
	fmt.Fprint(w, text+"END:VCALENDAR\r\n")
}

// Put adds an event to the calendar, or moves it.
func (f *Feed) Put(uid string, start time.Time, length time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const layout = "20060102T150405Z"
	f.events[uid] = fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s\r\nDTSTART:%s\r\nDTEND:%s\r\nEND:VEVENT\r\n", uid,
		start.UTC().Format(layout), start.Add(length).UTC().Format(layout))
}

// Remove removes an event.
func (f *Feed) Remove(uid string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.events, uid)
}

// Has reports whether the calendar has the event.
func (f *Feed) Has(uid string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.events[uid] != ""
}

// SetStatus sets the status of all further responses.
func (f *Feed) SetStatus(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

// Hang delays all further responses until the test ends.
func (f *Feed) Hang() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stall == nil {
		f.stall = make(chan struct{})
		f.t.Cleanup(func() { close(f.stall) })
	}
}

// WantRequests compares the number of requests since the last call.
func (f *Feed) WantRequests(about string, want int) {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.requests != want {
		f.t.Errorf("%s: the calendar was asked %d times, want %d", about, f.requests, want)
	}
	f.requests = 0
}
