package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// foreignSite is someone else's web site. Its host is localhost and slotd's is 127.0.0.1: to a browser these are two
// sites.
type foreignSite struct {
	URL  string
	html atomic.Pointer[string]
}

// site serves the same HTML at every path. A meta element can set a Content-Security-Policy.
func site(t *testing.T, html string) *foreignSite {
	t.Helper()
	s := &foreignSite{}
	s.show(html)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, *s.html.Load())
	}))
	t.Cleanup(server.Close)
	s.URL = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return s
}

// show replaces the page. It allows for a workspace file that needs the site's address and a page that needs slotd's.
func (s *foreignSite) show(html string) { s.html.Store(&html) }
