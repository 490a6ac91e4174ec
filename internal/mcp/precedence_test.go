package mcp

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"slotd/test/worlds"
)

// requestParts are the parts of a modern request. Each can be wrong independently of the others.
type requestParts struct {
	method, origin, contentType string
	large, truncated            bool
	jsonrpc, version, header    string
	capabilities, rpcMethod     string
}

// mistakes lists what can be wrong with a request, in the order in which it is reported.
var mistakes = []struct {
	name         string
	status, code int
	id           string
	spoil        func(p *requestParts)
}{
	{"method", 405, -32600, "null", func(p *requestParts) { p.method = "PUT" }},
	{"origin", 403, -32600, "null", func(p *requestParts) { p.origin = "https://evil.example" }},
	{"content type", 415, -32600, "null", func(p *requestParts) { p.contentType = "text/plain" }},
	{"size", 413, -32600, "null", func(p *requestParts) { p.large = true }},
	{"JSON", 400, -32700, "null", func(p *requestParts) { p.truncated = true }},
	{"request", 400, -32600, "1", func(p *requestParts) { p.jsonrpc = "1.0" }},
	{"version", 400, -32022, "1", func(p *requestParts) { p.version = "2030-01-01" }},
	{"header", 400, -32020, "1", func(p *requestParts) { p.header = "ping" }},
	{"_meta", 400, -32602, "1", func(p *requestParts) { p.capabilities = "7" }},
	{"method name", 404, -32601, "1", func(p *requestParts) { p.rpcMethod = "no/such" }},
}

func (p requestParts) send(w *world) answer {
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

func validParts() requestParts {
	return requestParts{method: "POST", origin: worlds.BaseURL, contentType: "application/json", jsonrpc: "2.0",
		version: "2026-07-28", capabilities: "{}", rpcMethod: "tools/list"}
}

func TestWhenSeveralThingsAreWrong_TheFirstIsReported(t *testing.T) {
	w := lite(t)
	validParts().send(w).wantResult(t)
	for i, first := range mistakes {
		for j, second := range mistakes[i:] {
			name := first.name
			p := validParts()
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
