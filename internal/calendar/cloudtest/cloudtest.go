// Package cloudtest stands in for Google Calendar and Microsoft Graph in tests: servers on loopback, written from the
// services' documentation, that keep calendars, compute differences, page, hand out and rotate tokens, and refuse what
// the real ones refuse.
//
// It knows nothing of the code under test. What a test arranges goes in through methods and never over HTTP.
package cloudtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Event is an event as the service's JSON has it.
type Event map[string]any

func (e Event) text(name string) string {
	s, _ := e[name].(string)
	return s
}

func (e Event) under(name string) Event {
	switch inner := e[name].(type) {
	case Event:
		return inner
	case map[string]any:
		return inner
	}
	return nil
}

// copied is the event as if it had gone over the wire, so that no test changes the server's own.
func (e Event) copied() Event {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // a test made an event that is no JSON
	}
	var out Event
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

// Write is a change that a client made.
type Write struct {
	Method string
	ID     string
	Event  Event // as it was sent; nil for a deletion
}

// service is what both have in common.
type service struct {
	URL      string
	PageSize int // events on a page, where the client asks for more

	mu       sync.Mutex
	now      func() time.Time
	grants   grants
	faults   []fault
	books    map[string]*book
	expired  int // state tokens up to this one are no longer known
	requests int
	writes   []Write
}

func (s *service) start(t testing.TB, now func() time.Time, mux *http.ServeMux, firstCalendar string) {
	s.now, s.PageSize = now, 250
	s.grants = newGrants()
	s.books = map[string]*book{firstCalendar: newBook()}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL
}

// AddCalendar adds an empty one beside the first.
func (s *service) AddCalendar(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[id] = newBook()
}

// Requests is how many the interface got; those for tokens are not counted.
func (s *service) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Writes are the changes that clients made, in their order.
func (s *service) Writes() []Write {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Write(nil), s.writes...)
}

// ExpireSyncToken makes the service forget every state that it gave out until now.
func (s *service) ExpireSyncToken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.books {
		s.expired = max(s.expired, b.version)
	}
	for _, b := range s.books {
		b.version = s.expired + 1
	}
}

// call wraps a handler of the interface: the token, the faults, one request at a time.
func (s *service) call(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f := s.nextFault()
		if f.meanwhile != nil {
			f.meanwhile()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.grants.accepts(r, s.now()) {
			refuse(w, http.StatusUnauthorized, "authError", "InvalidAuthenticationToken")
			return
		}
		f.answer(w, r, handle)
	}
}

// refuse answers in a shape that holds both services' errors: Google's reason and Microsoft's code.
func refuse(w http.ResponseWriter, status int, reason, code string) {
	answer(w, status, Event{"error": Event{
		"code": code, "message": "no", "errors": []Event{{"domain": "calendar", "reason": reason, "message": "no"}},
	}})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
