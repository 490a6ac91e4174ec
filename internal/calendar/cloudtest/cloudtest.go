// Package cloudtest provides fakes of Google Calendar and Microsoft Graph for tests: servers on loopback, written
// from the services' documentation, that store calendars, compute changes, return pages, issue and rotate tokens, and
// reject what the real services reject.
//
// It knows nothing about the code under test. Tests control the fakes through methods, never over HTTP.
package cloudtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Event is an event in the service's JSON.
type Event map[string]any

func (e Event) str(name string) string {
	s, _ := e[name].(string)
	return s
}

func (e Event) object(name string) Event {
	switch inner := e[name].(type) {
	case Event:
		return inner
	case map[string]any:
		return inner
	}
	return nil
}

// clone returns the event as if it had been sent over the network, so that no test changes the server's own copy.
func (e Event) clone() Event {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // a test made an event that cannot be encoded as JSON
	}
	var out Event
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

// Write is a change made by a client.
type Write struct {
	Method string
	ID     string
	Event  Event // as it was sent; nil for a deletion
}

// service is the common part of both fakes.
type service struct {
	URL      string
	PageSize int // limits the events on a page, even if the client asks for more

	mu        sync.Mutex
	now       func() time.Time
	grants    grants
	faults    []fault
	calendars map[string]*fakeCalendar
	expired   int // state tokens up to this version are no longer valid
	requests  int
	writes    []Write
}

func (s *service) start(t testing.TB, now func() time.Time, mux *http.ServeMux, firstCalendar string) {
	s.now, s.PageSize = now, 250
	s.grants = newGrants()
	s.calendars = map[string]*fakeCalendar{firstCalendar: newFakeCalendar()}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL
}

// AddCalendar adds an empty calendar in addition to the first one.
func (s *service) AddCalendar(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calendars[id] = newFakeCalendar()
}

// Requests returns the number of API requests, not counting requests for tokens.
func (s *service) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Writes returns the changes made by clients, in order.
func (s *service) Writes() []Write {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Write(nil), s.writes...)
}

// ExpireSyncToken invalidates every state token issued so far.
func (s *service) ExpireSyncToken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.calendars {
		s.expired = max(s.expired, b.version)
	}
	for _, b := range s.calendars {
		b.version = s.expired + 1
	}
}

// wrap wraps an API handler: it checks the token, applies faults, and handles one request at a time.
func (s *service) wrap(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f := s.nextFault()
		if f.before != nil {
			f.before()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.grants.accepts(r, s.now()) {
			respondError(w, http.StatusUnauthorized, "authError", "InvalidAuthenticationToken")
			return
		}
		f.respond(w, r, handle)
	}
}

// respondError responds with an error that contains both Google's reason and Microsoft's code.
func respondError(w http.ResponseWriter, status int, reason, code string) {
	respond(w, status, Event{"error": Event{
		"code": code, "message": "no", "errors": []Event{{"domain": "calendar", "reason": reason, "message": "no"}},
	}})
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
