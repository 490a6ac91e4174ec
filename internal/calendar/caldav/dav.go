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

// dav is a WebDAV client for one origin, the only one that gets the password.
type dav struct {
	client  *safehttp.Client
	account Account
	base    *url.URL
}

func open(client *safehttp.Client, a Account) (*dav, error) {
	base, err := url.Parse(a.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, calendar.Errorf(calendar.Unusable,
			"The calendar's address doesn't begin with https:// or http://.").Advise(calendar.CheckAddress)
	}
	base.User, base.RawQuery, base.Fragment = nil, "", ""
	if base.Path == "" {
		base.Path = "/"
	}
	return &dav{client, a, base}, nil
}

func (d *dav) host() string { return safehttp.Host(d.base) }

// resolve returns the address of a reference that the server sent. It rejects other origins: the password must not be
// sent there.
func (d *dav) resolve(base *url.URL, href string) (*url.URL, error) {
	at, err := base.Parse(strings.TrimSpace(href))
	if err != nil {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s sent an invalid address of an item.", d.host()).Advise(calendar.AskProvider)
	}
	if safehttp.Origin(at) != safehttp.Origin(d.base) || at.User != nil {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s refers to %s, but the password is only sent to the server it was entered for.",
			d.host(), safehttp.Host(at)).Advise(calendar.UseOwnAddress)
	}
	if len(at.EscapedPath()) > maxName {
		return nil, d.readError(errNameTooLong)
	}
	return at, nil
}

// request is one HTTP request. Empty fields are not sent.
type request struct {
	method      string
	url         *url.URL
	depth       string
	ifMatch     string
	ifNoneMatch string
	xml         string
	ics         []byte
}

func (d *dav) send(ctx context.Context, req request) (*http.Response, error) {
	body := req.xml
	if req.ics != nil {
		body = string(req.ics)
	}
	r, err := http.NewRequestWithContext(ctx, req.method, req.url.String(), strings.NewReader(body))
	if err != nil {
		return nil, calendar.Errorf(calendar.Unusable, "The calendar's address on %s isn't valid.", d.host()).
			Advise(calendar.CheckAddress)
	}
	if d.account.Username != "" || d.account.Password != "" {
		r.SetBasicAuth(d.account.Username, d.account.Password)
	}
	req.setHeaders(r.Header)
	answer, err := d.client.Do(r)
	if err != nil {
		return nil, calendar.RequestError(err)
	}
	return answer, nil
}

func (req request) setHeaders(h http.Header) {
	h.Set("User-Agent", "slotd")
	switch {
	case req.ics != nil:
		h.Set("Content-Type", "text/calendar; charset=utf-8")
	case req.xml != "":
		h.Set("Content-Type", "application/xml; charset=utf-8")
	}
	if req.depth != "" {
		h.Set("Depth", req.depth)
	}
	if req.ifMatch != "" {
		h.Set("If-Match", req.ifMatch)
	}
	if req.ifNoneMatch != "" {
		h.Set("If-None-Match", req.ifNoneMatch)
	}
}

// multistatus sends a PROPFIND or REPORT and calls each with every response element. It returns the sync token.
func (d *dav) multistatus(ctx context.Context, req request, each func(at *url.URL, r *response) error) (token string,
	err error) {
	answer, err := d.send(ctx, req)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusMultiStatus {
		return "", d.statusError(answer)
	}
	if kind := answer.Header.Get("Content-Type"); kind != "" && !strings.Contains(kind, "xml") {
		return "", d.notDAVError(answer.StatusCode)
	}
	at := answer.Request.URL
	token, err = readMultistatus(answer.Body, func(r *response) error { return each(at, r) })
	if err != nil {
		return "", d.readError(err)
	}
	return token, nil
}

// maxItemBytes is the most that ical.Reader accepts.
const maxItemBytes = 10 << 20

// get returns the text of one item. ok is false if it does not exist.
func (d *dav) get(ctx context.Context, at *url.URL) (text string, ok bool, err error) {
	answer, err := d.send(ctx, request{method: "GET", url: at})
	if err != nil {
		return "", false, err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return "", false, nil
	default:
		return "", false, d.statusError(answer)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxItemBytes+1))
	if err != nil {
		return "", false, d.readError(err)
	}
	return string(body), true, nil
}
