// Package safehttp makes requests to addresses that strangers name. It reaches no machine of the
// operator's own network unless the operator allows it, takes no answer without end, and never
// carries a credential to another origin than the one it was meant for.
package safehttp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

const (
	maxRedirects = 3
	connectFor   = 5 * time.Second
	headersFor   = 20 * time.Second
)

// MaxBody is as much as an answer may hold, unpacked.
const MaxBody = 32 << 20

// Client sends requests. Its errors name hosts, never paths: a calendar's path may be its secret.
type Client struct{ http *http.Client }

// New makes a client that reaches public addresses, and those in allow.
func New(allow []netip.Prefix) *Client {
	dialer := &net.Dialer{Timeout: connectFor, ControlContext: guard(allow).control}
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
	}}
}

// HTTP is for libraries that want one. It follows no redirects.
func (c *Client) HTTP() *http.Client { return c.http }

// Do sends a request and follows redirects with the same method, body and headers. One with a
// credential stays on its origin. A body must be one that http.NewRequest can send again.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && r.URL.Scheme != "http" {
		return nil, errors.New("only http and https addresses are read")
	}
	for redirects := 0; ; redirects++ {
		answer, err := c.http.Do(r)
		if err != nil {
			return nil, plain(r.URL, err)
		}
		to, err := redirected(r, answer)
		if err != nil || to == nil {
			return answer, err
		}
		answer.Body.Close()
		if redirects == maxRedirects {
			return nil, fmt.Errorf("%s redirects more than %d times", r.URL.Host, maxRedirects)
		}
		if r, err = again(r, to); err != nil {
			return nil, err
		}
	}
}

// redirected is where the answer sends the request; nil if it is an answer.
func redirected(r *http.Request, answer *http.Response) (*url.URL, error) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	to, err := answer.Location()
	if err != nil {
		answer.Body.Close()
		return nil, fmt.Errorf("%s redirects to no address", r.URL.Host)
	}
	if err := mayFollow(r, to); err != nil {
		answer.Body.Close()
		return nil, err
	}
	return to, nil
}

func mayFollow(r *http.Request, to *url.URL) error {
	switch {
	case to.Scheme != "https" && to.Scheme != "http":
		return fmt.Errorf("%s redirects to an address that is not http or https", r.URL.Host)
	case r.Header.Get("Authorization") != "" && Origin(to) != Origin(r.URL):
		return fmt.Errorf("%s redirects to %s, and a password goes nowhere else than where it was given for: connect the calendar by its address there", r.URL.Host, to.Host)
	case r.URL.Scheme == "https" && to.Scheme == "http":
		return fmt.Errorf("%s redirects to an address without encryption", r.URL.Host)
	}
	return nil
}

func again(r *http.Request, to *url.URL) (*http.Request, error) {
	next := r.Clone(r.Context())
	next.URL, next.Host = to, ""
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		next.Body = body
	}
	return next, nil
}

// Origin is scheme, host and port, in one spelling.
func Origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// plain leaves out the address, and what the library says about it.
func plain(u *url.URL, err error) error {
	var refused *Refused
	if errors.As(err, &refused) {
		return refused
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fmt.Errorf("%s: %w", u.Host, err)
}

// limited ends every body at MaxBody with an error.
type limited struct{ next http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBody{ReadCloser: answer.Body, left: MaxBody}
	}
	return answer, err
}

type limitedBody struct {
	io.ReadCloser
	left int64
}

var errTooLarge = fmt.Errorf("the answer is larger than %d MiB", MaxBody>>20)

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
