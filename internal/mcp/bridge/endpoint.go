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

// parseEndpoint never repeats what it refuses: a password may stand in it.
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

// private says that nobody but the two ends can read what is sent there.
func private(u *url.URL) bool {
	return u.Scheme == "https" || loopback(u.Hostname())
}

// loopback knows addresses in their usual spelling only. Others, such as 127.1, are read differently by different
// resolvers and count as foreign.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// shown leaves out the query, which may hold a key.
func shown(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func newTransport(endpoint *url.URL, secret bool) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = maxInFlight
	if endpoint.Scheme == "https" || !loopback(endpoint.Hostname()) {
		return t
	}
	// A proxy would be another machine, and so would be a "localhost" that a name server made up.
	t.Proxy = nil
	if secret {
		dialer := &net.Dialer{Timeout: 10 * time.Second, Control: refuseForeign}
		t.DialContext = dialer.DialContext
	}
	return t
}

func refuseForeign(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !loopback(host) {
		return fmt.Errorf("%s is another machine: the token stays on this one over plain http", address)
	}
	return nil
}
