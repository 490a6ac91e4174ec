package mcp

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"slotd/internal/web/webtest"
)

// object is any JSON object.
type object = webtest.Object

// call runs a tool in the legacy era. It sends the world's token unless the headers contain Authorization.
func (w *world) call(tool, arguments string, header ...string) webtest.ToolAnswer {
	w.T.Helper()
	header = append([]string{"Authorization", "Bearer " + w.token}, header...)
	for i := 2; i < len(header); i += 2 {
		if header[i] == "Authorization" {
			header = header[2:]
			break
		}
	}
	return w.post(webtest.ToolCall(tool, arguments), header...).Tool(tool + " " + arguments)
}

func (w *world) create(eventType, start string, header ...string) webtest.ToolAnswer {
	w.T.Helper()
	return w.call("create_booking", webtest.BookingArguments(eventType, start, "grace@example.com"), header...)
}

func (w *world) book(eventType, start string) (id string) {
	w.T.Helper()
	return w.create(eventType, start).OK()["booking_id"].(string)
}

func (w *world) move(id, start string, header ...string) webtest.ToolAnswer {
	w.T.Helper()
	return w.call("reschedule_booking", fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, id, start), header...)
}

func (w *world) cancel(id string, header ...string) webtest.ToolAnswer {
	w.T.Helper()
	return w.call("cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, id), header...)
}

func (w *world) availability(eventType, more string) webtest.ToolAnswer {
	w.T.Helper()
	return w.call("get_availability", fmt.Sprintf(`{"workspace":"acme","event_type":%q%s}`, eventType, more))
}

// wantProtocolError checks the status, code and id, and returns the error. It compares the id byte by byte.
func (a answer) wantProtocolError(t testing.TB, status, code int, id string) object {
	t.Helper()
	if a.Status != status {
		t.Errorf("status %d, want %d: %s", a.Status, status, a.Body)
	}
	if got := a.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q", got)
	}
	if !strings.HasPrefix(a.Body, `{"jsonrpc":"2.0","id":`+id+`,`) {
		t.Errorf("want id %s: %s", id, a.Body)
	}
	o := webtest.ParseJSON(t, a.Body)
	webtest.WantKeys(t, o, "jsonrpc", "id", "error")
	e, ok := o["error"].(object)
	if !ok || e["code"] != float64(code) {
		t.Fatalf("want error %d: %s", code, a.Body)
	}
	if message, _ := e["message"].(string); message == "" {
		t.Errorf("no message: %s", a.Body)
	}
	return e
}

// wantResult checks that a response is a success and returns its result.
func (a answer) wantResult(t testing.TB) object {
	t.Helper()
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("status %d, Content-Type %q: %s", a.Status, a.Header.Get("Content-Type"), a.Body)
	}
	o := webtest.ParseJSON(t, a.Body)
	webtest.WantKeys(t, o, "jsonrpc", "id", "result")
	result, ok := o["result"].(object)
	if !ok {
		t.Fatalf("no result: %s", a.Body)
	}
	return result
}

// modernRequest returns a request of the 2026-07-28 revision and its headers.
func modernRequest(method, params string) (body string, header []string) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		meta += "," + params
	}
	body = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, meta)
	return body, []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}
}
