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

// fixedHeader returns the headers from the command line and the token. Its errors never repeat a value, which may be
// a secret.
func fixedHeader(lines []string, token string) (http.Header, error) {
	h := http.Header{}
	for i, line := range lines {
		name, value, found := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || !isHeaderName(name) || !isHeaderValue(value) {
			return nil, fmt.Errorf("--header number %d is not of the form 'Name: value'", i+1)
		}
		h.Add(name, value)
	}
	token = strings.TrimSpace(token)
	if !isPlain(token) || strings.Contains(token, " ") {
		return nil, errors.New("SLOTD_TOKEN holds characters that no token has: copy it again")
	}
	if token != "" && h["Authorization"] == nil {
		h.Set("Authorization", "Bearer "+token)
	}
	return h, nil
}

// header returns the headers of a message: those derived from it, overridden by the fixed ones.
func (b *bridge) header(m message) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	// The protocol revisions require clients to accept both, although this endpoint never streams.
	h.Set("Accept", "application/json, text/event-stream")
	h.Set("User-Agent", "slotd-bridge")
	if v := b.versionFor(m); v != "" && isPlain(v) {
		h.Set("MCP-Protocol-Version", v)
	}
	if m.method != "" && isPlain(m.method) {
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

// versionFor returns the message's own version, or for a legacy message the one that initialize agreed on. An
// initialize message has none.
func (b *bridge) versionFor(m message) string {
	if m.version != "" || m.method == "initialize" {
		return m.version
	}
	return b.version
}

// encodeName also encodes a name that looks encoded already, because the server would decode it.
func encodeName(name string) string {
	if isPlain(name) && !strings.HasPrefix(name, "=?base64?") {
		return name
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
}

// isPlain reports whether s is printable ASCII with no space at either end, so that it survives unchanged as a header
// value.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return strings.TrimSpace(s) == s
}

// isHeaderName reports whether s is a token as in RFC 9110, section 5.6.2.
func isHeaderName(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || strings.IndexByte(`"(),/:;<=>?@[\]{}`, s[i]) >= 0 {
			return false
		}
	}
	return s != ""
}

func isHeaderValue(s string) bool {
	for i := range len(s) {
		if (s[i] < ' ' && s[i] != '\t') || s[i] == 0x7f {
			return false
		}
	}
	return true
}
