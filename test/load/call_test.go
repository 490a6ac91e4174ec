package load

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// booked is what a tool answered.
type booked struct {
	BookingID string `json:"booking_id"`
	StartsAt  string `json:"starts_at"`
	Error     struct {
		Code         string   `json:"code"`
		Alternatives []string `json:"alternatives"`
	} `json:"error"`
}

// create books over a connection of the client's own. An error means that no answer came.
func create(client *http.Client, url, token string, start time.Time, attendee int) (booked, error) {
	return call(client, url, token, "create_booking", fmt.Sprintf(
		`{"event_type":"call","slot_start":%q,"attendee_name":"Guest","attendee_email":%q,"attendee_time_zone":"UTC"}`,
		start.UTC().Format(time.RFC3339), guest(attendee)))
}

func guest(attendee int) string { return fmt.Sprintf("guest%d@example.com", attendee) }

func call(client *http.Client, url, token, tool, arguments string) (b booked, err error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
	r, err := http.NewRequest("POST", url+"/api/mcp", strings.NewReader(body))
	if err != nil {
		return b, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(r)
	if err != nil {
		return b, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return b, err
	}
	if answer.StatusCode != http.StatusOK {
		return b, fmt.Errorf("HTTP %d: %s", answer.StatusCode, text)
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

// mustCall is call for servers that live and answer well.
func (d *deployment) mustCall(t *testing.T, s *server, tool, arguments string) booked {
	t.Helper()
	b, err := call(http.DefaultClient, s.url, d.token, tool, arguments)
	if err != nil || b.BookingID == "" {
		t.Fatalf("%s %s: %+v, %v", tool, arguments, b, err)
	}
	return b
}

func (d *deployment) mustCreate(t *testing.T, s *server, start time.Time, attendee int) booked {
	t.Helper()
	b, err := create(http.DefaultClient, s.url, d.token, start, attendee)
	if err != nil || b.BookingID == "" {
		t.Fatalf("book %v: %+v, %v", start, b, err)
	}
	return b
}
