// Package microsoft reads and writes a calendar at Microsoft (Outlook, Exchange Online), using version 1.0 of
// Microsoft Graph.
//
// It stores only when events are, never titles or people, and writes bookings without attendees, because Microsoft
// would invite them a second time. What it cannot understand is an error, never an empty calendar.
package microsoft

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
)

// Calendar is one calendar of the account that gave the permission.
type Calendar struct {
	client   *safehttp.Client
	me       string // the address of the account
	calendar string // the address of the calendar in it
	tokens   *oauth.Source
	reader   ical.Reader
}

var _ calendar.Writer = (*Calendar)(nil)

// New returns the calendar with the id, or the account's default calendar if the id is empty. An empty base means
// Microsoft's address.
func New(client *safehttp.Client, base, calendarID string, tokens *oauth.Source, r ical.Reader) *Calendar {
	me := cmp.Or(base, "https://graph.microsoft.com") + "/v1.0/me"
	c := &Calendar{client: client, me: me, calendar: me, tokens: tokens, reader: r}
	if calendarID != "" {
		c.calendar += "/calendars/" + url.PathEscape(calendarID)
	}
	return c
}

// prefer requests times in UTC, and pages so large that maxEvents fit on maxPages. Larger pages could exceed the size
// limit of a response: the delta of a view contains every event's text, and does not support $select. Plain text is a
// fraction of the HTML.
const prefer = `outlook.timezone="UTC", outlook.body-content-type="text", odata.maxpagesize=200`

func request(method, address string) oauth.Request {
	return oauth.Request{Method: method, URL: address, Prefer: prefer}
}

func (c *Calendar) send(ctx context.Context, r oauth.Request) (*oauth.Response, error) {
	return c.tokens.SendJSON(ctx, c.client, r)
}

// encode writes spaces as %20, because OData does not decode a plus sign.
func encode(q url.Values) string { return strings.ReplaceAll(q.Encode(), "+", "%20") }

// noCalendarError is for a calendar that Microsoft does not know.
func noCalendarError() error {
	return calendar.Errorf(calendar.Unusable,
		"Microsoft no longer has this calendar, or doesn't show it to this account.").Advise(calendar.CheckAccess)
}
