package booking

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/store/testdb"
)

// fakeFeed serves a calendar of the host as an iCalendar feed.
type fakeFeed struct {
	t   testing.TB
	URL string

	mu       sync.Mutex
	events   map[string]string // by UID
	status   int
	stall    chan struct{} // if nil, it answers at once
	requests int
}

func newFakeFeed(t testing.TB) *fakeFeed {
	f := &fakeFeed{t: t, status: http.StatusOK, events: map[string]string{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

func (f *fakeFeed) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	f.mu.Lock()
	f.requests++
	status, stall := f.status, f.stall
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.Join(slices.Collect(maps.Values(f.events)), "") +
		"END:VCALENDAR\r\n"
	f.mu.Unlock()
	if stall != nil {
		<-stall
	}
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

// put adds an event to the calendar. remove removes it.
func (f *fakeFeed) put(uid string, start time.Time, length time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const layout = "20060102T150405Z"
	f.events[uid] = fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s\r\nDTSTART:%s\r\nDTEND:%s\r\nEND:VEVENT\r\n", uid,
		start.UTC().Format(layout), start.Add(length).UTC().Format(layout))
}

func (f *fakeFeed) remove(uid string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.events, uid)
}

func (f *fakeFeed) has(uid string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.events[uid] != ""
}

// setStatus sets the status of all further responses.
func (f *fakeFeed) setStatus(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

// hang delays all further responses until the test ends.
func (f *fakeFeed) hang() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stall = make(chan struct{})
	f.t.Cleanup(func() { close(f.stall) })
}

// wantRequests compares the number of requests since the last call.
func (f *fakeFeed) wantRequests(about string, want int) {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.requests != want {
		f.t.Errorf("%s: the calendar was asked %d times, want %d", about, f.requests, want)
	}
	f.requests = 0
}

// connect makes the feed the host's calendar. It has not been read yet.
func (w *world) connect() *fakeFeed {
	w.t.Helper()
	f := newFakeFeed(w.t)
	w.calendars = w.calendarReader(w.Service)
	w.file.Calendars = []slotd.Calendar{{Name: "club", Type: slotd.ICSFeed, URL: f.URL + "/club.ics",
		StaleAfterMinutes: 15}}
	w.apply()
	return f
}

func (w *world) calendarReader(s *Service) *calsync.Service {
	w.t.Helper()
	keys, err := seal.Ensure(filepath.Join(w.t.TempDir(), "secret.key"))
	w.must(err)
	return &calsync.Service{
		DB: s.db, Cache: s.cache, Keys: keys,
		Client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Interval: calsync.DefaultInterval,
		Now: w.clock.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// secondServer returns a second server on the same database, with its own calendar reader.
func (w *world) secondServer() *Service {
	w.t.Helper()
	cache, err := snapshot.NewCache(background, w.other, w.clock.Now)
	w.must(err)
	w.t.Cleanup(cache.Close)
	s := *w.Service
	s.db, s.cache = w.other, cache
	s.calendars = w.calendarReader(&s)
	return &s
}

// eachConnected is like each, with a calendar that has been read.
func eachConnected(t *testing.T, test func(t *testing.T, w *world, f *fakeFeed)) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		w := newWorld(t, target)
		f := w.connect()
		w.read()
		test(t, w, f)
	})
}

// read does what the sync job does.
func (w *world) read() {
	w.t.Helper()
	c := w.config()
	for _, cal := range c.Calendars {
		w.must(w.calendars.Read(background, c.WorkspaceID, cal.ID))
	}
}

// listed returns the open slots of the week, as a server lists them.
func (w *world) listed(s *Service, slug string) ([]time.Time, error) {
	w.t.Helper()
	p, err := s.cache.Latest(background, w.actor.WorkspaceID)
	w.must(err)
	q, err := s.Query(p, p.EventTypeBySlug(slug), nil)
	if err != nil {
		return nil, err
	}
	open, _ := slots.Open(q, slots.Span{Start: at("00:00"), End: at("+7 00:00")})
	return open, nil
}

// wantListed checks whether the start is among the listed slots.
func (w *world) wantListed(about string, s *Service, start time.Time, want bool) {
	w.t.Helper()
	open, err := w.listed(s, "intro")
	w.must(err)
	if slices.ContainsFunc(open, start.Equal) != want {
		w.t.Errorf("%s: %s is listed: %v, want %v", about, slotd.Instant(start), !want, want)
	}
}
