package bridge

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const createLine = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"create_booking","arguments":{"x":1}}}`

// recordPauses records the pauses instead of waiting.
func recordPauses(pauses *[]time.Duration) func(*bridge) {
	return func(b *bridge) {
		b.pause = func(_ context.Context, d time.Duration) error {
			*pauses = append(*pauses, d)
			return nil
		}
	}
}

// failures returns ways in which a try fails before the server can answer.
func failures() map[string]func(http.ResponseWriter) {
	hijacked := func(do func(net.Conn)) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			do(conn)
			conn.Close()
		}
	}
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { http.Error(w, "<h1>proxy</h1>", code) }
	}
	return map[string]func(http.ResponseWriter){
		"closed": hijacked(func(net.Conn) {}),
		"reset":  hijacked(func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }),
		"cut off": hijacked(func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":7,")
		}),
		"502": status(http.StatusBadGateway),
		"503": status(http.StatusServiceUnavailable),
		"504": status(http.StatusGatewayTimeout),
	}
}

func TestPost_RetriesWithTheSameKeyAndBody(t *testing.T) {
	for name, fail := range failures() {
		t.Run(name, func(t *testing.T) {
			var pauses []time.Duration
			s := serve(t, func(n int, w http.ResponseWriter, body string) {
				if n < 3 {
					fail(w)
					return
				}
				echo(n, w, body)
			})
			h := start(t, Options{URL: s.URL, Token: token}, recordPauses(&pauses))
			h.send(createLine)
			h.want(`{"jsonrpc":"2.0","id":7,"result":{}}`)
			h.end()
			got := s.requests()
			if len(got) != 3 {
				t.Fatalf("%d tries, want 3", len(got))
			}
			for _, r := range got {
				key := r.header.Get("Idempotency-Key")
				if key == "" || key != got[0].header.Get("Idempotency-Key") || r.body != createLine {
					t.Errorf("key %q, body %s; want those of the first try", key, r.body)
				}
			}
			if d := cmp.Diff(backoff, pauses); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestPost_GivesUpAfterThreeTries(t *testing.T) {
	for name, fail := range failures() {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(_ int, w http.ResponseWriter, _ string) { fail(w) })
			h := start(t, Options{URL: s.URL, Token: token})
			h.send(`{"id":"a","method":"ping"}`)
			message := h.wantError(`"a"`, codeInternal)
			h.end()
			if n := len(s.requests()); n != 3 {
				t.Errorf("%d tries, want 3", n)
			}
			if !strings.Contains(message, s.URL) || !strings.Contains(message, "repeating it is safe") {
				t.Errorf("message %q", message)
			}
			h.wantLog("message not answered")
		})
	}
}

func TestPost_NobodyListening(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var pauses []time.Duration
	h := start(t, Options{URL: "http://" + l.Addr().String(), Token: token}, recordPauses(&pauses))
	h.send(createLine)
	if message := h.wantError("7", codeInternal); !strings.Contains(message, "refused") ||
		!strings.Contains(message, "Check that the server runs") {
		t.Errorf("message %q", message)
	}
	h.end()
	if len(pauses) != 2 {
		t.Errorf("%d pauses, want 2", len(pauses))
	}
}

func TestPost_OtherAnswersAreNotRetried(t *testing.T) {
	for _, status := range []int{200, 307, 400, 401, 404, 429, 500} {
		s := serve(t, always(status, "text/html", "<h1>no</h1>"))
		h := start(t, Options{URL: s.URL})
		h.send(createLine)
		h.wantError("7", codeInternal)
		h.end()
		if n := len(s.requests()); n != 1 {
			t.Errorf("%d: %d tries, want 1", status, n)
		}
	}
}

func TestPost_LastRefusalThatIsAnAnswerPasses(t *testing.T) {
	s := serve(t, always(503, "application/json",
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"stopping"}}`))
	h := start(t, Options{URL: s.URL})
	h.send(createLine)
	h.want(`{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"stopping"}}`)
	h.end()
}

func TestPost_GivesUpAfterAMinuteOfSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &blockingTransport{release: make(chan struct{})}
		h := start(t, Options{URL: "http://127.0.0.1:1"}, func(b *bridge) { b.transport, b.pause = server, pause })
		began := time.Now()
		h.send(createLine)
		message := h.wantError("7", codeInternal)
		if took := time.Since(began); took != requestTimeout || !strings.Contains(message, "no answer within 1m0s") {
			t.Errorf("after %v: %q", took, message)
		}
		if server.arrived != 1 {
			t.Errorf("%d tries, want 1", server.arrived)
		}
		h.end()
	})
}

// failingTransport is a transport that always fails.
type failingTransport struct{ tries int }

func (r *failingTransport) RoundTrip(*http.Request) (*http.Response, error) {
	r.tries++
	return nil, errors.New("refused")
}

func TestPost_PausesBetweenTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &failingTransport{}
		h := start(t, Options{URL: "http://127.0.0.1:1"}, func(b *bridge) { b.transport, b.pause = server, pause })
		began := time.Now()
		h.send(createLine)
		h.wantError("7", codeInternal)
		if took := time.Since(began); took != backoff[0]+backoff[1] || server.tries != 3 {
			t.Errorf("%d tries in %v", server.tries, took)
		}
		h.end()
	})
}

func TestPost_AnswerBeyondTheBoundIsAnErrorAndNotRetried(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ string) {
		out := bufio.NewWriterSize(w, 1<<20)
		defer out.Flush()
		out.WriteString(`{"jsonrpc":"2.0","id":7,"result":"`)
		chunk := strings.Repeat("x", 1<<20)
		for range maxAnswer >> 20 {
			out.WriteString(chunk)
		}
		out.WriteString(`"}`)
	})
	h := start(t, Options{URL: s.URL})
	h.send(createLine)
	if message := h.wantError("7", codeInternal); !strings.Contains(message, "larger than") {
		t.Errorf("message %q", message)
	}
	h.end()
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d tries, want 1", n)
	}
}
