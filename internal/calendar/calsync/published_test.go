package calsync

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"slotd"
)

// published is a fake calendar at an address.
type published struct {
	URL string

	mu           sync.Mutex
	text         string
	noETags      bool // the server sends no ETags
	handler      http.HandlerFunc
	requestCount int
	notModified  int // how many of the requests were answered with 304
}

func newFeed(t testing.TB) *published {
	f := &published{}
	f.setEvents()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

func (f *published) calendar(name string) slotd.Calendar {
	return slotd.Calendar{Name: name, Type: slotd.ICSFeed, URL: f.URL + "/secret-path.ics",
		StaleAfterMinutes: slotd.DefaultStaleAfterMinutes}
}

// setEvents replaces all events of the calendar.
func (f *published) setEvents(events ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
}

// setHandler makes the feed call the handler instead of sending the calendar; nil ends that.
func (f *published) setHandler(handler http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handler = handler
}

// fail responds with the status, and with pairs of a header and its value.
func (f *published) fail(status int, headers ...string) {
	f.setHandler(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
	})
}

// stall delays every response, with the current content, until release is called. arrived signals that a request has
// arrived.
func (f *published) stall(t testing.TB) (arrived <-chan struct{}, release func()) {
	arrivals, released := make(chan struct{}, 1000), make(chan struct{})
	release = sync.OnceFunc(func() { close(released) })
	t.Cleanup(release) // before the server is closed, which waits for its requests
	f.setHandler(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		text := f.text
		f.mu.Unlock()
		arrivals <- struct{}{}
		<-released
		fmt.Fprint(w, text)
	})
	return arrivals, release
}

func (f *published) requests() (total, notModified int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requestCount, f.notModified
}

func (f *published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requestCount++
	text, handler := f.text, f.handler
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(text)))
	notModified := handler == nil && !f.noETags && r.Header.Get("If-None-Match") == tag
	if notModified {
		f.notModified++
	}
	noETags := f.noETags
	f.mu.Unlock()
	switch {
	case handler != nil:
		handler(w, r)
	case notModified:
		w.WriteHeader(http.StatusNotModified)
	default:
		if !noETags {
			w.Header().Set("ETag", tag)
		}
		fmt.Fprint(w, text)
	}
}

// event returns an event; times are written like 20270201T090000Z.
func event(uid, start, end string) string {
	return fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:%s\r\nDTEND:%s\r\nSUMMARY:private words\r\nEND:VEVENT\r\n", uid, start, end)
}

// nine and ten are events on the Monday.
var (
	nine = event("nine", "20270201T090000Z", "20270201T093000Z")
	ten  = event("ten", "20270201T100000Z", "20270201T110000Z")
)
