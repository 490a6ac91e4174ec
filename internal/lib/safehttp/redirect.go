package safehttp

import (
	"net"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/lib/say"
)

const maxRedirects = 3

// NotFollowed is the error for an invalid address, or for a redirect that is not followed. Retrying does not help.
type NotFollowed struct{ sentence string }

func (n *NotFollowed) Error() string { return n.sentence }

func notFollowed(sentence say.Sentence, args ...any) error {
	return &NotFollowed{sentence.With(args...)}
}

// nextRequest returns the request that a redirect asks for, or nil if the response is not a redirect. redirects is
// the number of redirects followed so far.
func nextRequest(r *http.Request, resp *http.Response, redirects int) (*http.Request, error) {
	if !isRedirect(r.Method, resp.StatusCode) {
		return nil, nil
	}
	to, err := resp.Location()
	if err != nil {
		return nil, notFollowed("%s redirects to an invalid address.", Host(r.URL))
	}
	if err := mayFollow(r, to); err != nil {
		return nil, err
	}
	if redirects == maxRedirects {
		return nil, notFollowed("%s redirects more than %d times.", Host(r.URL), maxRedirects)
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
		return notFollowed("%s redirects to an address that isn't http or https.", Host(r.URL))
	case to.Host == "":
		return notFollowed("%s redirects to an invalid address.", Host(r.URL))
	case hasCredential(r) && Origin(to) != Origin(r.URL):
		return notFollowed("%s redirects to %s, but a password is only sent to the server it was entered for.",
			Host(r.URL), Host(to))
	case r.URL.Scheme == "https" && to.Scheme == "http":
		return notFollowed("%s redirects to an address without encryption.", Host(r.URL))
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
		return nil, notFollowed("%s redirects a request that can't be sent twice.", Host(r.URL))
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
