package load

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
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

func call(client *http.Client, url, token, tool, arguments string) (b toolResult, err error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
	r, err := http.NewRequest("POST", url+"/api/mcp", strings.NewReader(body))
	if err != nil {
		return b, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(r)
	if err != nil {
		return b, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return b, err
	}
	if response.StatusCode != http.StatusOK {
		return b, fmt.Errorf("HTTP %d: %s", response.StatusCode, text)
	}
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal(text, &envelope); err != nil || len(envelope.Result.Content) == 0 {
		return b, fmt.Errorf("no tool result: %s", text)
	}
	return b, json.Unmarshal([]byte(envelope.Result.Content[0].Text), &b)
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
