package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"
)

// direct passes a request to the handler without a network, so that a panic shows up in the test.
func (w *world) direct(t testing.TB, body string, header ...string) (status int, text string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/api/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header[http.CanonicalHeaderKey(header[i])] = []string{header[i+1]}
	}
	recorder := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic %v at headers %.60q, body %.200q", p, header, body)
		}
	}()
	w.ServeHTTP(recorder, r)
	return recorder.Code, recorder.Body.String()
}

func validJSON(text string) bool { return utf8.ValidString(text) && json.Valid([]byte(text)) }
