// Package davtest starts real CalDAV servers for tests: Radicale and Xandikos, each on a port and in a directory of its
// own, until the test ends. It speaks to them in plain HTTP, so that what our own client wrote is read back by
// something else.
package davtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Server is an account on a running server, with one calendar, "office".
type Server struct {
	URL      string // the account's base address
	Username string
	Password string
	Calendar string // the address of "office", with a slash at its end
}

const (
	username = "alice"
	password = "correct horse"
)

// Put stores an item of the calendar, whatever was there.
func (s Server) Put(t testing.TB, name, text string) {
	t.Helper()
	s.must(t, "PUT", s.Calendar+name, "text/calendar; charset=utf-8", text)
}

// Delete takes an item out of the calendar.
func (s Server) Delete(t testing.TB, name string) {
	t.Helper()
	s.must(t, "DELETE", s.Calendar+name, "", "")
}

// Text is what an item holds; empty if it is not there.
func (s Server) Text(t testing.TB, name string) string {
	t.Helper()
	status, body := s.send(t, "GET", s.Calendar+name, "", "")
	switch status {
	case http.StatusOK:
		return body
	case http.StatusNotFound:
		return ""
	}
	t.Fatalf("GET %s: %d %s", name, status, body)
	return ""
}

// MakeCalendar adds a calendar beside "office" and returns its address.
func (s Server) MakeCalendar(t testing.TB, name string) string {
	t.Helper()
	address := strings.TrimSuffix(s.Calendar, "office/") + name + "/"
	s.must(t, "MKCALENDAR", address, "", "")
	return address
}

func (s Server) must(t testing.TB, method, address, contentType, body string) {
	t.Helper()
	status, answer := s.send(t, method, address, contentType, body)
	// Xandikos reports some refusals in a 207.
	if status/100 != 2 || status == http.StatusMultiStatus {
		t.Fatalf("%s %s: %d %s", method, address, status, answer)
	}
}

func (s Server) send(t testing.TB, method, address, contentType, body string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(s.Username, s.Password)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(fmt.Errorf("%s %s: %w", method, address, err))
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(text)
}
