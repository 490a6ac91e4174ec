package caldav

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// dav speaks WebDAV with one origin, the only one that gets the credential.
type dav struct {
	client  *safehttp.Client
	account Account
	base    *url.URL
}

func open(client *safehttp.Client, a Account) (*dav, error) {
	base, err := url.Parse(a.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, calendar.Errorf(calendar.Unusable,
			"the calendar's address is not one that begins with https:// or http://.")
	}
	base.User, base.RawQuery, base.Fragment = nil, "", ""
	if base.Path == "" {
		base.Path = "/"
	}
	return &dav{client, a, base}, nil
}

func (d *dav) host() string { return safehttp.Host(d.base) }

// resolve is the address of a reference that the server wrote. One to another origin is refused: the credential does
// not go there.
func (d *dav) resolve(base *url.URL, href string) (*url.URL, error) {
	at, err := base.Parse(strings.TrimSpace(href))
	if err != nil {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s names a resource by what is no address: report it to who runs the server.", d.host())
	}
	if safehttp.Origin(at) != safehttp.Origin(d.base) || at.User != nil {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s names a resource on %s, where the password does not go: connect the calendar by its own address there.",
			d.host(), safehttp.Host(at))
	}
	if len(at.EscapedPath()) > maxName {
		return nil, d.unread(errLong)
	}
	return at, nil
}

// request is one request; what is empty is not sent.
type request struct {
	method  string
	at      *url.URL
	depth   string
	ifMatch string
	ifNone  string // If-None-Match
	xml     string
	ics     []byte
}

func (d *dav) send(ctx context.Context, ask request) (*http.Response, error) {
	body, contentType := ask.xml, "application/xml; charset=utf-8"
	if ask.ics != nil {
		body, contentType = string(ask.ics), "text/calendar; charset=utf-8"
	}
	r, err := http.NewRequestWithContext(ctx, ask.method, ask.at.String(), strings.NewReader(body))
	if err != nil {
		return nil, calendar.Errorf(calendar.Unusable, "the calendar's address on %s cannot be asked: check it.",
			d.host())
	}
	if d.account.Username != "" || d.account.Password != "" {
		r.SetBasicAuth(d.account.Username, d.account.Password)
	}
	if body != "" {
		r.Header.Set("Content-Type", contentType)
	}
	ask.addTo(r.Header)
	answer, err := d.client.Do(r)
	if err != nil {
		return nil, d.unreached(err)
	}
	return answer, nil
}

func (ask request) addTo(h http.Header) {
	h.Set("User-Agent", "slotd")
	for name, value := range map[string]string{"Depth": ask.depth, "If-Match": ask.ifMatch,
		"If-None-Match": ask.ifNone} {
		if value != "" {
			h.Set(name, value)
		}
	}
}

// multi sends a PROPFIND or REPORT and hands over each response. It returns the answer's sync token.
func (d *dav) multi(ctx context.Context, ask request, each func(at *url.URL, r *response) error) (token string,
	err error) {
	answer, err := d.send(ctx, ask)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusMultiStatus {
		return "", d.refusal(answer)
	}
	if kind := answer.Header.Get("Content-Type"); kind != "" && !strings.Contains(kind, "xml") {
		return "", d.noDAV(answer.StatusCode)
	}
	at := answer.Request.URL
	token, err = readMultistatus(answer.Body, func(r *response) error { return each(at, r) })
	if err != nil {
		return "", d.unread(err)
	}
	return token, nil
}

// maxItem is as much as calendar.Reader takes.
const maxItem = 10 << 20

// read is the text of one item; ok is false if there is none.
func (d *dav) read(ctx context.Context, at *url.URL) (text string, ok bool, err error) {
	answer, err := d.send(ctx, request{method: "GET", at: at})
	if err != nil {
		return "", false, err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return "", false, nil
	default:
		return "", false, d.refusal(answer)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxItem+1))
	if err != nil {
		return "", false, d.unread(err)
	}
	return string(body), true, nil
}
