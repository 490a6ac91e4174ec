package cloudtest

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// fault is a response that deviates from the normal one.
type fault struct {
	status     int
	retryAfter string
	date       string // the service's own clock
	reason     string
	body       string // instead of JSON
	malformed  bool   // handle the request, but truncate the response
	lost       bool   // handle the request, but break the connection before the response
	before     func() // called first
}

// Throttle answers the next n requests with 429 and a Retry-After header.
func (s *service) Throttle(n int, retryAfter time.Duration) {
	s.queue(n, fault{status: http.StatusTooManyRequests, reason: "rateLimitExceeded",
		retryAfter: strconv.Itoa(int(retryAfter.Seconds()))})
}

// ThrottleUntil does the same for the next request, with a date.
func (s *service) ThrottleUntil(at time.Time) {
	s.queue(1, fault{status: http.StatusTooManyRequests, reason: "rateLimitExceeded",
		retryAfter: at.UTC().Format(http.TimeFormat), date: s.now().UTC().Format(http.TimeFormat)})
}

// FailNext answers the next n requests with the status.
func (s *service) FailNext(n, status int) { s.queue(n, fault{status: status, reason: "backendError"}) }

// RefuseNext answers the next request with the status and the reason (Google) or code (Microsoft).
func (s *service) RefuseNext(status int, reason string) {
	s.queue(1, fault{status: status, reason: reason})
}

// AnswerNext answers the next request with 200 and the body.
func (s *service) AnswerNext(body string) { s.queue(1, fault{status: http.StatusOK, body: body}) }

// MalformNext handles the next request, but truncates its response.
func (s *service) MalformNext() { s.queue(1, fault{malformed: true}) }

// LoseNext handles the next request, but breaks the connection before it responds.
func (s *service) LoseNext() { s.queue(1, fault{lost: true}) }

// BeforeNext calls a function just before the next request is handled, for example to act as another client.
func (s *service) BeforeNext(before func()) { s.queue(1, fault{before: before}) }

func (s *service) queue(n int, f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.faults = append(s.faults, f)
	}
}

// nextFault also counts the request. Without a queued fault it returns the zero fault, which changes nothing.
func (s *service) nextFault() (f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if len(s.faults) > 0 {
		f, s.faults = s.faults[0], s.faults[1:]
	}
	return f
}

func (f fault) respond(w http.ResponseWriter, r *http.Request, handle http.HandlerFunc) {
	switch {
	case f.lost:
		handle(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case f.malformed:
		whole := httptest.NewRecorder()
		handle(whole, r)
		w.Header().Set("Content-Type", "application/json")
		w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
	case f.body != "":
		w.Write([]byte(f.body))
	case f.status != 0:
		if f.retryAfter != "" {
			w.Header().Set("Retry-After", f.retryAfter)
		}
		if f.date != "" {
			w.Header().Set("Date", f.date)
		}
		respondError(w, f.status, f.reason, f.reason)
	default:
		handle(w, r)
	}
}
