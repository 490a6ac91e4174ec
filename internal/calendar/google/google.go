// Package google reads and writes a calendar at Google, using version 3 of its Calendar API.
//
// It only requests when events are, never titles or people, and writes bookings without attendees, because Google
// would invite them a second time. What it cannot understand is an error, never an empty calendar.
package google

import (
	"cmp"
	"context"
	"net/url"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
)

// Calendar is one calendar of the account that gave the permission.
type Calendar struct {
	client *safehttp.Client
	events string // the address of all its events
	tokens *oauth.Source
	reader ical.Reader
}

var _ calendar.Writer = (*Calendar)(nil)

// New returns the calendar with the id, or the account's primary calendar if the id is empty. An empty base means
// Google's address.
func New(client *safehttp.Client, base, calendarID string, tokens *oauth.Source, r ical.Reader) *Calendar {
	calendars := cmp.Or(base, "https://www.googleapis.com") + "/calendar/v3/calendars/"
	events := calendars + url.PathEscape(cmp.Or(calendarID, "primary")) + "/events"
	return &Calendar{client: client, events: events, tokens: tokens, reader: r}
}

// request returns an API call. The path is relative to the calendar's events.
func (c *Calendar) request(method, path string, query url.Values) oauth.Request {
	return oauth.Request{Method: method, URL: c.events + path + "?" + query.Encode()}
}

func (c *Calendar) send(ctx context.Context, r oauth.Request) (*oauth.Response, error) {
	return c.tokens.SendJSON(ctx, c.client, r)
}

// noCalendarError is for a calendar that Google does not know.
func noCalendarError() error {
	return calendar.Errorf(calendar.Unusable,
		"Google no longer has this calendar, or doesn't show it to this account.").Advise(calendar.CheckAccess)
}
