package calendars

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"slotd/internal/store/testdb"
)

// proxy stands before a calendar's server, counts, and makes trouble.
type proxy struct {
	URL     string
	addr    string
	through http.Handler // the server behind it

	mu       sync.Mutex
	server   *http.Server
	trouble  trouble
	requests int
}

// trouble answers instead of the server behind, or changes what that says.
type trouble func(w http.ResponseWriter, r *http.Request, through http.Handler)

func newProxy(t *testing.T, through http.Handler) *proxy {
	t.Helper()
	addr := testdb.FreeAddr(t)
	p := &proxy{URL: "http://" + addr, addr: addr, through: through}
	p.up(t)
	t.Cleanup(p.down)
	return p
}

// before is a proxy of a real server.
func before(t *testing.T, address string) *proxy {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	through := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: u.Scheme, Host: u.Host})
	through.ErrorLog = log.New(io.Discard, "", 0) // killed clients
	return newProxy(t, through)
}

// up listens, on the same port as before.
func (p *proxy) up(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server = &http.Server{Handler: p}
	go p.server.Serve(l)
}

// down hangs up and takes no more connections.
func (p *proxy) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server.Close()
}

// make begins a trouble; nil ends it.
func (p *proxy) make(trouble trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = trouble
}

// count is how many requests there were.
func (p *proxy) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.requests++
	trouble := p.trouble
	p.mu.Unlock()
	if trouble == nil {
		p.through.ServeHTTP(w, r)
		return
	}
	trouble(w, r, p.through)
}
