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

// ahead is how much further than asked a view reaches. Its end cannot be moved later, so this long it need not be read
// whole again.
const ahead = 24 * time.Hour

// errTooOld is a cursor that Microsoft no longer knows.
var errTooOld = errors.New("the delta token has expired")

type page struct {
	Value     events
	NextLink  string `json:"@odata.nextLink"`
	DeltaLink string `json:"@odata.deltaLink"`
}

// events are decoded one by one.
type events []event

func (all *events) UnmarshalJSON(text []byte) (err error) {
	*all, err = oauth.List[event](text, maxEvents)
	return err
}

// Changes reads the view from the reader's From until its Until, or what changed in it.
func (c *Calendar) Changes(ctx context.Context, cursor string, known map[string]string) (calendar.Changes, error) {
	at, ok := c.parseCursor(cursor)
	if !ok {
		at, known = c.view(), nil
	}
	events, next, err := c.list(ctx, at.link)
	if errors.Is(err, errTooOld) && ok {
		return c.Changes(ctx, "", nil)
	}
	if err != nil {
		return calendar.Changes{}, err
	}
	changes, err := reduce(events, known)
	changes.Whole, changes.Cursor = !ok, position{at.until, next}.String()
	return changes, err
}

// position is a cursor: Microsoft's own, and where the view that it belongs to ends.
type position struct {
	until time.Time
	link  string
}

func (p position) String() string { return p.until.UTC().Format(time.RFC3339) + " " + p.link }

// parseCursor is not ok for a view that ends before what is asked for now.
func (c *Calendar) parseCursor(cursor string) (p position, ok bool) {
	until, link, _ := strings.Cut(cursor, " ")
	end, err := time.Parse(time.RFC3339, until)
	if err != nil || c.reader.Until.After(end) || !c.ours(link) {
		return position{}, false
	}
	return position{end, link}, true
}

// view is where a whole read begins.
func (c *Calendar) view() position {
	until := c.reader.Until.Add(ahead).Truncate(time.Second)
	q := url.Values{
		"startDateTime": {c.reader.From.UTC().Format(time.RFC3339)},
		"endDateTime":   {until.UTC().Format(time.RFC3339)},
	}
	return position{until, c.calendar + "/calendarView/delta?" + encode(q)}
}

// ours: a link comes from an answer, and the token goes wherever it leads.
func (c *Calendar) ours(link string) bool {
	to, err := url.Parse(link)
	me, err2 := url.Parse(c.me)
	return err == nil && err2 == nil && safehttp.Fits(link, maxLink) && to.User == nil &&
		safehttp.Origin(to) == safehttp.Origin(me)
}

func (c *Calendar) list(ctx context.Context, link string) (events []event, next string, err error) {
	for range maxPages {
		p, err := c.page(ctx, link)
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
		"The calendar has more than 20,000 events in the time that can be booked: connect one that has fewer.")
}

func (c *Calendar) page(ctx context.Context, link string) (page, error) {
	answer, err := c.send(ctx, request{method: http.MethodGet, address: link})
	if err != nil {
		return page{}, err
	}
	switch {
	case answer.Status == http.StatusGone, answer.Says("syncStateNotFound", "resyncRequired", "syncStateInvalid"):
		return page{}, errTooOld
	case answer.Status == http.StatusNotFound:
		return page{}, noCalendar()
	}
	var p page
	if err := c.tokens.Read(answer, &p); err != nil {
		return page{}, err
	}
	// Every page has one of the two links. An answer with neither is no end of a list, and one with both could hide one
	// behind the other.
	if p.Value == nil || (p.NextLink == "") == (p.DeltaLink == "") || !c.ours(cmp.Or(p.NextLink, p.DeltaLink)) {
		return page{}, calendar.Errorf(calendar.Unusable, "Microsoft sends something that is not a calendar.")
	}
	return p, nil
}
