package webtest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Answer is an HTTP response with its complete body.
type Answer struct {
	T      testing.TB
	Status int
	Header http.Header
	Body   string
}

// Serve passes a request to a handler without a network, so that a panic shows up in the test.
func Serve(t testing.TB, handler http.Handler, r *http.Request) Answer {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return Answer{t, recorder.Code, recorder.Result().Header, recorder.Body.String()}
}

// Post returns a request that sends a form as a browser does.
func Post(target string, form url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// SetHeader sets headers from names and values, which alternate.
func SetHeader(h http.Header, header []string) {
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
}

// Is ends the test unless the response has the status.
func (a Answer) Is(status int) Answer {
	a.T.Helper()
	if a.Status != status {
		a.T.Fatalf("status %d, want %d: %v\n%.3000s", a.Status, status, a.Header, a.Body)
	}
	return a
}

// Page parses the response as a page. Every page that a test reads must be well formed.
func (a Answer) Page() *Node {
	a.T.Helper()
	return ParseHTML(a.T, a.Body)
}

// OK returns the page of a response that must have status 200.
func (a Answer) OK() *Node { a.T.Helper(); return a.Is(http.StatusOK).Page() }

// Location returns the target of a redirect.
func (a Answer) Location() string { return a.Header.Get("Location") }

// Part parses the response as a part of a page, for a script to put into one, or as a page.
func (a Answer) Part() *Node {
	a.T.Helper()
	return ParsePart(a.T, strings.TrimPrefix(a.Body, doctype))
}

// Text returns what a page says between its header and footer, and all that anything else says.
func (a Answer) Text() string {
	a.T.Helper()
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
		return strings.Join(strings.Fields(a.Body), " ")
	}
	part := a.Part()
	if part.Has("main") {
		part = part.First("main")
	}
	return part.Words()
}
