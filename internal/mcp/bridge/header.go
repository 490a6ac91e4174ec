package bridge

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// fixedHeader holds what the command line and the token ask for. Its errors never repeat a value: it may be a secret.
func fixedHeader(given []string, token string) (http.Header, error) {
	h := http.Header{}
	for i, g := range given {
		name, value, found := strings.Cut(g, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || !headerName(name) || !headerValue(value) {
			return nil, fmt.Errorf("--header number %d is not of the form 'Name: value'", i+1)
		}
		h.Add(name, value)
	}
	token = strings.TrimSpace(token)
	if !plain(token) || strings.Contains(token, " ") {
		return nil, errors.New("SLOTD_TOKEN holds characters that no token has: copy it again")
	}
	if token != "" && h["Authorization"] == nil {
		h.Set("Authorization", "Bearer "+token)
	}
	return h, nil
}

// header is what a message travels with: what it says itself, overruled by what was asked for at the start.
func (b *bridge) header(m message) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	// The revisions demand that a client names both, though this endpoint never streams.
	h.Set("Accept", "application/json, text/event-stream")
	h.Set("User-Agent", "slotd-bridge")
	if v := b.versionFor(m); v != "" && plain(v) {
		h.Set("MCP-Protocol-Version", v)
	}
	if m.method != "" && plain(m.method) {
		h.Set("Mcp-Method", m.method)
	}
	if m.name != nil {
		h.Set("Mcp-Name", encodeName(*m.name))
	}
	if m.method == "tools/call" && m.name != nil && *m.name == "create_booking" {
		h.Set("Idempotency-Key", rand.Text())
	}
	maps.Copy(h, b.fixed)
	return h
}

// versionFor is the message's own version, or for a legacy one what initialize agreed on; initialize itself has none.
func (b *bridge) versionFor(m message) string {
	if m.version != "" || m.method == "initialize" {
		return m.version
	}
	return b.version
}

// encodeName also encodes a name that looks encoded already, since the server would decode it.
func encodeName(name string) string {
	if plain(name) && !strings.HasPrefix(name, "=?base64?") {
		return name
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
}

// plain text is printable ASCII with no space at either end: it survives as a header value unchanged.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return strings.TrimSpace(s) == s
}

// headerName is a token of RFC 9110, section 5.6.2.
func headerName(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || strings.IndexByte(`"(),/:;<=>?@[\]{}`, s[i]) >= 0 {
			return false
		}
	}
	return s != ""
}

func headerValue(s string) bool {
	for i := range len(s) {
		if (s[i] < ' ' && s[i] != '\t') || s[i] == 0x7f {
			return false
		}
	}
	return true
}
