package google

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
)

// refFields are the fields that a reference to an event needs.
const refFields = "id,etag,status,recurringEventId"

// Put writes the booking. It imports a new booking, because an import keeps the UID. Repeating the import finds the
// same event by its UID.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, last calendar.EntryRef) (calendar.EntryRef, error) {
	if last.ID != "" {
		return c.modify(ctx, request{method: http.MethodPatch, match: last.Tag, body: entryFields(e)}, last.ID)
	}
	if current, err := c.find(ctx, e.UID); err != nil || current.ID != "" {
		return calendar.Changed(current, err)
	}
	body := entryFields(e)
	// The status restores an event that was deleted: Google keeps it, and its UID, for a while.
	body["iCalUID"], body["sequence"], body["status"] = e.UID, e.Sequence, "confirmed"
	answer, err := c.send(ctx, request{method: http.MethodPost, path: "/import",
		query: url.Values{"fields": {refFields}}, body: body})
	if err != nil {
		return calendar.EntryRef{}, err
	}
	switch answer.Status {
	case http.StatusNotFound:
		return calendar.EntryRef{}, noCalendarError()
	case http.StatusConflict, http.StatusBadRequest:
		// Another writer was faster: Google rejects an import whose sequence is lower than the event's.
		if current, err := c.find(ctx, e.UID); err != nil || current.ID != "" {
			return calendar.Changed(current, err)
		}
	}
	return c.readRef(answer)
}

// Delete removes the booking. Google sends no mail about it: slotd has already sent one.
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
	q.path, q.query = "/"+url.PathEscape(id), url.Values{"sendUpdates": {"none"}, "fields": {refFields}}
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
		return calendar.Changed(c.currentRef(ctx, id))
	}
	return c.readRef(answer)
}

// currentRef returns the event's current reference.
func (c *Calendar) currentRef(ctx context.Context, id string) (calendar.EntryRef, error) {
	answer, err := c.send(ctx, request{method: http.MethodGet, path: "/" + url.PathEscape(id),
		query: url.Values{"fields": {refFields}}})
	if err != nil {
		return calendar.EntryRef{}, err
	}
	if answer.Status == http.StatusNotFound || answer.Status == http.StatusGone {
		return calendar.EntryRef{}, nil
	}
	return c.readRef(answer)
}

// find looks for the booking by its UID. The response does not include deleted events.
func (c *Calendar) find(ctx context.Context, uid string) (calendar.EntryRef, error) {
	q := url.Values{"iCalUID": {uid}, "fields": {"kind,items(" + refFields + ")"}}
	answer, err := c.send(ctx, request{method: http.MethodGet, query: q})
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
	if p.Kind != "calendar#events" {
		return calendar.EntryRef{}, calendar.Errorf(calendar.Unusable, "Google sends something that is not a calendar.")
	}
	for _, e := range p.Items {
		if e.Series == "" && e.Status != "cancelled" {
			return calendar.EntryRef{ID: e.ID, Tag: e.ETag}, nil
		}
	}
	return calendar.EntryRef{}, nil
}

// readRef reads a response with one event. A deleted event has no reference.
func (c *Calendar) readRef(answer *oauth.Response) (calendar.EntryRef, error) {
	var e event
	if err := c.tokens.Read(answer, &e); err != nil {
		return calendar.EntryRef{}, err
	}
	switch {
	case e.ID == "" || e.ETag == "":
		return calendar.EntryRef{}, calendar.Errorf(calendar.Unusable, "Google sends something that is not an event.")
	case e.Status == "cancelled":
		return calendar.EntryRef{}, nil
	}
	return calendar.EntryRef{ID: e.ID, Tag: e.ETag}, nil
}

// entryFields returns the fields that a booking sets; the owner's other changes to the event stay. The sequence is
// not included: Google counts the owner's changes too, and rejects a lower number.
func entryFields(e calendar.Entry) map[string]any {
	return map[string]any{
		"summary": e.Summary, "location": e.Location, "description": e.Description,
		"start": timeFields(e.Start), "end": timeFields(e.End),
	}
}

// timeFields also resets the date of an all-day event: Google rejects the change if both are set.
func timeFields(t time.Time) map[string]any {
	return map[string]any{"dateTime": t.UTC().Format(time.RFC3339), "timeZone": "UTC", "date": nil}
}
