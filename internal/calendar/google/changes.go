package google

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
)

const (
	maxEvents = 20_000
	maxPages  = 100
	maxCursor = 64 << 10
)

// fields omits titles and people, so that Google does not send them.
const fields = "kind,nextPageToken,nextSyncToken,items(id,etag,status,iCalUID,transparency,eventType,recurringEventId," +
	"originalStartTime,recurrence,start,end,attendees(self,responseStatus))"

// errCursorExpired means that Google no longer knows the cursor.
var errCursorExpired = errors.New("the sync token has expired")

type page struct {
	Kind          string
	Items         events
	NextPageToken string
	NextSyncToken string
}

// events decodes its elements one by one.
type events []event

func (all *events) UnmarshalJSON(text []byte) (err error) {
	*all, err = oauth.List[event](text, maxEvents)
	return err
}

// Changes reads all events, or those that have changed. The cursor is Google's sync token.
func (c *Calendar) Changes(ctx context.Context, cursor string, known map[string]string) (calendar.Changes, error) {
	events, next, err := c.list(ctx, c.query(cursor))
	if errors.Is(err, errCursorExpired) && cursor != "" {
		return c.Changes(ctx, "", known)
	}
	if err != nil {
		return calendar.Changes{}, err
	}
	if cursor == "" {
		known = nil
	}
	changes, err := c.reduce(events, known)
	changes.Complete, changes.Cursor = cursor == "", next
	return changes, err
}

// query must be the same with and without a sync token, except for timeMin, which is not allowed together with one.
// Deleted events need no parameter: a full read contains the canceled instances of series, an incremental read
// contains everything.
func (c *Calendar) query(cursor string) url.Values {
	q := url.Values{
		"singleEvents": {"false"},
		"maxResults":   {"2500"},
		"maxAttendees": {"1"}, // only the owner
		"fields":       {fields},
	}
	if cursor != "" {
		q.Set("syncToken", cursor)
	} else if !c.reader.From.IsZero() {
		q.Set("timeMin", c.reader.From.UTC().Format(time.RFC3339))
	}
	return q
}

func (c *Calendar) list(ctx context.Context, q url.Values) (events []event, cursor string, err error) {
	for range maxPages {
		p, err := c.readPage(ctx, q)
		if err != nil {
			return nil, "", err
		}
		if events = append(events, p.Items...); len(events) > maxEvents {
			break
		}
		if p.NextPageToken == "" {
			return events, p.NextSyncToken, nil
		}
		q.Set("pageToken", p.NextPageToken)
	}
	return nil, "", calendar.Errorf(calendar.Unusable,
		"The calendar has more than 20,000 events.").Advise(calendar.ReduceEvents)
}

func (c *Calendar) readPage(ctx context.Context, q url.Values) (page, error) {
	answer, err := c.send(ctx, c.request(http.MethodGet, "", q))
	if err != nil {
		return page{}, err
	}
	switch answer.Status {
	case http.StatusGone:
		return page{}, errCursorExpired
	case http.StatusNotFound:
		return page{}, noCalendarError()
	}
	var p page
	if err := c.tokens.Read(answer, &p); err != nil {
		return page{}, err
	}
	// Every page has one of the two. A response with neither is not the end of a list.
	next := p.NextPageToken + p.NextSyncToken
	if p.Kind != "calendar#events" || next == "" || !safehttp.IsStorable(next, maxCursor) {
		return page{}, calendar.Errorf(calendar.Unusable, "Google sent something that isn't a calendar.")
	}
	return p, nil
}
