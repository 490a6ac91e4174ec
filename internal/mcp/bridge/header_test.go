package bridge

import (
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sent forwards the lines one after the other and returns the headers that each arrived with.
func sent(t *testing.T, o Options, answer func(int, http.ResponseWriter, string), lines ...string) []http.Header {
	t.Helper()
	s := serve(t, answer)
	o.URL = s.URL
	h := start(t, o)
	for _, l := range lines {
		h.send(l)
		h.read()
	}
	h.end()
	var headers []http.Header
	for _, r := range s.requests() {
		headers = append(headers, r.header)
	}
	return headers
}

func pick(h http.Header, names ...string) map[string]string {
	got := map[string]string{}
	for _, n := range names {
		if v, ok := h[http.CanonicalHeaderKey(n)]; ok {
			got[n] = v[0]
		}
	}
	return got
}

func TestHeader_DerivedFromTheMessage(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	type headers = map[string]string
	for name, tc := range map[string]struct {
		line string
		want headers
	}{
		"modern": {`{"id":1,"method":"tools/list","params":{` + meta + `}}`,
			headers{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}},
		"modern call": {`{"id":1,"method":"tools/call","params":{"name":"cancel_booking",` + meta + `}}`,
			headers{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "cancel_booking"}},
		"legacy": {`{"id":1,"method":"tools/list"}`, headers{"Mcp-Method": "tools/list"}},
		"legacy call": {`{"id":1,"method":"tools/call","params":{"name":"x"}}`,
			headers{"Mcp-Method": "tools/call", "Mcp-Name": "x"}},
		"inner space": {`{"id":1,"method":"tools/call","params":{"name":"a b"}}`,
			headers{"Mcp-Method": "tools/call", "Mcp-Name": "a b"}},
		"surrounding space": {`{"id":1,"method":"tools/call","params":{"name":" a"}}`,
			headers{"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?IGE=?="}},
		"not ASCII": {`{"id":1,"method":"tools/call","params":{"name":"café"}}`,
			headers{"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?Y2Fmw6k=?="}},
		"line break": {`{"id":1,"method":"tools/call","params":{"name":"a\r\nX: y"}}`,
			headers{"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?YQ0KWDogeQ==?="}},
		"looks encoded": {`{"id":1,"method":"tools/call","params":{"name":"=?base64?YQ==?="}}`,
			headers{"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?PT9iYXNlNjQ/WVE9PT89?="}},
		"a resource": {`{"id":1,"method":"resources/read","params":{"uri":"file:///a"}}`,
			headers{"Mcp-Method": "resources/read", "Mcp-Name": "file:///a"}},
		"other name":     {`{"id":1,"method":"ping","params":{"name":"x"}}`, headers{"Mcp-Method": "ping"}},
		"name no string": {`{"id":1,"method":"tools/call","params":{"name":7}}`, headers{"Mcp-Method": "tools/call"}},
		"wrong case":     {`{"id":1,"METHOD":"ping","Params":{}}`, headers{}},
		"odd method":     {`{"id":1,"method":"pi\nng"}`, headers{}},
		"odd version":    {`{"id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1\n2"}}}`, headers{"Mcp-Method": "ping"}},
		"odd params":     {`{"id":1,"method":"ping","params":[1]}`, headers{"Mcp-Method": "ping"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := sent(t, Options{}, echo, tc.line)
			if len(got) != 1 {
				t.Fatalf("%d requests, want 1", len(got))
			}
			if d := cmp.Diff(tc.want, pick(got[0], "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name",
				"Idempotency-Key")); d != "" {
				t.Error(d)
			}
			if ct := got[0].Get("Content-Type"); ct != "application/json" {
				t.Errorf("Content-Type %q", ct)
			}
		})
	}
}

func TestHeader_VersionOfInitializeIsSentOnLaterRequests(t *testing.T) {
	answer := func(n int, w http.ResponseWriter, body string) {
		switch n {
		case 1:
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`)
		case 4:
			io.WriteString(w, `{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no"}}`)
		default:
			echo(n, w, body)
		}
	}
	got := sent(t, Options{}, answer,
		`{"id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01"}}`,
		`{"id":2,"method":"tools/list"}`,
		`{"id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"id":4,"method":"initialize"}`,
		`{"id":5,"method":"tools/list"}`)
	for i, want := range []string{"", "2025-06-18", "2026-07-28", "", "2025-06-18"} {
		if v := got[i].Get("MCP-Protocol-Version"); v != want {
			t.Errorf("request %d: version %q, want %q", i+1, v, want)
		}
	}
}

func TestHeader_WhatFollowsInitializeWaitsForItsVersion(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	s := serve(t, func(n int, w http.ResponseWriter, body string) {
		if n > 1 {
			echo(n, w, body)
			return
		}
		close(arrived)
		<-release
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)
	})
	h := start(t, Options{URL: s.URL})
	h.send(`{"id":1,"method":"initialize"}` + "\n" + `{"id":2,"method":"tools/list"}`)
	<-arrived
	close(release)
	h.read()
	h.read()
	h.end()
	if v := s.requests()[1].header.Get("MCP-Protocol-Version"); v != "2025-11-25" {
		t.Errorf("version %q, want what initialize agreed on", v)
	}
}

func TestHeader_TokenIsABearer(t *testing.T) {
	got := sent(t, Options{Token: token + "\n"}, echo, `{"id":1,"method":"ping"}`)
	if v := got[0].Values("Authorization"); len(v) != 1 || v[0] != "Bearer "+token {
		t.Errorf("Authorization %q", v)
	}
}

func TestHeader_GivenOnesWin(t *testing.T) {
	o := Options{Token: token, Headers: []string{
		"authorization:Bearer mine", "MCP-PROTOCOL-VERSION: 1", "Mcp-Method: m", "Mcp-Name: n", "Idempotency-Key: k",
		"X-Twice: a", "X-Twice: b:c", "User-Agent:",
	}}
	got := sent(t, o, echo, `{"id":1,"method":"tools/call","params":{"name":"create_booking","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)[0]
	want := map[string]string{"Authorization": "Bearer mine", "MCP-Protocol-Version": "1", "Mcp-Method": "m",
		"Mcp-Name": "n", "Idempotency-Key": "k"}
	if d := cmp.Diff(want, pick(got, "Authorization", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name",
		"Idempotency-Key")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"a", "b:c"}, got["X-Twice"]); d != "" {
		t.Error(d)
	}
	if len(got["Authorization"]) != 1 {
		t.Errorf("Authorization %q, want the given one only", got["Authorization"])
	}
}

func TestHeader_GivenHostIsTheRequestsHost(t *testing.T) {
	s := serve(t, echo)
	h := start(t, Options{URL: s.URL, Headers: []string{"Host: book.example"}})
	h.send(`{"id":1,"method":"ping"}`)
	h.read()
	h.end()
	if got := s.requests()[0].host; got != "book.example" {
		t.Errorf("Host %q", got)
	}
}

func TestHeader_EachCreateBookingHasItsOwnKey(t *testing.T) {
	create := `{"id":1,"method":"tools/call","params":{"name":"create_booking","arguments":{}}}`
	got := sent(t, Options{}, echo, create, create, `{"id":1,"method":"tools/call","params":{"name":"cancel_booking"}}`)
	one, two := got[0].Get("Idempotency-Key"), got[1].Get("Idempotency-Key")
	if len(one) < 20 || len(two) < 20 || one == two {
		t.Errorf("keys %q and %q, want two random ones", one, two)
	}
	if _, ok := got[2]["Idempotency-Key"]; ok {
		t.Error("cancel_booking carries a key")
	}
}
