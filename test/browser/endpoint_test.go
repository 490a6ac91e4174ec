package browser

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// call calls a tool of the MCP endpoint, as an agent does. Public tools need no token.
func (p *program) call(t *testing.T, token, tool string, arguments map[string]any) (answer map[string]any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	must(t, err)
	request, err := http.NewRequest("POST", p.URL+"/api/mcp", bytes.NewReader(body))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	r, err := http.DefaultClient.Do(request)
	must(t, err)
	defer r.Body.Close()
	var got struct {
		Result struct {
			StructuredContent map[string]any
			Content           []struct{ Text string }
		}
	}
	must(t, json.NewDecoder(r.Body).Decode(&got))
	if got.Result.StructuredContent == nil {
		t.Fatalf("%s %v: %v", tool, arguments, got.Result.Content)
	}
	return got.Result.StructuredContent
}

// openSlots returns all slots that the event type offers in the week from the date.
func (p *program) openSlots(t *testing.T, eventType, date string) []any {
	t.Helper()
	return p.call(t, "", "get_availability",
		map[string]any{"workspace": "acme", "event_type": eventType, "start_date": date, "days": 7})["slots"].([]any)
}

// bookAsOther books the slot as another guest.
func (p *program) bookAsOther(t *testing.T, eventType, slot string) {
	t.Helper()
	p.call(t, p.Token(t, "acme"), "create_booking", map[string]any{
		"event_type": eventType, "slot_start": slot,
		"attendee_name": "Somebody Else", "attendee_email": "else@example.com", "attendee_time_zone": "UTC",
	})
}
