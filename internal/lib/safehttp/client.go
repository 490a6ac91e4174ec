// Package safehttp makes requests to addresses that strangers name. It reaches no machine of the
// operator's own network unless the operator allows it, takes no answer without end, and never
// carries a credential to another origin than the one it was meant for.
package safehttp

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	connectFor = 5 * time.Second
	headersFor = 20 * time.Second
	// A whole answer takes no longer, whether the caller sets a limit or not.
	answerFor = time.Minute
)

// Client sends requests. Its errors name hosts, never paths: a calendar's path may be its secret.
type Client struct{ http *http.Client }

// New makes a client that reaches public addresses, and those in allow.
func New(allow []netip.Prefix) *Client {
	return newClient(&net.Dialer{Timeout: connectFor, ControlContext: guard(allow).control})
}

func newClient(dialer *net.Dialer) *Client {
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connectFor,
		ResponseHeaderTimeout:  headersFor,
		IdleConnTimeout:        time.Minute,
		MaxIdleConnsPerHost:    4,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
		// No Proxy: one from the environment would reach what the dialer refuses.
	}
	return &Client{&http.Client{
		Transport:     limited{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       answerFor,
	}}
}

// HTTP is for libraries that want one. It follows no redirects. Its errors hold the whole address, as
// net/http writes them: Plain takes it out.
func (c *Client) HTTP() *http.Client { return c.http }

// Do sends a request and follows redirects with the same method, body and headers. One with a
// credential stays on its origin. A body must be one that http.NewRequest can send again.
//
// Its errors are a *Refused, a *Failure, or else about an address or a redirect that is not followed,
// which no later try mends.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && r.URL.Scheme != "http" {
		return nil, errors.New("only http and https addresses are read")
	}
	if r.URL.Host == "" {
		return nil, errors.New("the address names no server")
	}
	for redirects := 0; ; redirects++ {
		answer, err := c.http.Do(r)
		if err != nil {
			return nil, Plain(r.URL.Host, err)
		}
		next, err := redirected(r, answer, redirects)
		if err != nil {
			answer.Body.Close()
			return nil, err
		}
		if next == nil {
			return answer, nil
		}
		answer.Body.Close()
		r = next
	}
}
