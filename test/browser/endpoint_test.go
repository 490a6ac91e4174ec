package browser

import (
	"net/http"
	"testing"

	"slotd/test/harness"
)

// call calls a tool of the MCP endpoint, as an agent does. Public tools need no token.
func (p *program) call(t *testing.T, token, tool string, arguments map[string]any) (answer map[string]any) {
	t.Helper()
	must(t, harness.CallTool(http.DefaultClient, p.URL, token, tool, arguments, &answer))
	if failure := answer["error"]; failure != nil {
		t.Fatalf("%s %v: %v", tool, arguments, failure)
	}
	return answer
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
