package safehttp

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 3

// nextRequest returns the request that a redirect asks for, or nil if the response is not a redirect. redirects is
// the number of redirects followed so far.
func nextRequest(r *http.Request, resp *http.Response, redirects int) (*http.Request, error) {
	if !isRedirect(r.Method, resp.StatusCode) {
		return nil, nil
	}
	to, err := resp.Location()
	if err != nil {
		return nil, fmt.Errorf("%s redirects to no address", Host(r.URL))
	}
	if err := mayFollow(r, to); err != nil {
		return nil, err
	}
	if redirects == maxRedirects {
		return nil, fmt.Errorf("%s redirects more than %d times", Host(r.URL), maxRedirects)
	}
	return redirectRequest(r, to)
}

func isRedirect(method string, status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	case http.StatusSeeOther: // asks for a GET, whatever the method was
		return method == http.MethodGet || method == http.MethodHead
	}
	return false
}

func mayFollow(r *http.Request, to *url.URL) error {
	switch {
	case to.Scheme != "https" && to.Scheme != "http":
		return fmt.Errorf("%s redirects to an address that is not http or https", Host(r.URL))
	case to.Host == "":
		return fmt.Errorf("%s redirects to no address", Host(r.URL))
	case hasCredential(r) && Origin(to) != Origin(r.URL):
		return fmt.Errorf("%s redirects to %s, and a password goes nowhere else than where it was given for: connect "+
			"the calendar by its address there", Host(r.URL), Host(to))
	case r.URL.Scheme == "https" && to.Scheme == "http":
		return fmt.Errorf("%s redirects to an address without encryption", Host(r.URL))
	}
	return nil
}

func hasCredential(r *http.Request) bool {
	return r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" || r.URL.User != nil
}

// redirectRequest returns a copy of the request for the new address.
func redirectRequest(r *http.Request, to *url.URL) (*http.Request, error) {
	to.User = r.URL.User // never the one that the redirect names
	next := r.Clone(r.Context())
	next.URL, next.Host = to, ""
	if r.Body == nil || r.Body == http.NoBody {
		return next, nil
	}
	if r.GetBody == nil {
		return nil, fmt.Errorf("%s redirects what cannot be sent twice", Host(r.URL))
	}
	body, err := r.GetBody()
	next.Body = body
	return next, err
}

// Origin returns scheme, host and port in normalized form.
func Origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
