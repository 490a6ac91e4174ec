package cloudtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"
)

// Google is Google Calendar with one account, whose first calendar is "primary".
type Google struct{ service }

// NewGoogle starts a fake that runs until the test ends.
func NewGoogle(t testing.TB, now func() time.Time) *Google {
	g := &Google{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /o/oauth2/v2/auth",
		g.authorize(func(q url.Values) bool { return q.Get("access_type") == "offline" }))
	mux.HandleFunc("POST /token", g.token)
	const events = "/calendar/v3/calendars/{calendar}/events"
	mux.HandleFunc("GET "+events, g.wrap(g.withCalendar(g.list)))
	mux.HandleFunc("GET "+events+"/{event}", g.wrap(g.withCalendar(g.get)))
	mux.HandleFunc("POST "+events+"/import", g.wrap(g.withCalendar(g.importEvent)))
	mux.HandleFunc("PATCH "+events+"/{event}", g.wrap(g.withCalendar(g.patch)))
	mux.HandleFunc("DELETE "+events+"/{event}", g.wrap(g.withCalendar(g.remove)))
	g.start(t, now, mux, "primary")
	return g
}

// Put adds or replaces an event, as the owner does on the web page. It must have an id.
func (g *Google) Put(calendar string, e Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.store(g.calendars[calendar], e.clone())
}

// Remove deletes an event, or one instance of a series.
func (g *Google) Remove(calendar, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calendars[calendar].remove(id)
}

// Events returns the events of a calendar by id.
func (g *Google) Events(calendar string) map[string]Event {
	g.mu.Lock()
	defer g.mu.Unlock()
	events := map[string]Event{}
	for id, e := range g.calendars[calendar].entries {
		if !e.deleted {
			events[id] = e.event.clone()
		}
	}
	return events
}

func (g *Google) store(b *fakeCalendar, e Event) Event {
	id := e.str("id")
	stored := b.put(id, e)
	e["kind"] = "calendar#event"
	e["etag"] = fmt.Sprintf(`"%d"`, stored.version)
	if e.str("iCalUID") == "" {
		e["iCalUID"] = id + "@google.com"
	}
	if e.str("status") == "" {
		e["status"] = "confirmed"
	}
	return e
}

type calendarHandler func(w http.ResponseWriter, r *http.Request, b *fakeCalendar)

func (g *Google) withCalendar(handle calendarHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b, ok := g.calendars[r.PathValue("calendar")]
		if !ok {
			respondError(w, http.StatusNotFound, "notFound", "404")
			return
		}
		handle(w, r, b)
	}
}

// list is events.list.
func (g *Google) list(w http.ResponseWriter, r *http.Request, b *fakeCalendar) {
	q := r.URL.Query()
	at, status := g.position(q, b)
	if status != 0 {
		respondError(w, status, "fullSyncRequired", strconv.Itoa(status))
		return
	}
	size, err := strconv.Atoi(q.Get("maxResults"))
	if err != nil || size > g.PageSize {
		size = g.PageSize
	}
	found, next, more := b.nextPage(at, size, func(e *entry) bool { return isListed(e, at.since, q) })
	items := make([]Event, len(found))
	for i, e := range found {
		items[i] = wireFormat(e)
	}
	out := Event{"kind": "calendar#events", "summary": "the owner's own", "items": items}
	switch {
	case more:
		out["nextPageToken"] = next.String()
	case q.Get("iCalUID") == "":
		out["nextSyncToken"] = strconv.Itoa(at.startVersion)
	}
	respond(w, http.StatusOK, applyMask(out, q.Get("fields")))
}

// position returns where the read begins, or an error status if the service does not allow it.
func (g *Google) position(q url.Values, b *fakeCalendar) (at page, status int) {
	token, incremental := q["syncToken"]
	for _, name := range []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "timeMin", "timeMax",
		"updatedMin"} {
		if incremental && q.Has(name) {
			return at, http.StatusBadRequest
		}
	}
	if q.Get("singleEvents") == "true" || incremental && q.Get("showDeleted") == "false" {
		return at, http.StatusBadRequest
	}
	at = b.firstPage(0)
	if incremental {
		since, err := strconv.Atoi(token[0])
		if err != nil || since <= g.expired {
			return at, http.StatusGone
		}
		at = b.firstPage(since)
	}
	if q.Has("pageToken") {
		next, ok := parsePage(q.Get("pageToken"))
		if !ok || next.since != at.since {
			return at, http.StatusBadRequest
		}
		at = next
	}
	return at, 0
}

// isListed reports whether a read contains the entry. A full read omits deleted events, except instances of existing
// series; an incremental read omits none.
func isListed(e *entry, since int, q url.Values) bool {
	if uid := q.Get("iCalUID"); uid != "" {
		return e.event.str("iCalUID") == uid && !e.deleted
	}
	if since == 0 && e.deleted && e.event.str("recurringEventId") == "" {
		return false
	}
	return !q.Has("timeMin") || e.event["recurrence"] != nil || !endsBefore(e.event, q.Get("timeMin"))
}

func endsBefore(e Event, limit string) bool {
	at, err := time.Parse(time.RFC3339, limit)
	if err != nil {
		return true
	}
	end, err := time.Parse(time.RFC3339, e.object("end").str("dateTime"))
	if err != nil {
		end, err = time.Parse(time.DateOnly, e.object("end").str("date"))
	}
	return err == nil && !end.After(at)
}

// wireFormat returns the event as it is sent. For a deleted event that is only what the documentation guarantees.
func wireFormat(e *entry) Event {
	if !e.deleted {
		return e.event
	}
	out := Event{"kind": "calendar#event", "id": e.event["id"], "etag": fmt.Sprintf(`"%d"`, e.version),
		"status": "cancelled"}
	if series := e.event.str("recurringEventId"); series != "" {
		out["recurringEventId"], out["originalStartTime"] = series, e.event["originalStartTime"]
	}
	return out
}
