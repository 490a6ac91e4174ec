package microsoft

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
)

// uidProperty is where a booking's UID stands for finding its event again: events cannot be filtered by transactionId.
const uidProperty = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name slotdUID"

// Put writes the booking. Graph answers a second creation with the same transactionId with the event that the first one
// made.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, was calendar.Place) (calendar.Place, error) {
	if was.ID != "" {
		return c.change(ctx, request{method: http.MethodPatch, match: was.Tag, body: written(e)}, was.ID)
	}
	if now, err := c.find(ctx, e.UID); err != nil || now.ID != "" {
		return calendar.Changed(now, err)
	}
	answer, err := c.send(ctx, request{method: http.MethodPost, address: c.calendar + "/events", body: created(e)})
	if err != nil {
		return calendar.Place{}, err
	}
	switch answer.Status {
	case http.StatusNotFound:
		return calendar.Place{}, noCalendar()
	case http.StatusConflict:
		if now, err := c.find(ctx, e.UID); err != nil || now.ID != "" {
			return calendar.Changed(now, err)
		}
	}
	found, err := c.read(answer)
	if err == nil && !(found.Start.is(e.Start) && found.End.is(e.End)) {
		return calendar.Changed(found.place(), nil) // another writer's, who was quicker
	}
	return found.place(), err
}

// Delete takes the booking out.
func (c *Calendar) Delete(ctx context.Context, uid string, was calendar.Place) (calendar.Place, error) {
	if was.ID == "" {
		now, err := c.find(ctx, uid)
		if err != nil || now.ID == "" {
			return calendar.Place{}, err
		}
		return now, calendar.ErrChanged
	}
	now, err := c.change(ctx, request{method: http.MethodDelete, match: was.Tag}, was.ID)
	if now.ID == "" && err == calendar.ErrChanged {
		return now, nil
	}
	return now, err
}

// change makes a request that only holds for the event with the tag.
func (c *Calendar) change(ctx context.Context, q request, id string) (calendar.Place, error) {
	q.address = c.me + "/events/" + url.PathEscape(id)
	answer, err := c.send(ctx, q)
	if err != nil {
		return calendar.Place{}, err
	}
	switch answer.Status {
	case http.StatusNoContent:
		return calendar.Place{}, nil
	case http.StatusNotFound, http.StatusGone:
		return calendar.Place{}, calendar.ErrChanged
	case http.StatusPreconditionFailed:
		return calendar.Changed(c.look(ctx, q.address))
	}
	e, err := c.read(answer)
	return e.place(), err
}

// look is the event's place as it is now.
func (c *Calendar) look(ctx context.Context, address string) (calendar.Place, error) {
	answer, err := c.send(ctx, request{method: http.MethodGet,
		address: address + "?" + encode(url.Values{"$select": {"id,start,end"}})})
	if err != nil || answer.Status == http.StatusNotFound {
		return calendar.Place{}, err
	}
	e, err := c.read(answer)
	return e.place(), err
}

// find looks for the booking by its UID.
func (c *Calendar) find(ctx context.Context, uid string) (calendar.Place, error) {
	quoted := strings.ReplaceAll(uid, "'", "''")
	filter := "singleValueExtendedProperties/any(ep: ep/id eq '" + uidProperty + "' and ep/value eq '" + quoted + "')"
	q := url.Values{"$filter": {filter}, "$select": {"id,start,end"}}
	answer, err := c.send(ctx, request{method: http.MethodGet, address: c.calendar + "/events?" + encode(q)})
	if err != nil {
		return calendar.Place{}, err
	}
	if answer.Status == http.StatusNotFound {
		return calendar.Place{}, noCalendar()
	}
	var p page
	if err := c.tokens.Read(answer, &p); err != nil {
		return calendar.Place{}, err
	}
	if p.Value == nil {
		return calendar.Place{}, calendar.Errorf(calendar.Unusable,
			"Microsoft sends something that is not a list of events.")
	}
	if len(p.Value) == 0 {
		return calendar.Place{}, nil
	}
	return p.Value[0].place(), nil
}

func (c *Calendar) read(answer *oauth.Answer) (e event, err error) {
	if err := c.tokens.Read(answer, &e); err != nil {
		return event{}, err
	}
	if e.ID == "" || e.ETag == "" {
		return event{}, calendar.Errorf(calendar.Unusable, "Microsoft sends something that is not an event.")
	}
	return e, nil
}

func (e event) place() calendar.Place { return calendar.Place{ID: e.ID, Tag: e.ETag} }

// written is what a booking sets; what else the owner did to the event stays.
func written(e calendar.Entry) map[string]any {
	return map[string]any{
		"subject":  e.Summary,
		"location": map[string]any{"displayName": e.Location},
		"body":     map[string]any{"contentType": "text", "content": e.Description},
		"start":    at(e.Start), "end": at(e.End), "isAllDay": false,
	}
}

func created(e calendar.Entry) map[string]any {
	all := written(e)
	all["showAs"] = "busy"
	all["transactionId"] = e.UID
	all["singleValueExtendedProperties"] = []map[string]any{{"id": uidProperty, "value": e.UID}}
	return all
}

func at(t time.Time) map[string]any {
	return map[string]any{"dateTime": t.UTC().Format("2006-01-02T15:04:05"), "timeZone": "UTC"}
}
