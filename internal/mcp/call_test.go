package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"slotd"
)

// object is any JSON object.
type object = map[string]any

func parse(t testing.TB, text string) (o object) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return o
}

// toolAnswer is the result of a tools/call.
type toolAnswer struct {
	t          testing.TB
	request    string
	result     object
	text       string
	structured object // nil: missing
	failure    object // the value of "error"; nil: the call succeeded
}

// call runs a tool in the legacy era. It sends the world's token unless the headers contain Authorization.
func (w *world) call(tool, arguments string, header ...string) toolAnswer {
	w.t.Helper()
	header = append([]string{"Authorization", "Bearer " + w.token}, header...)
	for i := 2; i < len(header); i += 2 {
		if header[i] == "Authorization" {
			header = header[2:]
			break
		}
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
	return w.read(w.post(body, header...), tool+" "+arguments)
}

// read checks the response to a tool call and returns its result. request describes the call in errors.
func (w *world) read(a answer, request string) toolAnswer {
	w.t.Helper()
	if a.status != http.StatusOK {
		w.t.Fatalf("%.300s: status %d, %s", request, a.status, a.body)
	}
	envelope := parse(w.t, a.body)
	result, ok := envelope["result"].(object)
	if !ok {
		w.t.Fatalf("%.300s: no result: %s", request, a.body)
	}
	r := toolAnswer{t: w.t, request: request, result: result}
	item := result["content"].([]any)[0].(object)
	if item["type"] != "text" || len(result["content"].([]any)) != 1 {
		w.t.Fatalf("%.300s: content %v", request, result["content"])
	}
	r.text = item["text"].(string)
	r.structured, _ = result["structuredContent"].(object)
	body := parse(w.t, r.text)
	if result["isError"] == true {
		r.failure, _ = body["error"].(object)
		if r.failure == nil || len(body) != 1 || r.structured != nil || hasKey(result, "structuredContent") {
			w.t.Fatalf("%.300s: a failed call must hold {\"error\":…} and no structuredContent: %s", request, a.body)
		}
	} else if !reflect.DeepEqual(body, r.structured) {
		w.t.Fatalf("%.300s: text and structuredContent differ: %s", request, a.body)
	}
	return r
}

func hasKey(o object, key string) bool {
	_, ok := o[key]
	return ok
}

// ok checks that the call succeeded and returns its object.
func (r toolAnswer) ok() object {
	r.t.Helper()
	if r.failure != nil {
		r.t.Fatalf("%.300s: %s", r.request, r.text)
	}
	return r.structured
}

// fails checks that the call failed with the code and with exactly these keys besides code and message. It returns the
// error.
func (r toolAnswer) fails(code slotd.Code, extraKeys ...string) object {
	r.t.Helper()
	if r.failure == nil || r.failure["code"] != string(code) {
		r.t.Fatalf("%.300s: got %.600s, want %s", r.request, r.text, code)
	}
	if message, _ := r.failure["message"].(string); message == "" {
		r.t.Errorf("%.300s: no message", r.request)
	}
	wantKeys(r.t, r.failure, append([]string{"code", "message"}, extraKeys...)...)
	return r.failure
}

func wantKeys(t testing.TB, o object, keys ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, key := range keys {
		want[key] = true
		if !hasKey(o, key) {
			t.Errorf("key %s is missing in %v", key, o)
		}
	}
	for key := range o {
		if !want[key] {
			t.Errorf("key %s should not be in %v", key, o)
		}
	}
}

func createArguments(eventType, start, email string) string {
	return fmt.Sprintf(`{"event_type":%q,"slot_start":%q,"attendee_name":"Grace Okafor","attendee_email":%q,"attendee_time_zone":"Europe/Berlin"}`, eventType, start, email)
}

func (w *world) create(eventType, start string, header ...string) toolAnswer {
	w.t.Helper()
	return w.call("create_booking", createArguments(eventType, start, "grace@example.com"), header...)
}

func (w *world) book(eventType, start string) (id string) {
	w.t.Helper()
	return w.create(eventType, start).ok()["booking_id"].(string)
}

func (w *world) move(id, start string, header ...string) toolAnswer {
	w.t.Helper()
	return w.call("reschedule_booking", fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, id, start), header...)
}

func (w *world) cancel(id string, header ...string) toolAnswer {
	w.t.Helper()
	return w.call("cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, id), header...)
}

func (w *world) availability(eventType, more string) toolAnswer {
	w.t.Helper()
	return w.call("get_availability", fmt.Sprintf(`{"workspace":"acme","event_type":%q%s}`, eventType, more))
}

// wantProtocolError checks the status, code and id, and returns the error. It compares the id byte by byte.
func (a answer) wantProtocolError(t testing.TB, status, code int, id string) object {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d: %s", a.status, status, a.body)
	}
	if got := a.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q", got)
	}
	if !strings.HasPrefix(a.body, `{"jsonrpc":"2.0","id":`+id+`,`) {
		t.Errorf("want id %s: %s", id, a.body)
	}
	o := parse(t, a.body)
	wantKeys(t, o, "jsonrpc", "id", "error")
	e, ok := o["error"].(object)
	if !ok || e["code"] != float64(code) {
		t.Fatalf("want error %d: %s", code, a.body)
	}
	if message, _ := e["message"].(string); message == "" {
		t.Errorf("no message: %s", a.body)
	}
	return e
}

// wantResult checks that a response is a success and returns its result.
func (a answer) wantResult(t testing.TB) object {
	t.Helper()
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("status %d, Content-Type %q: %s", a.status, a.header.Get("Content-Type"), a.body)
	}
	o := parse(t, a.body)
	wantKeys(t, o, "jsonrpc", "id", "result")
	result, ok := o["result"].(object)
	if !ok {
		t.Fatalf("no result: %s", a.body)
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
