package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// foreignSite is someone else's web site. It is reached as localhost, and slotd as 127.0.0.1: to a
// browser these are two sites.
type foreignSite struct {
	url  string
	html atomic.Pointer[string]
}

// site serves one page of HTML at every path. A Content-Security-Policy can stand in a meta element.
func site(t *testing.T, html string) *foreignSite {
	t.Helper()
	s := &foreignSite{}
	s.show(html)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, *s.html.Load())
	}))
	t.Cleanup(server.Close)
	s.url = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return s
}

// show changes the page: a workspace file may want the site's address, and the page slotd's.
func (s *foreignSite) show(html string) { s.html.Store(&html) }
