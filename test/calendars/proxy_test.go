package calendars

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"slotd/internal/store/testdb"
)

// proxy forwards to a calendar server, counts requests and can simulate trouble.
type proxy struct {
	URL     string
	addr    string
	backend http.Handler // the calendar server

	mu       sync.Mutex
	server   *http.Server
	trouble  trouble
	requests int
}

// trouble responds in place of the calendar server, or changes its response.
type trouble func(w http.ResponseWriter, r *http.Request, backend http.Handler)

func newProxy(t *testing.T, backend http.Handler) *proxy {
	t.Helper()
	addr := testdb.FreeAddr(t)
	p := &proxy{URL: "http://" + addr, addr: addr, backend: backend}
	p.up(t)
	t.Cleanup(p.down)
	return p
}

// proxyFor starts a proxy for a real server.
func proxyFor(t *testing.T, address string) *proxy {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	backend := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: u.Scheme, Host: u.Host})
	backend.ErrorLog = log.New(io.Discard, "", 0) // killed clients
	return newProxy(t, backend)
}

// up starts to listen, always on the same port.
func (p *proxy) up(t *testing.T) {
	t.Helper()
	l := testdb.Listen(t, p.addr)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server = &http.Server{Handler: p}
	go p.server.Serve(l)
}

// down closes all connections and stops listening.
func (p *proxy) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server.Close()
}

// setTrouble starts a trouble; nil ends it.
func (p *proxy) setTrouble(trouble trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = trouble
}

// count returns the number of requests so far.
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
		p.backend.ServeHTTP(w, r)
		return
	}
	trouble(w, r, p.backend)
}
