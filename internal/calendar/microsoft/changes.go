package microsoft

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
)

const (
	maxEvents = 20_000
	maxPages  = 100
	maxLink   = 32 << 10
)

// viewMargin is how much further than requested a view reaches. The end of a view cannot be moved, so the margin is
// how long the view can be used before a full read is necessary.
const viewMargin = 24 * time.Hour

// errCursorExpired means that Microsoft no longer knows the cursor.
var errCursorExpired = errors.New("the delta token has expired")

type page struct {
	Value     events
	NextLink  string `json:"@odata.nextLink"`
	DeltaLink string `json:"@odata.deltaLink"`
}

// events decodes its elements one by one.
type events []event

func (all *events) UnmarshalJSON(text []byte) (err error) {
	*all, err = oauth.List[event](text, maxEvents)
	return err
}

// Changes reads the view from the reader's From until its Until, or what has changed in it.
func (c *Calendar) Changes(ctx context.Context, cursor string, known map[string]string) (calendar.Changes, error) {
	at, ok := c.parseCursor(cursor)
	if !ok {
		at, known = c.view(), nil
	}
	events, next, err := c.list(ctx, at.link)
	if errors.Is(err, errCursorExpired) && ok {
		return c.Changes(ctx, "", nil)
	}
	if err != nil {
		return calendar.Changes{}, err
	}
	changes, err := reduce(events, known)
	changes.Complete, changes.Cursor = !ok, deltaCursor{at.until, next}.String()
	return changes, err
}

// deltaCursor is a cursor: Microsoft's own link, and the end of the view that it belongs to.
type deltaCursor struct {
	until time.Time
	link  string
}

func (p deltaCursor) String() string { return p.until.UTC().Format(time.RFC3339) + " " + p.link }

// parseCursor returns false for a view that ends before the reader's Until.
func (c *Calendar) parseCursor(cursor string) (p deltaCursor, ok bool) {
	until, link, _ := strings.Cut(cursor, " ")
	end, err := time.Parse(time.RFC3339, until)
	if err != nil || c.reader.Until.After(end) || !c.isSameOrigin(link) {
		return deltaCursor{}, false
	}
	return deltaCursor{end, link}, true
}

// view returns the cursor that a full read begins with.
func (c *Calendar) view() deltaCursor {
	until := c.reader.Until.Add(viewMargin).Truncate(time.Second)
	q := url.Values{
		"startDateTime": {c.reader.From.UTC().Format(time.RFC3339)},
		"endDateTime":   {until.UTC().Format(time.RFC3339)},
	}
	return deltaCursor{until, c.calendar + "/calendarView/delta?" + encode(q)}
}

// isSameOrigin reports whether the link leads to the calendar's own server. Links come from responses, and the token
// is sent wherever they lead.
func (c *Calendar) isSameOrigin(link string) bool {
	to, err := url.Parse(link)
	me, err2 := url.Parse(c.me)
	return err == nil && err2 == nil && safehttp.IsStorable(link, maxLink) && to.User == nil &&
		safehttp.Origin(to) == safehttp.Origin(me)
}

func (c *Calendar) list(ctx context.Context, link string) (events []event, next string, err error) {
	for range maxPages {
		p, err := c.readPage(ctx, link)
		if err != nil {
			return nil, "", err
		}
		if events = append(events, p.Value...); len(events) > maxEvents {
			break
		}
		if p.NextLink == "" {
			return events, p.DeltaLink, nil
		}
		link = p.NextLink
	}
	return nil, "", calendar.Errorf(calendar.Unusable,
		"The calendar has more than 20,000 events in the time that can be booked.").Advise(calendar.ReduceEvents)
}

func (c *Calendar) readPage(ctx context.Context, link string) (page, error) {
	answer, err := c.send(ctx, request(http.MethodGet, link))
	if err != nil {
		return page{}, err
	}
	switch {
	case answer.Status == http.StatusGone, answer.HasErrorCode("syncStateNotFound", "resyncRequired",
		"syncStateInvalid"):
		return page{}, errCursorExpired
	case answer.Status == http.StatusNotFound:
		return page{}, noCalendarError()
	}
	var p page
	if err := c.tokens.Read(answer, &p); err != nil {
		return page{}, err
	}
	// Every page has one of the two links. A response with neither is not the end of a list, and in a response with
	// both one could hide the other.
	if p.Value == nil || (p.NextLink == "") == (p.DeltaLink == "") || !c.isSameOrigin(cmp.Or(p.NextLink, p.DeltaLink)) {
		return page{}, calendar.Errorf(calendar.Unusable, "Microsoft sent something that isn't a calendar.")
	}
	return p, nil
}
