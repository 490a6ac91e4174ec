package load

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"slotd/test/harness"
)

// toolResult is the result of a booking tool.
type toolResult struct {
	BookingID string `json:"booking_id"`
	StartsAt  string `json:"starts_at"`
	Error     struct {
		Code         string   `json:"code"`
		Alternatives []string `json:"alternatives"`
	} `json:"error"`
}

// create makes a booking through client. An error means that there was no valid response.
func create(client *http.Client, url, token string, start time.Time, attendee int) (toolResult, error) {
	return call(client, url, token, "create_booking", fmt.Sprintf(
		`{"event_type":"call","slot_start":%q,"attendee_name":"Guest","attendee_email":%q,"attendee_time_zone":"UTC"}`,
		start.UTC().Format(time.RFC3339), guest(attendee)))
}

func guest(attendee int) string { return fmt.Sprintf("guest%d@example.com", attendee) }

func call(client *http.Client, url, token, tool, arguments string) (r toolResult, err error) {
	return r, harness.CallTool(client, url, token, tool, json.RawMessage(arguments), &r)
}

// mustCall is like call, but fails the test unless the call succeeds.
func (d *deployment) mustCall(t *testing.T, s *harness.Server, tool, arguments string) toolResult {
	t.Helper()
	b, err := call(http.DefaultClient, s.URL, d.token, tool, arguments)
	if err != nil || b.BookingID == "" {
		t.Fatalf("%s %s: %+v, %v", tool, arguments, b, err)
	}
	return b
}

func (d *deployment) mustCreate(t *testing.T, s *harness.Server, start time.Time, attendee int) toolResult {
	t.Helper()
	b, err := create(http.DefaultClient, s.URL, d.token, start, attendee)
	if err != nil || b.BookingID == "" {
		t.Fatalf("book %v: %+v, %v", start, b, err)
	}
	return b
}
