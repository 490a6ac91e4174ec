package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/web/webtest"
	"slotd/test/await"
	"slotd/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m, 6) } // these tests mostly wait for other processes

// process is a running process of the built program.
type process struct {
	*harness.Process
	t   testing.TB
	url string // of the server
}

// start starts the built program with its own environment.
func start(t testing.TB, e env, args ...string) *process {
	t.Helper()
	return &process{Process: harness.Start(t, harness.Command(t, e.list(), args...)), t: t}
}

// serve starts a server on a free port and waits until it listens.
func (pl *deployment) serve(e env, args ...string) *process {
	pl.t.Helper()
	p := start(pl.t, e, append(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), pl.flags...)...)
	p.url = "http://" + p.AwaitServing(p.t)
	return p
}

var demoEnd = regexp.MustCompile(`\n\n$`)

// printed returns the output of a demo. The server prints it before it listens, but another goroutine reads it.
func (p *process) printed() string {
	p.t.Helper()
	p.AwaitOutput(p.t, demoEnd)
	return p.Out.String()
}

// awaitOK asks until the status is 200: /readyz gives the database two seconds, which a busy machine may need.
func (p *process) awaitOK(method, path string) (body string) {
	p.t.Helper()
	await.True(p.t, method+" "+path+" says 200", func() (ok bool) {
		var status int
		status, body, _ = p.ask(method, path, "")
		return status == http.StatusOK
	})
	return body
}

// ask sends a request. header alternates names and values.
func (p *process) ask(method, path, body string, header ...string) (status int, text string, got http.Header) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Close = true
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", method, path, err, p.Log)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(all), response.Header
}

type object = map[string]any

// call calls a tool and returns its text. failed is the error's code, or "".
func (p *process) call(token, tool, arguments string) (text, failed string) {
	p.t.Helper()
	header := []string{"Content-Type", "application/json"}
	if token != "" {
		header = append(header, "Authorization", "Bearer "+token)
	}
	status, body, _ := p.ask("POST", "/api/mcp", webtest.ToolCall(tool, arguments), header...)
	if status != http.StatusOK {
		p.t.Fatalf("%s: status %d: %s", tool, status, body)
	}
	return readTool(p.t, body)
}

func readTool(t testing.TB, body string) (text, failed string) {
	t.Helper()
	var result json.RawMessage
	var failure struct{ Error struct{ Code string } }
	err := harness.ToolResult([]byte(body), &result)
	if err == nil {
		err = json.Unmarshal(result, &failure)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(result), failure.Error.Code
}

func parse(t testing.TB, text string) (o object) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return o
}

func (p *process) list(workspace string) string {
	p.t.Helper()
	text, failed := p.call("", "list_public_event_types", fmt.Sprintf(`{"workspace":%q}`, workspace))
	if failed != "" {
		p.t.Fatal(text)
	}
	return text
}

// today is the day on which the tests started: a slot stays the same when midnight passes.
var today = time.Now().UTC().Truncate(24 * time.Hour)

// slotIn returns 12:00 UTC the given number of days from today.
func slotIn(days int) string {
	return today.AddDate(0, 0, days).Add(12 * time.Hour).Format("2006-01-02T15:04:05.000Z")
}

func bookingOf(eventType, slot string) string {
	return fmt.Sprintf(`{"event_type":%q,"slot_start":%q,"attendee_name":"Grace Okafor","attendee_email":"grace@guest.example","attendee_time_zone":"Africa/Lagos","notes":"knows Bo"}`, eventType, slot)
}

func (p *process) mustBook(token, eventType, slot string) (booked object) {
	p.t.Helper()
	text, failed := p.call(token, "create_booking", bookingOf(eventType, slot))
	if failed != "" {
		p.t.Fatal(text)
	}
	return parse(p.t, text)
}
