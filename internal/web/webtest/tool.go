package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"slotd"
)

// Object is any JSON object.
type Object = map[string]any

// ParseJSON parses a JSON object.
func ParseJSON(t testing.TB, text string) (o Object) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return o
}

// ToolCall returns the body of a request that calls a tool.
func ToolCall(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
}

// BookingArguments returns arguments of create_booking.
func BookingArguments(eventType, start, email string) string {
	return fmt.Sprintf(`{"event_type":%q,"slot_start":%q,"attendee_name":"Grace Okafor","attendee_email":%q,`+
		`"attendee_time_zone":"Europe/Berlin"}`, eventType, start, email)
}

// Call calls a tool of the endpoint with a token.
func Call(t testing.TB, endpoint http.Handler, token, tool, arguments string) ToolAnswer {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/api/mcp", strings.NewReader(ToolCall(tool, arguments)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	return Serve(t, endpoint, r).Tool(tool + " " + arguments)
}

// ToolAnswer is the result of a call.
type ToolAnswer struct {
	T          testing.TB
	Request    string
	Result     Object
	Text       string
	Structured Object // nil: missing
	Failure    Object // the value of "error"; nil: the call succeeded
}

// Tool checks the response to a tool call and returns its result. request describes the call in errors.
func (a Answer) Tool(request string) ToolAnswer {
	a.T.Helper()
	if a.Status != http.StatusOK {
		a.T.Fatalf("%.300s: status %d, %s", request, a.Status, a.Body)
	}
	envelope := ParseJSON(a.T, a.Body)
	result, ok := envelope["result"].(Object)
	if !ok {
		a.T.Fatalf("%.300s: no result: %s", request, a.Body)
	}
	r := ToolAnswer{T: a.T, Request: request, Result: result}
	item := result["content"].([]any)[0].(Object)
	if item["type"] != "text" || len(result["content"].([]any)) != 1 {
		a.T.Fatalf("%.300s: content %v", request, result["content"])
	}
	r.Text = item["text"].(string)
	r.Structured, _ = result["structuredContent"].(Object)
	body := ParseJSON(a.T, r.Text)
	if result["isError"] == true {
		r.Failure, _ = body["error"].(Object)
		if r.Failure == nil || len(body) != 1 || r.Structured != nil || HasKey(result, "structuredContent") {
			a.T.Fatalf("%.300s: a failed call must hold {\"error\":…} and no structuredContent: %s", request, a.Body)
		}
	} else if !reflect.DeepEqual(body, r.Structured) {
		a.T.Fatalf("%.300s: text and structuredContent differ: %s", request, a.Body)
	}
	return r
}

// OK checks that the call succeeded and returns its object.
func (r ToolAnswer) OK() Object {
	r.T.Helper()
	if r.Failure != nil {
		r.T.Fatalf("%.300s: %s", r.Request, r.Text)
	}
	return r.Structured
}

// Fails checks that the call failed with the code and with exactly these keys besides code and message. It returns the
// error.
func (r ToolAnswer) Fails(code slotd.Code, extraKeys ...string) Object {
	r.T.Helper()
	if r.Failure == nil || r.Failure["code"] != string(code) {
		r.T.Fatalf("%.300s: got %.600s, want %s", r.Request, r.Text, code)
	}
	if message, _ := r.Failure["message"].(string); message == "" {
		r.T.Errorf("%.300s: no message", r.Request)
	}
	WantKeys(r.T, r.Failure, append([]string{"code", "message"}, extraKeys...)...)
	return r.Failure
}

// HasKey reports whether the object has the key, even if its value is null.
func HasKey(o Object, key string) bool {
	_, ok := o[key]
	return ok
}

// WantKeys checks that the object has exactly these keys.
func WantKeys(t testing.TB, o Object, keys ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, key := range keys {
		want[key] = true
		if !HasKey(o, key) {
			t.Errorf("key %s is missing in %v", key, o)
		}
	}
	for key := range o {
		if !want[key] {
			t.Errorf("key %s should not be in %v", key, o)
		}
	}
}
