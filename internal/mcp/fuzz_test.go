package mcp

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"slotd/internal/web/webtest"
)

// FuzzRequest checks that the handler never panics and never responds with 5xx, and that its response is valid JSON or
// empty.
func FuzzRequest(f *testing.F) {
	w := lite(f)
	list, _ := modernRequest("tools/list", "")
	call, _ := modernRequest("tools/call",
		`"name":"get_availability","arguments":{"workspace":"acme","event_type":"intro","days":2}`)
	for _, body := range []string{
		"", "{}", "[]", listTools, list, call, nested(33), `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_booking","arguments":` +
			webtest.BookingArguments("intro", at("02-02 10:00"), "g@example.com") + `}}`,
		`{"jsonrpc":"2.0","id":-1,"method":"tools/call","params":{"name":"cancel_booking","arguments":{"booking_id":"` +
			nowhere + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reschedule_booking","arguments":{"booking_id":"` + nowhere + `","slot_start":"2027-02-02T10:00+02"}}}`,
	} {
		f.Add("POST", "application/json", "", "", "", "", "", []byte(body))
		f.Add("POST", "application/json", "https://app.example", "2026-07-28", "tools/call",
			"=?base64?Z2V0X2F2YWlsYWJpbGl0eQ==?=", "key", []byte(body))
	}
	f.Add("OPTIONS", "", "http://localhost:1", "2025-11-25", "", "", "", []byte(nil))
	f.Fuzz(func(t *testing.T, method, contentType, origin, version, rpcMethod, name, key string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "/api/mcp", bytes.NewReader(body))
		r.Method = method
		r.Header.Set("Authorization", "Bearer "+w.token)
		for header, value := range map[string]string{"Content-Type": contentType, "Origin": origin,
			"Mcp-Protocol-Version": version,
			"Mcp-Method":           rpcMethod, "Mcp-Name": name, "Idempotency-Key": key} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		recorder := httptest.NewRecorder()
		w.ServeHTTP(recorder, r)
		status, text := recorder.Code, recorder.Body.String()
		empty := status == http.StatusAccepted || status == http.StatusNoContent
		if status >= 500 || empty != (text == "") || !empty && !validJSON(text) {
			t.Errorf("status %d, %q", status, text)
		}
		if bytes.Contains(recorder.Body.Bytes(), []byte(`\"code\":\"internal\"`)) {
			t.Errorf("internal: %s", w.World.Log)
		}
	})
}
