package mcp

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"
	"time"

	"slotd/internal/web/webtest"
)

func TestInitialize_AgreesOnEachLegacyRevision(t *testing.T) {
	w := lite(t)
	for requested, agreed := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "": "2025-11-25",
	} {
		a := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, requested))
		result := a.wantResult(t)
		webtest.WantKeys(t, result, "protocolVersion", "capabilities", "serverInfo", "instructions")
		if result["protocolVersion"] != agreed {
			t.Errorf("asked %s, got %v", requested, result["protocolVersion"])
		}
		wantCapabilities(t, result)
		info := result["serverInfo"].(object)
		if info["name"] != "slotd" || info["version"] != "v1.2.3" {
			t.Errorf("serverInfo %v", info)
		}
		if a.Header.Get("Mcp-Session-Id") != "" {
			t.Error("a session id")
		}
	}
	if got := w.post(`{"jsonrpc":"2.0","id":0,"method":"initialize"}`).wantResult(t)["protocolVersion"]; got != "2025-11-25" {
		t.Errorf("without params: %v", got)
	}
}

func wantCapabilities(t *testing.T, result object) {
	t.Helper()
	capabilities := result["capabilities"].(object)
	webtest.WantKeys(t, capabilities, "tools")
	if webtest.HasKey(capabilities["tools"].(object), "listChanged") {
		t.Error("the tools never change")
	}
	if text, _ := result["instructions"].(string); text == "" {
		t.Error("no instructions")
	}
}

func TestDiscover_IsAnsweredInBothEras(t *testing.T) {
	w := lite(t)
	modern, header := modernRequest("server/discover", "")
	for era, a := range map[string]answer{"legacy": w.post(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`),
		"modern": w.post(modern, header...)} {
		result := a.wantResult(t)
		wantStrings(t, result["supportedVersions"],
			[]string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"})
		wantCapabilities(t, result)
		wantCached(t, result)
		if complete := result["resultType"] == "complete"; complete != (era == "modern") {
			t.Errorf("%s: resultType %v", era, result["resultType"])
		}
	}
}

func wantCached(t *testing.T, result object) {
	t.Helper()
	if result["ttlMs"] != float64(time.Hour.Milliseconds()) || result["cacheScope"] != "public" {
		t.Errorf("ttlMs %v, cacheScope %v", result["ttlMs"], result["cacheScope"])
	}
}

func TestModernResults_SayComplete(t *testing.T) {
	w := lite(t)
	body, header := modernRequest("tools/list", "")
	result := w.post(body, header...).wantResult(t)
	webtest.WantKeys(t, result, "tools", "resultType", "ttlMs", "cacheScope", "_meta")
	wantCached(t, result)
	webtest.WantKeys(t, w.post(listTools).wantResult(t), "tools")

	for slug, isError := range map[string]bool{"acme": false, "nobody": true} {
		body, header = modernRequest("tools/call",
			fmt.Sprintf(`"name":"list_public_event_types","arguments":{"workspace":%q}`, slug))
		result = w.post(body, append(header, "Mcp-Name", "list_public_event_types")...).wantResult(t)
		if result["resultType"] != "complete" ||
			webtest.HasKey(result, "ttlMs") || webtest.HasKey(result, "cacheScope") ||
			result["isError"] != isError {
			t.Errorf("%s: %v", slug, result)
		}
		if info, _ := result["_meta"].(object)["io.modelcontextprotocol/serverInfo"].(object); info["name"] != "slotd" {
			t.Errorf("%s: _meta %v", slug, result["_meta"])
		}
	}
	legacy := w.call("list_public_event_types", `{"workspace":"acme"}`).Result
	if webtest.HasKey(legacy, "resultType") || webtest.HasKey(legacy, "_meta") {
		t.Errorf("a legacy result: %v", legacy)
	}
}

func TestMethodNames(t *testing.T) {
	w := lite(t)
	if result := w.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`).wantResult(t); len(result) != 0 {
		t.Errorf("ping: %v", result)
	}
	undeclared := []string{"prompts/list", "resources/list", "resources/templates/list", "resources/read",
		"completion/complete", "logging/setLevel", "tools/List", "", "rpc.discover", "notifications/initialized"}
	for _, method := range undeclared {
		w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method)).wantProtocolError(t, http.StatusOK, -32601,
			"1")
	}
	for _, method := range append(undeclared, "ping", "initialize") {
		body, header := modernRequest(method, "")
		w.post(body, header...).wantProtocolError(t, http.StatusNotFound, -32601, "1")
	}
}

func TestLegacyHeader(t *testing.T) {
	w := lite(t)
	for _, version := range legacyVersions {
		w.post(listTools, "MCP-Protocol-Version", version).wantResult(t)
	}
	for _, version := range []string{"2024-11-06", "2026-07-27", "1", "", "latest", "2025-6-18"} {
		e := w.post(listTools, "MCP-Protocol-Version", version).wantProtocolError(t, 400, -32600, "1")
		wantSupported(t, e)
	}
	for _, version := range []string{"2026-07-29", "2027-01-01", "9999-12-31"} {
		e := w.post(listTools, "MCP-Protocol-Version", version).wantProtocolError(t, 400, -32022, "1")
		wantSupported(t, e)
		if got := e["data"].(object)["requested"]; got != version {
			t.Errorf("requested %v", got)
		}
	}
}

func wantSupported(t *testing.T, e object) {
	t.Helper()
	data, _ := e["data"].(object)
	wantStrings(t, data["supported"], allVersions)
}

func TestMeta(t *testing.T) {
	w := lite(t)
	const version, capabilities = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`,
		`"io.modelcontextprotocol/clientCapabilities":{}`
	header := []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}
	for _, c := range []struct {
		params string
		code   int // 0: a result
	}{
		{`{"_meta":{` + version + `,` + capabilities + `}}`, 0},
		{`{"_meta":{` + version + `,` + capabilities +
			`,"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/logLevel":"debug","other":[1]}}`, 0},
		{`{"_meta":{` + version + `}}`, -32602},
		{`{"_meta":{` + capabilities + `}}`, -32602},
		{`{"_meta":{}}`, -32602},
		{`{"_meta":null}`, -32602},
		{`{"_meta":"x"}`, -32602},
		{`{}`, -32602},
		{`null`, -32602},
		{`{"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":null}}`, -32602},
		{`{"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":[]}}`, -32602},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":7,` + capabilities + `}}`, -32602},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":null,` + capabilities + `}}`, -32602},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25",` + capabilities + `}}`, -32022},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01",` + capabilities + `}}`, -32022},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"",` + capabilities + `}}`, -32020},
	} {
		a := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":`+c.params+`}`, header...)
		if c.code == 0 {
			a.wantResult(t)
			continue
		}
		e := a.wantProtocolError(t, 400, c.code, "1")
		if c.code == -32022 {
			wantSupported(t, e)
		}
	}
	for _, version := range legacyVersions { // even if the header names the same revision
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":%q,%s}}}`, version, capabilities)
		wantSupported(t, w.post(body, "MCP-Protocol-Version", version, "Mcp-Method", "tools/list").wantProtocolError(t,
			400, -32022, "1"))
	}
}

func TestModernHeaders(t *testing.T) {
	w := lite(t)
	body, _ := modernRequest("tools/call", `"name":"list_public_event_types","arguments":{"workspace":"acme"}`)
	name := "list_public_event_types"
	encode := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	for _, c := range []struct {
		version, method, name string
		right                 bool
	}{
		{"2026-07-28", "tools/call", name, true},
		{"2026-07-28", "tools/call", encode(name), true},
		{"-", "tools/call", name, false},
		{"2025-11-25", "tools/call", name, false},
		{"2027-01-01", "tools/call", name, false},
		{"2026-07-28", "-", name, false},
		{"2026-07-28", "tools/list", name, false},
		{"2026-07-28", "Tools/Call", name, false},
		{"2026-07-28", "tools/call", "-", false},
		{"2026-07-28", "tools/call", "cancel_booking", false},
		{"2026-07-28", "tools/call", "LIST_PUBLIC_EVENT_TYPES", false},
		{"2026-07-28", "tools/call", encode("cancel_booking"), false},
		{"2026-07-28", "tools/call", "=?base64?!!!?=", false},
		{"2026-07-28", "tools/call", "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)), false},
	} {
		a := w.post(body, "mcp-protocol-version", c.version, "MCP-METHOD", c.method, "mcp-name", c.name)
		if c.right {
			a.wantResult(t)
		} else {
			a.wantProtocolError(t, 400, -32020, "1")
		}
	}
	w.post(body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Method", "tools/call",
		"Mcp-Name", name).wantProtocolError(t, 400, -32020, "1")
}
