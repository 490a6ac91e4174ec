package safehttp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

var loopback = prefixes("127.0.0.1/32")

// hidden is part of every path, query and password. It must not appear in any error.
const hidden = "s3cret"

// TestMain sets a proxy address at which nothing listens. net/http reads the environment once, at the first request
// that looks for a proxy.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		os.Setenv(name, "http://127.0.0.1:1")
	}
	os.Exit(m.Run())
}

// server counts the requests that reach it.
type server struct {
	*httptest.Server
	hits atomic.Int32
}

func serve(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(s.counting(handler))
	t.Cleanup(s.Close)
	return s
}

func (s *server) counting(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		handler(w, r)
	}
}

func (s *server) port() string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

func (s *server) wantHits(t *testing.T, n int32) {
	t.Helper()
	if got := s.hits.Load(); got != n {
		t.Errorf("%d requests arrived, not %d", got, n)
	}
}

func redirectTo(target string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Location"] = []string{target}
		w.WriteHeader(http.StatusFound)
	}
}

func answerOK(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }

func request(t *testing.T, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.URL.Path, r.URL.RawQuery = "/"+hidden, "key="+hidden
	return r
}

// fails expects an error that contains no secret.
func fails(t *testing.T, c *Client, r *http.Request) error {
	t.Helper()
	resp, err := c.Do(r)
	if err == nil {
		resp.Body.Close()
		t.Errorf("%s: answered %s", r.URL.Host, resp.Status)
		return nil
	}
	if strings.Contains(err.Error(), hidden) {
		t.Errorf("the error shows a secret: %v", err)
	}
	return err
}

func isRefused(t *testing.T, c *Client, r *http.Request) {
	t.Helper()
	var refused *Refused
	if err := fails(t, c, r); !errors.As(err, &refused) {
		t.Errorf("%s: %v", r.URL.Host, err)
	}
}

func succeeds(t *testing.T, c *Client, r *http.Request) {
	t.Helper()
	resp, err := c.Do(r)
	if err != nil {
		t.Error(err)
		return
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "ok" {
		t.Errorf("%s: %q, %v", resp.Status, text, err)
	}
}

// named returns a client that resolves names with a DNS server of its own. For each query for an IPv4 address, the
// server returns the result of lookup.
func named(t *testing.T, allow []netip.Prefix, lookup func(name string) []string) *Client {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go answerNames(conn, lookup)
	return newClient(&net.Dialer{ControlContext: guard(allow).control, Resolver: &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
		},
	}})
}

func answerNames(conn net.PacketConn, lookup func(name string) []string) {
	question := make([]byte, 1<<12)
	for {
		n, from, err := conn.ReadFrom(question)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(question[:n]) != nil {
			continue
		}
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
			for _, addr := range lookup(strings.TrimSuffix(q.Name.String(), ".")) {
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: netip.MustParseAddr(addr).As4()},
				})
			}
		}
		if packed, err := m.Pack(); err == nil {
			_, _ = conn.WriteTo(packed, from)
		}
	}
}
