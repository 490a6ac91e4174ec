// Package davtest starts real CalDAV servers for tests: Radicale and Xandikos, each on its own port and in its own
// directory, until the test ends. It uses plain HTTP to talk to them, so that tests do not check our client's writes
// with our client.
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
	Calendar string // the address of "office", with a trailing slash
}

const (
	username = "alice"
	password = "correct horse"
)

// Put stores an item in the calendar and replaces any existing one.
func (s Server) Put(t testing.TB, name, text string) {
	t.Helper()
	s.must(t, "PUT", s.Calendar+name, "text/calendar; charset=utf-8", text)
}

// Delete removes an item from the calendar.
func (s Server) Delete(t testing.TB, name string) {
	t.Helper()
	s.must(t, "DELETE", s.Calendar+name, "", "")
}

// Text returns the content of an item, or "" if it does not exist.
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

// MakeCalendar adds a calendar next to "office" and returns its address.
func (s Server) MakeCalendar(t testing.TB, name string) string {
	t.Helper()
	address := strings.TrimSuffix(s.Calendar, "office/") + name + "/"
	s.must(t, "MKCALENDAR", address, "", "")
	return address
}

func (s Server) must(t testing.TB, method, address, contentType, body string) {
	t.Helper()
	status, answer := s.send(t, method, address, contentType, body)
	// Xandikos reports some errors in a 207.
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
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(fmt.Errorf("%s %s: %w", method, address, err))
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
