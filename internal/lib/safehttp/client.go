// Package safehttp makes requests to addresses that untrusted users provide. It does not reach the operator's own
// network unless the operator allows it, limits the size of responses, and never sends a credential to an origin
// other than the one it is meant for.
package safehttp

import (
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	connectTimeout = 5 * time.Second
	headerTimeout  = 20 * time.Second
	// requestTimeout applies to the whole response, whether or not the caller sets a limit.
	requestTimeout = time.Minute
)

// Client sends requests. Its errors name hosts but never paths: a calendar's path may be secret.
type Client struct{ http *http.Client }

// New returns a client that can reach public addresses and those in allow.
func New(allow []netip.Prefix) *Client {
	return newClient(&net.Dialer{Timeout: connectTimeout, ControlContext: guard(allow).control})
}

func newClient(dialer *net.Dialer) *Client {
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connectTimeout,
		ResponseHeaderTimeout:  headerTimeout,
		IdleConnTimeout:        time.Minute,
		MaxIdleConnsPerHost:    4,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		// No Proxy: a proxy from the environment could reach what the dialer rejects.
	}
	return &Client{&http.Client{
		Transport:     limited{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       requestTimeout,
	}}
}

// HTTP returns an *http.Client for libraries that need one. It does not follow redirects. Its errors contain the whole
// address, as net/http writes them; SanitizeError removes it.
func (c *Client) HTTP() *http.Client { return c.http }

// Do sends a request and follows redirects with the same method, body and headers. A request with a credential stays
// on its origin. The body must be of a type that http.NewRequest can send again.
//
// The error is a *Refused, a *Failure or a *NotFollowed, whose texts are sentences for people.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && r.URL.Scheme != "http" {
		return nil, notFollowed("The address must begin with https:// or http://.")
	}
	if r.URL.Host == "" {
		return nil, notFollowed("The address has no server name.")
	}
	for redirects := 0; ; redirects++ {
		resp, err := c.http.Do(r)
		if err != nil {
			return nil, SanitizeError(r.URL.Host, err)
		}
		next, err := nextRequest(r, resp, redirects)
		if err != nil {
			resp.Body.Close()
			return nil, err
		}
		if next == nil {
			return resp, nil
		}
		resp.Body.Close()
		r = next
	}
}
