// Package feed reads a calendar that is published as an iCalendar file at an address.
//
// It decides whether the file has changed, and whether a response is the whole calendar. Anything else is an error,
// never an empty calendar. It writes nothing, and never reveals the path of the address, which is often all that
// protects the calendar.
package feed

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// itemID is the id of the only item: the whole feed.
const itemID = "feed"

// Feed is a calendar.Provider.
type Feed struct {
	client   *safehttp.Client
	address  *url.URL // nil: not a valid address
	username string
	password string
	reader   ical.Reader
}

// New returns the feed at an address that begins with http, https or webcal, which means https. The address may
// contain the user name and password instead.
func New(client *safehttp.Client, address, username, password string, r ical.Reader) *Feed {
	f := &Feed{client: client, username: username, password: password, reader: r}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return f
	}
	if u.Scheme == "webcal" || u.Scheme == "webcals" {
		u.Scheme = "https"
	}
	if (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return f
	}
	if u.User != nil && username == "" {
		f.username = u.User.Username()
		f.password, _ = u.User.Password()
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	f.address = u
	return f
}

// Changes checks whether the file is still the one that the cursor describes, and reads it if not. If a server
// repeats an ETag for different content, that cannot be detected.
func (f *Feed) Changes(ctx context.Context, cursor string, _ map[string]string) (calendar.Changes, error) {
	if f.address == nil {
		return calendar.Changes{}, errAddress
	}
	last := f.parseCursor(cursor)
	answer, err := f.client.Do(f.request(ctx, last))
	if err != nil {
		return calendar.Changes{}, calendar.RequestError(err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotModified && last.hasValidator():
		return calendar.Changes{Cursor: cursor}, nil
	case answer.StatusCode != http.StatusOK:
		return calendar.Changes{}, f.statusError(answer)
	}
	return f.compare(last, answer)
}

func (f *Feed) request(ctx context.Context, last cursor) *http.Request {
	r := (&http.Request{Method: http.MethodGet, URL: f.address, Header: http.Header{}}).WithContext(ctx)
	r.Header.Set("Accept", "text/calendar")
	r.Header.Set("Cache-Control", "no-cache") // not a proxy's copy: this decides what can be booked
	if last.ETag != "" {
		r.Header.Set("If-None-Match", last.ETag)
	}
	if last.Modified != "" {
		r.Header.Set("If-Modified-Since", last.Modified)
	}
	if f.username != "" || f.password != "" {
		r.SetBasicAuth(f.username, f.password)
	}
	return r
}

// compare compares the content: many servers send a new ETag, or none, for the same file.
func (f *Feed) compare(last cursor, answer *http.Response) (calendar.Changes, error) {
	text, err := f.readBody(answer)
	if err != nil {
		return calendar.Changes{}, err
	}
	next := f.cursorAfter(answer, text)
	if next.SHA256 == last.SHA256 {
		return calendar.Changes{Cursor: next.String()}, nil
	}
	reduced, err := f.reader.Reduce(text)
	if err != nil {
		return calendar.Changes{}, calendar.Unreadable(err, "%s sends a calendar that can't be read.",
			safehttp.Host(f.address))
	}
	// Folding may split a character, and Latin-1 is not UTF-8: PostgreSQL accepts neither. The parts that matter are
	// ASCII.
	reduced = strings.ToValidUTF8(reduced, "\uFFFD")
	item := calendar.Item{ID: itemID, Tag: next.SHA256, Text: reduced}
	return calendar.Changes{Complete: true, Items: []calendar.Item{item}, Cursor: next.String()}, nil
}
