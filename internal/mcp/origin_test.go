package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestOrigin_AllowedOnesGetTheirHeaders(t *testing.T) {
	w := lite(t)
	for _, origin := range []string{"https://book.example", "https://app.example"} {
		a := w.post(listTools, "Origin", origin)
		a.wantResult(t)
		if a.Header.Get("Access-Control-Allow-Origin") != origin || a.Header.Get("Vary") != "Origin" {
			t.Errorf("%s: headers %v", origin, a.Header)
		}
		if a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: no credentials are taken here", origin)
		}
	}
	if a := w.post(listTools); a.Header.Get("Access-Control-Allow-Origin") != "" || a.Header.Get("Vary") != "Origin" {
		t.Errorf("without an origin: %v", a.Header)
	}
	a := w.post(`nonsense`, "Origin", "https://app.example")
	a.wantProtocolError(t, 400, -32700, "null")
	if a.Header.Get("Access-Control-Allow-Origin") != "https://app.example" {
		t.Errorf("a page cannot read its error: %v", a.Header)
	}
}

var foreign = []string{
	"null", "https://evil.example", "http://book.example", "https://book.example:8443",
	"https://book.example.evil.example",
	"https://xbook.example", "http://localhost:3000", "http://127.0.0.1", "https://", "book.example", "file://",
	"https://book.example/",
}

func TestOrigin_ForeignOnesAreRefused(t *testing.T) {
	w := lite(t)
	for _, origin := range foreign {
		a := w.post(listTools, "Origin", origin)
		a.wantProtocolError(t, http.StatusForbidden, -32600, "null")
		if a.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", origin, a.Header)
		}
	}
	w.post(listTools, "Origin", "https://app.example", "Origin", "https://evil.example").wantProtocolError(t,
		http.StatusForbidden, -32600, "null")
}

func TestPreflight(t *testing.T) {
	w := lite(t)
	headers := []string{"Content-Type", "-", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers",
		"authorization"}
	a := w.send("OPTIONS", nil, append(headers, "Origin", "https://app.example")...)
	if a.Status != http.StatusNoContent || a.Body != "" {
		t.Fatalf("%+v", a)
	}
	if a.Header.Get("Access-Control-Allow-Origin") != "https://app.example" || a.Header.Get("Vary") != "Origin" ||
		a.Header.Get("Access-Control-Allow-Methods") != "POST" {
		t.Errorf("headers %v", a.Header)
	}
	allowed := "," + strings.ReplaceAll(strings.ToLower(a.Header.Get("Access-Control-Allow-Headers")), " ", "") + ","
	for _, name := range []string{"authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name",
		"idempotency-key"} {
		if !strings.Contains(allowed, ","+name+",") {
			t.Errorf("%s is missing in %s", name, allowed)
		}
	}
	for _, origin := range foreign {
		a := w.send("OPTIONS", nil, append(headers, "Origin", origin)...)
		if a.Status != http.StatusForbidden && a.Status != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", origin, a.Status)
		}
		if a.Header.Get("Access-Control-Allow-Origin") != "" || a.Header.Get("Access-Control-Allow-Methods") != "" {
			t.Errorf("%s: %v", origin, a.Header)
		}
	}
}

func TestOrigin_LoopbackBaseURLTakesAnyLoopbackPage(t *testing.T) {
	for _, c := range []struct {
		base, origin string
		allowed      bool
	}{
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{"http://127.0.0.1:8080", "http://localhost:5173", true},
		{"http://127.0.0.1:8080", "https://localhost", true},
		{"http://127.0.0.1:8080", "http://[::1]:3000", true},
		{"http://127.0.0.1:8080", "http://127.8.9.10", true},
		{"http://localhost:8080", "http://127.0.0.1:3000", true},
		{"http://[::1]:8080", "http://localhost:1", true},
		{"http://127.0.0.1:8080", "http://localhost.evil.example", false},
		{"http://127.0.0.1:8080", "http://127.0.0.1.evil.example", false},
		{"http://127.0.0.1:8080", "http://192.168.0.2", false},
		{"http://127.0.0.1:8080", "null", false},
		{"https://book.example", "http://localhost:5173", false},
		{"https://book.example", "https://BOOK.example", true},
		{"https://book.example", "https://book.example:443", true},
		{"http://192.168.0.2:8080", "http://127.0.0.1", false},
	} {
		origins, err := NewOrigins(c.base, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", "/api/mcp", nil)
		r.Header.Set("Origin", c.origin)
		if _, allowed := origins.check(r); allowed != c.allowed {
			t.Errorf("base %s, origin %s: allowed %v", c.base, c.origin, allowed)
		}
	}
}
