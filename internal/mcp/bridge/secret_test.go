package bridge

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestSecret_IsNotCarriedAcrossARedirect(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		elsewhere := serve(t, echo)
		s := serve(t, func(_ int, w http.ResponseWriter, _ string) {
			w.Header().Set("Location", elsewhere.URL+"/mcp?t="+token)
			w.WriteHeader(status)
			io.WriteString(w, `{"jsonrpc":"2.0","id":7,"result":{}}`)
		})
		h := start(t, Options{URL: s.URL, Token: token})
		h.send(createLine)
		message := h.wantError("7", codeInternal)
		h.end()
		if n := len(elsewhere.requests()); n != 0 {
			t.Errorf("%d: the redirect was followed %d times", status, n)
		}
		if !strings.Contains(message, elsewhere.URL+"/mcp.") || !strings.Contains(message, "--url") {
			t.Errorf("%d: message %q", status, message)
		}
	}
}

func TestSecret_RedirectWithAnOddTargetIsStillAnError(t *testing.T) {
	for _, location := range []string{"", "%zz", "http://[::1", "//", "/relative"} {
		s := serve(t, func(_ int, w http.ResponseWriter, _ string) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusFound)
		})
		h := start(t, Options{URL: s.URL, Token: token})
		h.send(createLine)
		if message := h.wantError("7", codeInternal); !strings.Contains(message, "redirects (HTTP 302)") {
			t.Errorf("%q: message %q", location, message)
		}
		h.end()
		if n := len(s.requests()); n != 1 {
			t.Errorf("%q: %d requests, want 1", location, n)
		}
	}
}

// tokenEchoes returns servers that send the token back where an error message might quote it.
func tokenEchoes() map[string]func(http.ResponseWriter) {
	raw := func(text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			io.WriteString(conn, text)
			conn.(*net.TCPConn).CloseWrite()
			conn.Close()
		}
	}
	return map[string]func(http.ResponseWriter){
		"location": raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://x.example/" +
			strings.Repeat("a", 150) + token + "\r\n\r\n"),
		"content type": raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/" + token + "\r\n\r\nno"),
		"first line":   raw(token + "\r\n\r\n"),
		"status":       raw("HTTP/1.1 " + token + "\r\n\r\n"),
	}
}

func TestSecret_IsShownNowhereThoughTheServerSendsItBack(t *testing.T) {
	for name, mirror := range tokenEchoes() {
		for _, o := range []Options{{Token: token}, {Headers: []string{"Authorization: Bearer " + token}}} {
			s := serve(t, func(_ int, w http.ResponseWriter, _ string) { mirror(w) })
			o.URL = s.URL
			h := start(t, o)
			h.send(createLine)
			message := h.wantError("7", codeInternal)
			h.send(`{"id":1,"method":"` + token + `"}`)
			h.read()
			h.end()
			for _, text := range []string{message, h.log.String()} {
				// No half of it may be shown either, nor its lower-case form, which media types are converted to.
				if strings.Contains(strings.ToLower(text), strings.ToLower(token[:20])) {
					t.Errorf("%s: the token is shown: %s", name, text)
				}
			}
		}
	}
}

func TestSecret_IsNotInTheLogOfAFailure(t *testing.T) {
	h := start(t, Options{URL: "http://127.0.0.1:1/?t=" + token, Token: token})
	h.send(createLine)
	h.wantError("7", codeInternal)
	h.end()
	h.wantLog("Cannot reach http://127.0.0.1:1/ ")
	if strings.Contains(h.log.String(), token) {
		t.Errorf("log: %s", h.log)
	}
}
