package bridge

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAnswer_IDsOfAnyShapeComeBackByteForByte(t *testing.T) {
	for _, id := range []string{
		`1`, `-0`, `1e3`, `1.50`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"a b"`, `"\u0041\/"`,
		`"\"}\n"`, `"é<&>"`,
		`true`, `[1, 2]`, `{"a" : 1}`, `null`,
	} {
		t.Run(id, func(t *testing.T) {
			s := serve(t, func(n int, w http.ResponseWriter, body string) {
				if n == 1 {
					echo(n, w, body)
					return
				}
				always(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)(n,
					w, body)
			})
			h := start(t, Options{URL: s.URL})
			h.send(`{"id": ` + id + ` ,"method":"ping"}`)
			h.want(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
			h.send(`{"id": ` + id + ` ,"method":"ping"}`)
			h.want(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,"message":"no"}}`)
			s.Close()
			h.send(`{"id": ` + id + ` ,"method":"ping"}`)
			if line := h.read(); !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32603,`) {
				t.Errorf("got %s", line)
			}
			h.end()
		})
	}
}

func TestAnswer_IsOneLineWhateverTheServersLayout(t *testing.T) {
	s := serve(t, always(200, "application/json",
		"{\r\n \"result\": {\n  \"a\": [1,\n 2.50, \"x\\n y\"]\n },\n \"id\": 7,\n \"jsonrpc\": \"2.0\"\n}\n"))
	h := start(t, Options{URL: s.URL})
	h.send(createLine)
	h.want(`{"jsonrpc":"2.0","id":7,"result":{"a":[1,2.50,"x\n y"]}}`)
	h.end()
}

func TestAnswer_ErrorsOfTheServerPassUnderTheRequestsID(t *testing.T) {
	for name, tc := range map[string]struct {
		status     int
		body, want string
	}{
		"too large": {413, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"over 64 KiB"}}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"over 64 KiB"}}`},
		"foreign": {403, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"origin"},"id":null}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"origin"}}`},
		"no id": {400, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"twice"}}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"twice"}}`},
		"too many": {429, `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"slow down","data":{"s":1}}}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"slow down","data":{"s":1}}}`},
		"not found": {404, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"what"}}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"what"}}`},
		"null error": {200, `{"jsonrpc":"2.0","id":7,"result":null,"error":null}`,
			`{"jsonrpc":"2.0","id":7,"result":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, Options{URL: serve(t, always(tc.status, "application/json", tc.body)).URL})
			h.send(createLine)
			h.want(tc.want)
			h.end()
		})
	}
}

func TestAnswer_RefusalInTheMiddleOfALongBodyArrives(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10)); err != nil {
			always(413, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"long"}}`)(0,
				w, "")
		}
	}))
	t.Cleanup(s.Close)
	h := start(t, Options{URL: s.URL})
	h.send(`{"id":7,"method":"ping","x":"` + strings.Repeat("x", 900<<10) + `"}`)
	h.want(`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"long"}}`)
	h.end()
}

func TestAnswer_WhatIsNoAnswerBecomesAnError(t *testing.T) {
	for name, tc := range map[string]struct {
		status            int
		kind, body, hints string
	}{
		"page": {200, "text/html; charset=utf-8", "<html>",
			"text/html instead of a JSON-RPC answer with HTTP 200 OK. Check that --url"},
		"not found":  {404, "text/plain", "404 page not found", "HTTP 404"},
		"sign-in":    {401, "text/html", "<html>", "--header"},
		"too many":   {429, "text/plain", "slow down", "wait"},
		"empty":      {200, "application/json", "", "an empty answer with HTTP 200 OK"},
		"accepted":   {202, "application/json", "", "an empty answer with HTTP 202 Accepted"},
		"no content": {204, "", "", "an empty answer with HTTP 204"},
		"event stream": {200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n",
			"text/event-stream"},
		"two answers": {200, "application/json", `{"jsonrpc":"2.0","id":7,"result":{}}{"id":7,"result":{}}`,
			"--url"},
		"half an answer":   {200, "application/json", `{"jsonrpc":"2.0","id":7,"result":{}`, "--url"},
		"an array":         {200, "application/json", `[{"jsonrpc":"2.0","id":7,"result":{}}]`, "--url"},
		"null":             {200, "application/json", `null`, "--url"},
		"a proxy's JSON":   {404, "application/json", `{"error":"no such app"}`, "--url"},
		"a proxy's object": {500, "application/json", `{"error":{"message":"no such app"}}`, "--url"},
		"result and error": {200, "application/json",
			`{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"x"}}`, "--url"},
		"names in capitals": {200, "application/json", `{"jsonrpc":"2.0","id":7,"RESULT":{}}`, "--url"},
		"invalid UTF-8":     {200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xff\"}", "--url"},
		"another's result":  {200, "application/json", `{"jsonrpc":"2.0","id":8,"result":{}}`, "another request"},
		"another's error": {200, "application/json", `{"jsonrpc":"2.0","id":"7","error":{"code":1,"message":"x"}}`,
			"another request"},
		"nobody's result": {200, "application/json", `{"jsonrpc":"2.0","id":null,"result":{}}`, "another request"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, always(tc.status, tc.kind, tc.body))
			h := start(t, Options{URL: s.URL + "/api?key=hidden"})
			h.send(createLine)
			message := h.wantError("7", codeInternal)
			h.end()
			if !strings.Contains(message, tc.hints) || !strings.HasPrefix(message, s.URL+"/api ") {
				t.Errorf("message %q, want it to say %q", message, tc.hints)
			}
			h.wantLog("tools/call")
		})
	}
}

func TestAnswer_IDInTheServersOwnSpellingIsTheSame(t *testing.T) {
	h := start(t, Options{URL: serve(t,
		always(200, "application/json", `{"jsonrpc":"2.0","id":"A/é","result":{}}`)).URL})
	h.send(`{"id":"\u0041\/\u00e9","method":"ping"}`)
	h.want(`{"jsonrpc":"2.0","id":"\u0041\/\u00e9","result":{}}`)
	h.end()
}

func TestAnswer_BigIDsAreNotConfused(t *testing.T) {
	h := start(t, Options{URL: serve(t,
		always(200, "application/json", `{"jsonrpc":"2.0","id":9007199254740992,"result":{}}`)).URL})
	h.send(`{"id":9007199254740993,"method":"ping"}`)
	h.wantError("9007199254740993", codeInternal)
	h.end()
}

func TestAnswer_NotificationsGetNone(t *testing.T) {
	for name, tc := range map[string]struct {
		status int
		body   string
		logged string
	}{
		"accepted":        {202, "", ""},
		"answered anyway": {200, `{"jsonrpc":"2.0","id":null,"result":{}}`, ""},
		"refused":         {400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`, "HTTP 400"},
		"redirected":      {307, "", "redirects"},
		"not ready":       {503, "", "HTTP 503"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, always(tc.status, "application/json", tc.body))
			h := start(t, Options{URL: s.URL})
			h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			h.send(`{"jsonrpc":"2.0","id":5,"result":{}}`) // the host's own answer
			h.end()
			if n := len(s.requests()); n < 2 {
				t.Errorf("%d requests, want both", n)
			}
			if (h.log.Len() > 0) != (tc.logged != "") {
				t.Errorf("log %q", h.log)
			}
			h.wantLog(tc.logged)
		})
	}
}

func TestAnswer_NotificationToNobodyIsOnlyLogged(t *testing.T) {
	h := start(t, Options{URL: "http://127.0.0.1:1"})
	h.send(`{"method":"notifications/cancelled"}`)
	h.end()
	h.wantLog("notifications/cancelled")
}
