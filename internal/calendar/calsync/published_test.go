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

// published is a calendar at an address that a test plays.
type published struct {
	URL string

	mu      sync.Mutex
	text    string
	plain   bool // it knows no ETags
	answers http.HandlerFunc
	asked   int
	same    int // of those, how often the answer was that nothing changed
}

func newFeed(t testing.TB) *published {
	f := &published{}
	f.hold()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

func (f *published) calendar(name string) slotd.Calendar {
	return slotd.Calendar{Name: name, Type: slotd.ICSFeed, URL: f.URL + "/secret-path.ics",
		StaleAfterMinutes: slotd.DefaultStaleAfterMinutes}
}

// hold makes these all the events there are.
func (f *published) hold(events ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
}

// answer is what the feed does instead of sending the calendar; nil ends that.
func (f *published) answer(with http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers = with
}

// fail answers with the status, and pairs of a header and its value.
func (f *published) fail(status int, headers ...string) {
	f.answer(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
	})
}

// stall holds up every request, as it would be answered now, until release is called. arrived says
// that one is there.
func (f *published) stall(t testing.TB) (arrived <-chan struct{}, release func()) {
	came, gone := make(chan struct{}, 1000), make(chan struct{})
	release = sync.OnceFunc(func() { close(gone) })
	t.Cleanup(release) // before the server is closed, which waits for its requests
	f.answer(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		text := f.text
		f.mu.Unlock()
		came <- struct{}{}
		<-gone
		fmt.Fprint(w, text)
	})
	return came, release
}

func (f *published) requests() (asked, same int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked, f.same
}

func (f *published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked++
	text, answers := f.text, f.answers
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(text)))
	same := answers == nil && !f.plain && r.Header.Get("If-None-Match") == tag
	if same {
		f.same++
	}
	plain := f.plain
	f.mu.Unlock()
	switch {
	case answers != nil:
		answers(w, r)
	case same:
		w.WriteHeader(http.StatusNotModified)
	default:
		if !plain {
			w.Header().Set("ETag", tag)
		}
		fmt.Fprint(w, text)
	}
}

// event writes one whose times are such as 20270201T090000Z.
func event(uid, start, end string) string {
	return fmt.Sprintf("BEGIN:VEVENT\r\nUID:%s\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:%s\r\nDTEND:%s\r\nSUMMARY:private words\r\nEND:VEVENT\r\n", uid, start, end)
}

// nine and ten are events on the Monday.
var (
	nine = event("nine", "20270201T090000Z", "20270201T093000Z")
	ten  = event("ten", "20270201T100000Z", "20270201T110000Z")
)
