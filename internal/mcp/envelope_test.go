package mcp

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"slotd/internal/web/webtest"
)

func TestID_IsEchoedByteForByte(t *testing.T) {
	w := lite(t)
	for _, id := range []string{
		`"abc\u0041"`, `"\ud83d\ude00"`, `""`, `"é"`, `"\/"`, `"<&>"`, `"1"`, `"` + strings.Repeat("x", 5000) + `"`,
		`0`, `-0`, `-1`, `7`, `9007199254740993`, `123456789012345678901234567890`, `-9223372036854775809`,
	} {
		for _, method := range []string{"tools/list", "ping", "nothing"} {
			a := w.post(fmt.Sprintf(`{"jsonrpc": "2.0", "method": %q, "id" : %s }`, method, id))
			if !strings.HasPrefix(a.Body, `{"jsonrpc":"2.0","id":`+id+`,`) {
				t.Errorf("id %.40s: %.200s", id, a.Body)
			}
		}
		a := w.post(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"cancel_booking"},"id":` + id + `}`)
		if !strings.HasPrefix(a.Body, `{"jsonrpc":"2.0","id":`+id+`,"result":`) {
			t.Errorf("id %.40s: %.200s", id, a.Body)
		}
	}
}

func TestID_OfAnotherKindIsRefused(t *testing.T) {
	w := lite(t)
	for _, id := range []string{`1.0`, `1e3`, `1E0`, `0.5`, `-1.5`, `null`, `true`, `false`, `{}`, `[]`, `[1]`,
		`{"a":1}`} {
		w.post(`{"jsonrpc":"2.0","method":"tools/list","id":`+id+`}`).wantProtocolError(t, 400, -32600, "null")
	}
	for _, id := range []string{`007`, `+1`, `01`, `1.`, `.5`, `0x10`, `NaN`, `'a'`, ``} {
		w.post(`{"jsonrpc":"2.0","method":"tools/list","id":`+id+`}`).wantProtocolError(t, 400, -32700, "null")
	}
}

func TestNotAMessage_IsRefused(t *testing.T) {
	w := lite(t)
	for body, id := range map[string]string{
		`[]`: "null",
		`[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`:         "null",
		`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`: "null",
		`"text"`: "null", `7`: "null", `null`: "null", `true`: "null", `{}`: "null",
		`{"id":1,"method":"tools/list"}`:                              "1",
		`{"jsonrpc":"1.0","id":1,"method":"tools/list"}`:              "1",
		`{"jsonrpc":2.0,"id":1,"method":"tools/list"}`:                "1",
		`{"JSONRPC":"2.0","id":1,"method":"tools/list"}`:              "1",
		`{"jsonrpc":"2.0","id":"x"}`:                                  `"x"`,
		`{"jsonrpc":"2.0","id":1,"method":7}`:                         "1",
		`{"jsonrpc":"2.0","id":1,"method":null}`:                      "1",
		`{"jsonrpc":"2.0","id":1,"Method":"tools/list"}`:              "1",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`:  "1",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}`: "1",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":1}`:   "1",
		`{"jsonrpc":"2.0","method":7}`:                                "null",
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                        "1",
	} {
		t.Run(body, func(t *testing.T) { w.post(body).wantProtocolError(t, 400, -32600, id) })
	}
}

func nested(depth int) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":` + strings.Repeat("[", depth-2) +
		strings.Repeat("]", depth-2) + `}}`
}

func TestBadJSON_IsRefused(t *testing.T) {
	w := lite(t)
	w.post(nested(32)).wantResult(t)
	for _, body := range []string{
		``, ` `, `{`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"`, listTools + listTools, listTools + `x`,
		"\ufeff" + listTools,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":1,"a":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":{},"x":{}}}}`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"x\":\"\xff\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"x\":\"\xed\xa0\x80\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xc3\",\"method\":\"tools/list\"}",
		`{"jsonrpc":"2.0","id":"\ud800","method":"tools/list"}`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"a\nb\",\"method\":\"tools/list\"}",
		`{'jsonrpc':'2.0'}`, `{"jsonrpc":"2.0",}`, `{"a":NaN}`, `{"a":Infinity}`, `// comment`, `{"a":1}/**/`,
		nested(33), strings.Repeat("[", 60_000), strings.Repeat(`{"a":`, 10_000),
	} {
		w.post(body).wantProtocolError(t, 400, -32700, "null")
	}
}

func TestNotifications_AreAcceptedAndNeverExecuted(t *testing.T) {
	w := lite(t)
	before := w.Counts()
	body := `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"create_booking","arguments":` +
		webtest.BookingArguments("intro", at("02-02 10:00"), "grace@example.com") + `}}`
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"no/such/thing"}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`, body,
	} {
		for _, version := range []string{"-", "2025-11-25", "2026-07-28"} {
			a := w.post(body, "Authorization", "Bearer "+w.token, "MCP-Protocol-Version", version)
			if a.Status != http.StatusAccepted || a.Body != "" {
				t.Errorf("%s: status %d, %q", body, a.Status, a.Body)
			}
		}
	}
	if after := w.Counts(); after != before {
		t.Errorf("a notification was executed: %v, %v", before, after)
	}
}

func TestToolsCall_WithWrongParamsIsAProtocolError(t *testing.T) {
	w := lite(t)
	for _, params := range []string{
		`{}`, `{"name":null}`, `{"name":7,"arguments":{}}`, `{"name":"","arguments":{}}`,
		`{"name":"delete_booking","arguments":{}}`,
		`{"name":"Cancel_booking","arguments":{}}`, `{"name":["cancel_booking"]}`, `{"Name":"cancel_booking"}`,
		`{"name":"cancel_booking","arguments":[]}`, `{"name":"cancel_booking","arguments":"{}"}`,
		`{"name":"cancel_booking","arguments":1}`, `{"name":"list_public_event_types","arguments":true}`,
		`{"name":"` + strings.Repeat("é", 3000) + `"}`,
	} {
		w.post(`{"jsonrpc":"2.0","id":"q","method":"tools/call","params":`+params+`}`).wantProtocolError(t, 200, -32602,
			`"q"`)
	}
	w.post(`{"jsonrpc":"2.0","id":"q","method":"tools/call"}`).wantProtocolError(t, 200, -32602, `"q"`)
	a := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_public_event_types"}}`)
	a.Tool("arguments left out").Fails("invalid_argument")

	body, header := modernRequest("tools/call", `"name":"nothing"`)
	w.post(body, append(header, "Mcp-Name", "nothing")...).wantProtocolError(t, 200, -32602, "1")
	body, header = modernRequest("tools/call", `"arguments":{}`)
	w.post(body, header...).wantProtocolError(t, 200, -32602, "1")
}

func TestToolsCall_ArgumentsNullAreNoObject(t *testing.T) {
	a := lite(t).post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_public_event_types","arguments":null}}`)
	a.wantProtocolError(t, 200, -32602, "1")
}
