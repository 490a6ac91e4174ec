package mcp

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestAnswers_AreJSONWhateverTheClientAccepts(t *testing.T) {
	w := lite(t)
	for _, accept := range []string{"-", "*/*", "application/json", "application/json, text/event-stream",
		"text/event-stream", "text/html"} {
		a := w.post(listTools, "Accept", accept)
		a.wantResult(t)
		if a.Header.Get("Mcp-Session-Id") != "" || a.Header.Get("Set-Cookie") != "" {
			t.Errorf("Accept %s: an answer with a session or a cookie: %v", accept, a.Header)
		}
	}
}

func TestCookiesAndSessionIDs_AreIgnored(t *testing.T) {
	w := lite(t)
	a := w.post(listTools, "Cookie", "session=1", "Mcp-Session-Id", "abc", "Last-Event-ID", "7")
	a.wantResult(t)
	if a.Header.Get("Mcp-Session-Id") != "" || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("headers %v", a.Header)
	}
}

func TestContentTypes(t *testing.T) {
	w := lite(t)
	for _, right := range []string{"application/json", "application/json; charset=utf-8",
		"application/json;charset=UTF-8", "Application/JSON"} {
		w.post(listTools, "Content-Type", right).wantResult(t)
	}
	for _, wrong := range []string{"-", "text/plain", "application/json-rpc", "application/x-www-form-urlencoded",
		"multipart/form-data", "application/json; charset=utf-16", "text/json", "application/"} {
		w.post(listTools, "Content-Type", wrong).wantProtocolError(t, http.StatusUnsupportedMediaType, -32600, "null")
	}
	w.post(listTools, "Content-Encoding", "gzip").wantProtocolError(t, http.StatusUnsupportedMediaType, -32600, "null")
}

func TestOtherMethods_Answer405(t *testing.T) {
	w := lite(t)
	for _, method := range []string{"GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"} {
		a := w.send(method, strings.NewReader(listTools))
		a.wantProtocolError(t, http.StatusMethodNotAllowed, -32600, "null")
		if a.Header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow %q", method, a.Header.Get("Allow"))
		}
	}
	if a := w.send("HEAD", nil); a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "POST" ||
		a.Body != "" {
		t.Errorf("HEAD: %+v", a)
	}
}

// padded returns a valid request of exactly size bytes.
func padded(size int) string {
	return listTools + strings.Repeat(" ", size-len(listTools))
}

func TestBodySize(t *testing.T) {
	w := lite(t)
	w.post(padded(65_536)).wantResult(t)
	w.send("POST", io.MultiReader(strings.NewReader(padded(65_536)))).wantResult(t) // chunked
	for _, size := range []int{65_537, 10 << 20} {
		w.post(padded(size)).wantProtocolError(t, http.StatusRequestEntityTooLarge, -32600, "null")
		w.send("POST", io.MultiReader(strings.NewReader(padded(size)))).wantProtocolError(t,
			http.StatusRequestEntityTooLarge, -32600, "null")
	}
	w.post(listTools).wantResult(t)
}

func TestHugeBody_IsAnsweredBeforeItIsAllRead(t *testing.T) {
	w := lite(t)
	r, err := http.NewRequest("POST", w.server.URL, io.LimitReader(zeros{}, 40<<20))
	w.Must(err)
	r.Header.Set("Content-Type", "application/json")
	response, err := w.server.Client().Do(r)
	if err != nil {
		return // cut off while the client was still writing: allowed for such a large body
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", response.StatusCode)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte{' '}, len(p))), nil }

func TestHeadersThatAreNotUTF8_GetAValidAnswer(t *testing.T) {
	w := lite(t)
	modern, _ := modernRequest("tools/list", "")
	for _, value := range []string{"\xff", strings.Repeat("\x80", 50), strings.Repeat("\x80", 300), "2026\xc3",
		strings.Repeat("é", 80)} {
		for _, body := range []string{listTools, modern} {
			for _, name := range []string{"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Idempotency-Key",
				"Authorization", "Origin", "Accept"} {
				if a := w.direct(t, body, name, value); a.Status >= 500 || !validJSON(a.Body) {
					t.Errorf("%s: %.20q: status %d, %q", name, value, a.Status, a.Body)
				}
			}
		}
	}
}
