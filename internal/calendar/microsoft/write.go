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

// Put writes the booking.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, last calendar.EntryRef) (calendar.EntryRef, error) {
	return oauth.Put(ctx, service{c}, e, last)
}

// Delete removes the booking.
func (c *Calendar) Delete(ctx context.Context, uid string, last calendar.EntryRef) (calendar.EntryRef, error) {
	return oauth.Delete(ctx, service{c}, uid, last)
}

// service implements oauth.Service.
type service struct{ calendar *Calendar }

func (s service) Send(ctx context.Context, r oauth.Request) (*oauth.Response, error) {
	return s.calendar.send(ctx, r)
}

// refFields are the fields that a reference to an event needs; Graph always sends the tag.
const refFields = "id,start,end"

func (s service) Find(uid string) oauth.Request {
	quoted := strings.ReplaceAll(uid, "'", "''")
	filter := "singleValueExtendedProperties/any(ep: ep/id eq '" + uidProperty + "' and ep/value eq '" + quoted + "')"
	q := url.Values{"$filter": {filter}, "$select": {refFields}}
	return request(http.MethodGet, s.calendar.calendar+"/events?"+encode(q))
}

// Create creates an event. If one with the same transactionId exists, Graph responds with that one.
func (s service) Create(e calendar.Entry) oauth.Request {
	r := request(http.MethodPost, s.calendar.calendar+"/events")
	r.Body = newEntryFields(e)
	return r
}

func (s service) Update(e calendar.Entry, last calendar.EntryRef) oauth.Request {
	r := request(http.MethodPatch, s.address(last.ID))
	r.Match, r.Body = last.Tag, entryFields(e)
	return r
}

func (s service) Delete(last calendar.EntryRef) oauth.Request {
	r := request(http.MethodDelete, s.address(last.ID))
	r.Match = last.Tag
	return r
}

func (s service) Get(id string) oauth.Request {
	return request(http.MethodGet, s.address(id)+"?"+encode(url.Values{"$select": {refFields}}))
}

func (s service) address(id string) string { return s.calendar.me + "/events/" + url.PathEscape(id) }

func (s service) ReadFound(answer *oauth.Response) (calendar.EntryRef, error) {
	var p page
	if err := s.calendar.tokens.Read(answer, &p); err != nil {
		return calendar.EntryRef{}, err
	}
	if p.Value == nil {
		return calendar.EntryRef{}, calendar.Errorf(calendar.Unusable,
			"Microsoft sent something that isn't a list of events.")
	}
	if len(p.Value) == 0 {
		return calendar.EntryRef{}, nil
	}
	return p.Value[0].ref(), nil
}

// ReadCreated recognizes another writer's event by its times.
func (s service) ReadCreated(answer *oauth.Response, e calendar.Entry) (calendar.EntryRef, error) {
	found, err := s.readEvent(answer)
	if err == nil && !(found.Start.equal(e.Start) && found.End.equal(e.End)) {
		return calendar.Changed(found.ref(), nil)
	}
	return found.ref(), err
}

func (s service) ReadEvent(answer *oauth.Response) (calendar.EntryRef, error) {
	e, err := s.readEvent(answer)
	return e.ref(), err
}

func (s service) readEvent(answer *oauth.Response) (e event, err error) {
	if err := s.calendar.tokens.Read(answer, &e); err != nil {
		return event{}, err
	}
	if e.ID == "" || e.ETag == "" {
		return event{}, calendar.Errorf(calendar.Unusable, "Microsoft sent something that isn't an event.")
	}
	return e, nil
}

func (e event) ref() calendar.EntryRef { return calendar.EntryRef{ID: e.ID, Tag: e.ETag} }

func (s service) NoCalendarError() error { return noCalendarError() }

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
