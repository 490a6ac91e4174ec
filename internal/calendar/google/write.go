package google

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
)

// placeFields are what tells an event's place.
const placeFields = "id,etag,status,recurringEventId"

// Put writes the booking. A new one is imported, because that keeps the UID, by which a repeated import is the same
// event again.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, was calendar.Place) (calendar.Place, error) {
	if was.ID != "" {
		return c.change(ctx, request{method: http.MethodPatch, match: was.Tag, body: written(e)}, was.ID)
	}
	if now, err := c.find(ctx, e.UID); err != nil || now.ID != "" {
		return calendar.Changed(now, err)
	}
	body := written(e)
	// The status brings one back that was deleted: Google keeps it for a while, and its UID with it.
	body["iCalUID"], body["sequence"], body["status"] = e.UID, e.Sequence, "confirmed"
	answer, err := c.send(ctx, request{method: http.MethodPost, path: "/import",
		query: url.Values{"fields": {placeFields}}, body: body})
	if err != nil {
		return calendar.Place{}, err
	}
	switch answer.Status {
	case http.StatusNotFound:
		return calendar.Place{}, noCalendar()
	case http.StatusConflict, http.StatusBadRequest:
		// Another writer was quicker: an import with a lower sequence than the event's is refused.
		if now, err := c.find(ctx, e.UID); err != nil || now.ID != "" {
			return calendar.Changed(now, err)
		}
	}
	return c.place(answer)
}

// Delete takes the booking out. Nobody gets a mail from Google: ours has told them.
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
	q.path, q.query = "/"+url.PathEscape(id), url.Values{"sendUpdates": {"none"}, "fields": {placeFields}}
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
		return calendar.Changed(c.look(ctx, id))
	}
	return c.place(answer)
}

// look is the event's place as it is now.
func (c *Calendar) look(ctx context.Context, id string) (calendar.Place, error) {
	answer, err := c.send(ctx, request{method: http.MethodGet, path: "/" + url.PathEscape(id),
		query: url.Values{"fields": {placeFields}}})
	if err != nil {
		return calendar.Place{}, err
	}
	if answer.Status == http.StatusNotFound || answer.Status == http.StatusGone {
		return calendar.Place{}, nil
	}
	return c.place(answer)
}

// find looks for the booking by its UID; deleted ones are not in the answer.
func (c *Calendar) find(ctx context.Context, uid string) (calendar.Place, error) {
	q := url.Values{"iCalUID": {uid}, "fields": {"kind,items(" + placeFields + ")"}}
	answer, err := c.send(ctx, request{method: http.MethodGet, query: q})
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
	if p.Kind != "calendar#events" {
		return calendar.Place{}, calendar.Errorf(calendar.Unusable, "Google sends something that is not a calendar.")
	}
	for _, e := range p.Items {
		if e.Series == "" && e.Status != "cancelled" {
			return calendar.Place{ID: e.ID, Tag: e.ETag}, nil
		}
	}
	return calendar.Place{}, nil
}

// place reads an answer that is one event; a deleted one has no place.
func (c *Calendar) place(answer *oauth.Answer) (calendar.Place, error) {
	var e event
	if err := c.tokens.Read(answer, &e); err != nil {
		return calendar.Place{}, err
	}
	switch {
	case e.ID == "" || e.ETag == "":
		return calendar.Place{}, calendar.Errorf(calendar.Unusable, "Google sends something that is not an event.")
	case e.Status == "cancelled":
		return calendar.Place{}, nil
	}
	return calendar.Place{ID: e.ID, Tag: e.ETag}, nil
}

// written is what a booking sets; what else the owner did to the event stays. The sequence is not in it: Google counts
// the owner's changes too, and refuses a lower one.
func written(e calendar.Entry) map[string]any {
	return map[string]any{
		"summary": e.Summary, "location": e.Location, "description": e.Description,
		"start": at(e.Start), "end": at(e.End),
	}
}

// at also ends an all-day event: with both, Google refuses the change.
func at(t time.Time) map[string]any {
	return map[string]any{"dateTime": t.UTC().Format(time.RFC3339), "timeZone": "UTC", "date": nil}
}
