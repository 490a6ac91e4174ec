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

// Put writes the booking.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, last calendar.EntryRef) (calendar.EntryRef, error) {
	return oauth.Put(ctx, service{c}, e, last)
}

// Delete removes the booking. Google sends no mail about it: slotd has already sent one.
func (c *Calendar) Delete(ctx context.Context, uid string, last calendar.EntryRef) (calendar.EntryRef, error) {
	return oauth.Delete(ctx, service{c}, uid, last)
}

// service implements oauth.Service.
type service struct{ calendar *Calendar }

func (s service) Send(ctx context.Context, r oauth.Request) (*oauth.Response, error) {
	return s.calendar.send(ctx, r)
}

// Find requests a list that does not include deleted events.
func (s service) Find(uid string) oauth.Request {
	return s.calendar.request(http.MethodGet, "",
		url.Values{"iCalUID": {uid}, "fields": {"kind,items(" + refFields + ")"}})
}

// Create imports the booking, because an import keeps the UID. Repeating the import finds the same event by its UID.
func (s service) Create(e calendar.Entry) oauth.Request {
	r := s.calendar.request(http.MethodPost, "/import", url.Values{"fields": {refFields}})
	body := entryFields(e)
	// The status restores an event that was deleted: Google keeps it, and its UID, for a while.
	body["iCalUID"], body["sequence"], body["status"] = e.UID, e.Sequence, "confirmed"
	r.Body = body
	return r
}

func (s service) Update(e calendar.Entry, last calendar.EntryRef) oauth.Request {
	r := s.modify(http.MethodPatch, last)
	r.Body = entryFields(e)
	return r
}

func (s service) Delete(last calendar.EntryRef) oauth.Request {
	return s.modify(http.MethodDelete, last)
}

func (s service) modify(method string, last calendar.EntryRef) oauth.Request {
	r := s.calendar.request(method, "/"+url.PathEscape(last.ID),
		url.Values{"sendUpdates": {"none"}, "fields": {refFields}})
	r.Match = last.Tag
	return r
}

func (s service) Get(id string) oauth.Request {
	return s.calendar.request(http.MethodGet, "/"+url.PathEscape(id), url.Values{"fields": {refFields}})
}

func (s service) ReadFound(answer *oauth.Response) (calendar.EntryRef, error) {
	var p page
	if err := s.calendar.tokens.Read(answer, &p); err != nil {
		return calendar.EntryRef{}, err
	}
	if p.Kind != "calendar#events" {
		return calendar.EntryRef{}, calendar.Errorf(calendar.Unusable, "Google sent something that isn't a calendar.")
	}
	for _, e := range p.Items {
		if e.Series == "" && e.Status != "cancelled" {
			return calendar.EntryRef{ID: e.ID, Tag: e.ETag}, nil
		}
	}
	return calendar.EntryRef{}, nil
}

func (s service) ReadCreated(answer *oauth.Response, _ calendar.Entry) (calendar.EntryRef, error) {
	return s.ReadEvent(answer)
}

func (s service) ReadEvent(answer *oauth.Response) (calendar.EntryRef, error) {
	var e event
	if err := s.calendar.tokens.Read(answer, &e); err != nil {
		return calendar.EntryRef{}, err
	}
	switch {
	case e.ID == "" || e.ETag == "":
		return calendar.EntryRef{}, calendar.Errorf(calendar.Unusable, "Google sent something that isn't an event.")
	case e.Status == "cancelled":
		return calendar.EntryRef{}, nil
	}
	return calendar.EntryRef{ID: e.ID, Tag: e.ETag}, nil
}

func (s service) NoCalendarError() error { return noCalendarError() }

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
