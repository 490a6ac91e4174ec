package bridge

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// parseEndpoint never includes raw in its errors: it may contain a password.
func parseEndpoint(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return nil, errors.New("--url is not an http or https URL: give the endpoint, such as " +
			"https://book.example/api/mcp")
	}
	if u.User != nil {
		return nil, errors.New("--url holds a user name or password: leave it out and put the token into SLOTD_TOKEN")
	}
	return u, nil
}

// isPrivate reports whether only the two ends can read what is sent to u.
func isPrivate(u *url.URL) bool {
	return u.Scheme == "https" || isLoopback(u.Hostname())
}

// isLoopback recognizes addresses only in their usual spelling. Resolvers disagree on others, such as 127.1, so they
// count as foreign.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// displayURL formats u without its query, which may contain a key.
func displayURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func newTransport(endpoint *url.URL, secret bool) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = maxInFlight
	if endpoint.Scheme == "https" || !isLoopback(endpoint.Hostname()) {
		return t
	}
	// A proxy would be another machine, and so would a "localhost" that a DNS server resolved to another address.
	t.Proxy = nil
	if secret {
		dialer := &net.Dialer{Timeout: 10 * time.Second, Control: dialLoopbackOnly}
		t.DialContext = dialer.DialContext
	}
	return t
}

// dialLoopbackOnly is a net.Dialer Control function that rejects other machines.
func dialLoopbackOnly(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return fmt.Errorf("%s is another machine: the token stays on this one over plain http", address)
	}
	return nil
}
