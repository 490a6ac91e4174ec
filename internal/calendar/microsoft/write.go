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

// uidProperty stores a booking's UID, so that find can look for it: events cannot be filtered by transactionId.
const uidProperty = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name slotdUID"

// Put writes the booking. When it creates an event with the same transactionId again, Graph responds with the
// existing event.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, last calendar.EntryRef) (calendar.EntryRef, error) {
	if last.ID != "" {
		return c.modify(ctx, request{method: http.MethodPatch, match: last.Tag, body: entryFields(e)}, last.ID)
	}
	if current, err := c.find(ctx, e.UID); err != nil || current.ID != "" {
		return calendar.Changed(current, err)
	}
	answer, err := c.send(ctx, request{method: http.MethodPost, address: c.calendar + "/events",
		body: newEntryFields(e)})
	if err != nil {
		return calendar.EntryRef{}, err
	}
	switch answer.Status {
	case http.StatusNotFound:
		return calendar.EntryRef{}, noCalendarError()
	case http.StatusConflict:
		if current, err := c.find(ctx, e.UID); err != nil || current.ID != "" {
			return calendar.Changed(current, err)
		}
	}
	found, err := c.readEvent(answer)
	if err == nil && !(found.Start.equal(e.Start) && found.End.equal(e.End)) {
		return calendar.Changed(found.ref(), nil) // another writer was faster
	}
	return found.ref(), err
}

// Delete removes the booking.
func (c *Calendar) Delete(ctx context.Context, uid string, last calendar.EntryRef) (calendar.EntryRef, error) {
	if last.ID == "" {
		current, err := c.find(ctx, uid)
		if err != nil || current.ID == "" {
			return calendar.EntryRef{}, err
		}
		return current, calendar.ErrChanged
	}
	current, err := c.modify(ctx, request{method: http.MethodDelete, match: last.Tag}, last.ID)
	if current.ID == "" && err == calendar.ErrChanged {
		return current, nil
	}
	return current, err
}

// modify sends a request that applies only to the event with the tag.
func (c *Calendar) modify(ctx context.Context, q request, id string) (calendar.EntryRef, error) {
	q.address = c.me + "/events/" + url.PathEscape(id)
	answer, err := c.send(ctx, q)
	if err != nil {
		return calendar.EntryRef{}, err
	}
	switch answer.Status {
	case http.StatusNoContent:
		return calendar.EntryRef{}, nil
	case http.StatusNotFound, http.StatusGone:
		return calendar.EntryRef{}, calendar.ErrChanged
	case http.StatusPreconditionFailed:
		return calendar.Changed(c.currentRef(ctx, q.address))
	}
	e, err := c.readEvent(answer)
	return e.ref(), err
}

// currentRef returns the event's current reference.
func (c *Calendar) currentRef(ctx context.Context, address string) (calendar.EntryRef, error) {
	answer, err := c.send(ctx, request{method: http.MethodGet,
		address: address + "?" + encode(url.Values{"$select": {"id,start,end"}})})
	if err != nil || answer.Status == http.StatusNotFound {
		return calendar.EntryRef{}, err
	}
	e, err := c.readEvent(answer)
	return e.ref(), err
}

// find looks for the booking by its UID.
func (c *Calendar) find(ctx context.Context, uid string) (calendar.EntryRef, error) {
	quoted := strings.ReplaceAll(uid, "'", "''")
	filter := "singleValueExtendedProperties/any(ep: ep/id eq '" + uidProperty + "' and ep/value eq '" + quoted + "')"
	q := url.Values{"$filter": {filter}, "$select": {"id,start,end"}}
	answer, err := c.send(ctx, request{method: http.MethodGet, address: c.calendar + "/events?" + encode(q)})
	if err != nil {
		return calendar.EntryRef{}, err
	}
	if answer.Status == http.StatusNotFound {
		return calendar.EntryRef{}, noCalendarError()
	}
	var p page
	if err := c.tokens.Read(answer, &p); err != nil {
		return calendar.EntryRef{}, err
	}
	if p.Value == nil {
		return calendar.EntryRef{}, calendar.Errorf(calendar.Unusable,
			"Microsoft sends something that is not a list of events.")
	}
	if len(p.Value) == 0 {
		return calendar.EntryRef{}, nil
	}
	return p.Value[0].ref(), nil
}

func (c *Calendar) readEvent(answer *oauth.Response) (e event, err error) {
	if err := c.tokens.Read(answer, &e); err != nil {
		return event{}, err
	}
	if e.ID == "" || e.ETag == "" {
		return event{}, calendar.Errorf(calendar.Unusable, "Microsoft sends something that is not an event.")
	}
	return e, nil
}

func (e event) ref() calendar.EntryRef { return calendar.EntryRef{ID: e.ID, Tag: e.ETag} }

// entryFields returns the fields that a booking sets; the owner's other changes to the event stay.
func entryFields(e calendar.Entry) map[string]any {
	return map[string]any{
		"subject":  e.Summary,
		"location": map[string]any{"displayName": e.Location},
		"body":     map[string]any{"contentType": "text", "content": e.Description},
		"start":    timeFields(e.Start), "end": timeFields(e.End), "isAllDay": false,
	}
}

func newEntryFields(e calendar.Entry) map[string]any {
	all := entryFields(e)
	all["showAs"] = "busy"
	all["transactionId"] = e.UID
	all["singleValueExtendedProperties"] = []map[string]any{{"id": uidProperty, "value": e.UID}}
	return all
}

func timeFields(t time.Time) map[string]any {
	return map[string]any{"dateTime": t.UTC().Format("2006-01-02T15:04:05"), "timeZone": "UTC"}
}
