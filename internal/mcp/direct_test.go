package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"slotd/internal/web/webtest"
)

// direct passes a request to the handler without a network, so that a panic shows up in the test.
func (w *world) direct(t testing.TB, body string, header ...string) (a webtest.Answer) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/api/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header[http.CanonicalHeaderKey(header[i])] = []string{header[i+1]}
	}
	a.T = t // also for the answer of a handler that panics
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic %v at headers %.60q, body %.200q", p, header, body)
		}
	}()
	return webtest.Serve(t, w, r)
}

func validJSON(text string) bool { return utf8.ValidString(text) && json.Valid([]byte(text)) }
