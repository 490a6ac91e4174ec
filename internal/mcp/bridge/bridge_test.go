package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const token = "slotd_mcp_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGcrc32x"

// request is one request as the server received it.
type request struct {
	header http.Header
	host   string
	body   string
}

// server is a real endpoint that records what it receives. The answer function of serve answers the nth request, from
// 1.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	received []request
}

func serve(t *testing.T, answer func(n int, w http.ResponseWriter, body string)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.received = append(s.received, request{r.Header, r.Host, string(body)})
		n := len(s.received)
		s.mu.Unlock()
		answer(n, w, string(body))
	}))
	t.Cleanup(s.Close)
	return s
}

// echo answers like the endpoint: with the id as it came, and with nothing for a notification.
func echo(_ int, w http.ResponseWriter, body string) {
	var m struct{ ID json.RawMessage }
	json.Unmarshal([]byte(body), &m)
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{}}`)
}

// always returns a handler that answers every request alike.
func always(status int, contentType, body string) func(int, http.ResponseWriter, string) {
	return func(_ int, w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func (s *server) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.received
}

// host is the program that runs the bridge.
type host struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *bufio.Reader
	log    *bytes.Buffer // to be read after the end
	cancel context.CancelFunc
	ended  chan error
}

// start runs a bridge in the background. tune may change its parts first.
func start(t *testing.T, o Options, tune ...func(*bridge)) *host {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	h := &host{t: t, in: inW, out: bufio.NewReader(outR), log: &bytes.Buffer{}, cancel: cancel,
		ended: make(chan error, 1)}
	o.In, o.Out, o.Log = inR, outW, h.log
	b, err := newBridge(o)
	if err != nil {
		t.Fatalf("newBridge: %v", err)
	}
	b.pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	for _, f := range tune {
		f(b)
	}
	go func() {
		h.ended <- b.run(ctx)
		outW.Close()
	}()
	t.Cleanup(func() { cancel(); inW.Close(); outR.Close() })
	return h
}

func (h *host) send(line string) {
	h.t.Helper()
	if _, err := io.WriteString(h.in, line+"\n"); err != nil {
		h.t.Fatalf("send: %v", err)
	}
}

func (h *host) read() string {
	h.t.Helper()
	line, err := h.out.ReadString('\n')
	if err != nil {
		h.t.Fatalf("read: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (h *host) want(line string) {
	h.t.Helper()
	if got := h.read(); got != line {
		h.t.Fatalf("got  %s\nwant %s", got, line)
	}
}

// wantError reads a JSON-RPC error with exactly that id and returns its message.
func (h *host) wantError(id string, code int) string {
	h.t.Helper()
	line := h.read()
	var got struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		h.t.Fatalf("not JSON: %v in %s", err, line)
	}
	if got.JSONRPC != "2.0" || string(got.ID) != id || got.Error.Code != code || got.Error.Message == "" {
		h.t.Fatalf("got %s\nwant id %s, code %d", line, id, code)
	}
	return got.Error.Message
}

// end closes the input and checks that the bridge ends without an error and with no more output.
func (h *host) end() {
	h.t.Helper()
	h.in.Close()
	rest, _ := io.ReadAll(h.out)
	if err := <-h.ended; err != nil {
		h.t.Errorf("Run = %v, want nil", err)
	}
	if len(rest) > 0 {
		h.t.Errorf("unexpected output: %s", rest)
	}
}

func (h *host) wantLog(part string) {
	h.t.Helper()
	if !strings.Contains(h.log.String(), part) {
		h.t.Errorf("the log lacks %q: %s", part, h.log)
	}
}
