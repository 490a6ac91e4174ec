package mcp

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// parts make a modern request. Each can be wrong by itself, so that any two can be at once.
type parts struct {
	method, origin, contentType string
	large, truncated            bool
	jsonrpc, version, header    string
	capabilities, rpcMethod     string
}

// wrongs is what can be wrong with a request, in the order in which it is told.
var wrongs = []struct {
	name         string
	status, code int
	id           string
	spoil        func(p *parts)
}{
	{"method", 405, -32600, "null", func(p *parts) { p.method = "PUT" }},
	{"origin", 403, -32600, "null", func(p *parts) { p.origin = "https://evil.example" }},
	{"content type", 415, -32600, "null", func(p *parts) { p.contentType = "text/plain" }},
	{"size", 413, -32600, "null", func(p *parts) { p.large = true }},
	{"JSON", 400, -32700, "null", func(p *parts) { p.truncated = true }},
	{"request", 400, -32600, "1", func(p *parts) { p.jsonrpc = "1.0" }},
	{"version", 400, -32022, "1", func(p *parts) { p.version = "2030-01-01" }},
	{"header", 400, -32020, "1", func(p *parts) { p.header = "ping" }},
	{"_meta", 400, -32602, "1", func(p *parts) { p.capabilities = "7" }},
	{"method name", 404, -32601, "1", func(p *parts) { p.rpcMethod = "no/such" }},
}

func (p parts) send(w *world) answer {
	header := p.header
	if header == "" {
		header = p.rpcMethod
	}
	body := `{"jsonrpc":"` + p.jsonrpc + `","id":1,"method":"` + p.rpcMethod +
		`","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + p.version +
		`","io.modelcontextprotocol/clientCapabilities":` + p.capabilities + `}}}`
	if p.truncated {
		body = body[:len(body)-1]
	}
	if p.large {
		body += strings.Repeat(" ", 70_000)
	}
	return w.send(p.method, io.Reader(strings.NewReader(body)), "Origin", p.origin, "Content-Type", p.contentType,
		"MCP-Protocol-Version", p.version, "Mcp-Method", header)
}

func rightParts() parts {
	return parts{method: "POST", origin: baseURL, contentType: "application/json", jsonrpc: "2.0",
		version: "2026-07-28", capabilities: "{}", rpcMethod: "tools/list"}
}

func TestWhenSeveralThingsAreWrong_TheFirstIsTold(t *testing.T) {
	w := lite(t)
	rightParts().send(w).wantResult(t)
	for i, first := range wrongs {
		for j, second := range wrongs[i:] {
			name := first.name
			p := rightParts()
			first.spoil(&p)
			if j > 0 {
				name += " and " + second.name
				second.spoil(&p)
			}
			t.Run(name, func(t *testing.T) { p.send(w).wantProtocolError(t, first.status, first.code, first.id) })
		}
	}
}

func TestLegacyHeader_ComesBeforeTheMethodName(t *testing.T) {
	w := lite(t)
	w.post(`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, "MCP-Protocol-Version", "x").wantProtocolError(t,
		http.StatusBadRequest, -32600, "1")
	w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no"}}`, "MCP-Protocol-Version",
		"x").wantProtocolError(t, http.StatusBadRequest, -32600, "1")
}
