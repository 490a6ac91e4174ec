// Package feed reads a calendar that is published as an iCalendar file at an address.
//
// It decides whether the file has changed, and whether an answer is the whole calendar. What is not is
// an error, never an empty calendar. It writes nothing, and tells nobody the address's path, which
// often is all that protects the calendar.
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

// itemID names the one item there is: the whole feed.
const itemID = "feed"

// Feed is a calendar.Provider.
type Feed struct {
	client   *safehttp.Client
	address  *url.URL // nil: nothing that can be read
	username string
	password string
	reader   ical.Reader
}

// New makes the feed at an address that begins with http, https or webcal, which means https. A user
// name and a password may stand in the address instead.
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

// Changes asks whether the file is still the one that the cursor is about, and reads it if not. A
// server that repeats an ETag for another content is believed: nobody could notice.
func (f *Feed) Changes(ctx context.Context, cursor string, _ map[string]string) (calendar.Changes, error) {
	if f.address == nil {
		return calendar.Changes{}, errAddress
	}
	last := f.parseCursor(cursor)
	answer, err := f.client.Do(f.request(ctx, last))
	if err != nil {
		return calendar.Changes{}, unanswered(err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotModified && last.isCondition():
		return calendar.Changes{Cursor: cursor}, nil
	case answer.StatusCode != http.StatusOK:
		return calendar.Changes{}, f.badStatus(answer)
	}
	return f.compare(last, answer)
}

func (f *Feed) request(ctx context.Context, last cursor) *http.Request {
	r := (&http.Request{Method: http.MethodGet, URL: f.address, Header: http.Header{}}).WithContext(ctx)
	r.Header.Set("Accept", "text/calendar")
	r.Header.Set("Cache-Control", "no-cache") // of a proxy: the answer decides whether a time can be booked
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

// compare tells by the content: many servers have a new ETag, or none, for the same file.
func (f *Feed) compare(last cursor, answer *http.Response) (calendar.Changes, error) {
	text, err := f.readBody(answer)
	if err != nil {
		return calendar.Changes{}, err
	}
	now := f.cursorAfter(answer, text)
	if now.SHA256 == last.SHA256 {
		return calendar.Changes{Cursor: now.String()}, nil
	}
	reduced, err := f.reader.Reduce(text)
	if err != nil {
		return calendar.Changes{}, f.fault(calendar.Unusable, "sends a calendar that cannot be read: %v", err)
	}
	// Folding may cut a letter in two, and Latin-1 is no UTF-8: PostgreSQL takes neither. What matters is ASCII.
	reduced = strings.ToValidUTF8(reduced, "\uFFFD")
	item := calendar.Item{ID: itemID, Tag: now.SHA256, Text: reduced}
	return calendar.Changes{Whole: true, Items: []calendar.Item{item}, Cursor: now.String()}, nil
}
