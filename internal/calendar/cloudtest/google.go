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

// NewGoogle starts one; it ends with the test.
func NewGoogle(t testing.TB, now func() time.Time) *Google {
	g := &Google{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /o/oauth2/v2/auth",
		g.authorize(func(q url.Values) bool { return q.Get("access_type") == "offline" }))
	mux.HandleFunc("POST /token", g.token)
	const events = "/calendar/v3/calendars/{calendar}/events"
	mux.HandleFunc("GET "+events, g.call(g.in(g.list)))
	mux.HandleFunc("GET "+events+"/{event}", g.call(g.in(g.one)))
	mux.HandleFunc("POST "+events+"/import", g.call(g.in(g.importEvent)))
	mux.HandleFunc("PATCH "+events+"/{event}", g.call(g.in(g.patch)))
	mux.HandleFunc("DELETE "+events+"/{event}", g.call(g.in(g.remove)))
	g.start(t, now, mux, "primary")
	return g
}

// Put adds or replaces an event, as the owner does in the web page. It must have an id.
func (g *Google) Put(calendar string, e Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keep(g.books[calendar], e.copied())
}

// Remove deletes an event, or one instance of a series.
func (g *Google) Remove(calendar, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.books[calendar].remove(id)
}

// Events are those that a calendar shows, by id.
func (g *Google) Events(calendar string) map[string]Event {
	g.mu.Lock()
	defer g.mu.Unlock()
	shown := map[string]Event{}
	for id, e := range g.books[calendar].entries {
		if !e.gone {
			shown[id] = e.event.copied()
		}
	}
	return shown
}

func (g *Google) keep(b *book, e Event) Event {
	id := e.text("id")
	kept := b.put(id, e)
	e["kind"] = "calendar#event"
	e["etag"] = fmt.Sprintf(`"%d"`, kept.version)
	if e.text("iCalUID") == "" {
		e["iCalUID"] = id + "@google.com"
	}
	if e.text("status") == "" {
		e["status"] = "confirmed"
	}
	return e
}

type inBook func(w http.ResponseWriter, r *http.Request, b *book)

func (g *Google) in(handle inBook) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b, ok := g.books[r.PathValue("calendar")]
		if !ok {
			refuse(w, http.StatusNotFound, "notFound", "404")
			return
		}
		handle(w, r, b)
	}
}

// list is events.list.
func (g *Google) list(w http.ResponseWriter, r *http.Request, b *book) {
	q := r.URL.Query()
	at, status := g.position(q, b)
	if status != 0 {
		refuse(w, status, "fullSyncRequired", strconv.Itoa(status))
		return
	}
	size, err := strconv.Atoi(q.Get("maxResults"))
	if err != nil || size > g.PageSize {
		size = g.PageSize
	}
	found, next, more := b.cut(at, size, func(e *entry) bool { return listed(e, at.since, q) })
	items := make([]Event, len(found))
	for i, e := range found {
		items[i] = wire(e)
	}
	out := Event{"kind": "calendar#events", "summary": "the owner's own", "items": items}
	switch {
	case more:
		out["nextPageToken"] = next.String()
	case q.Get("iCalUID") == "":
		out["nextSyncToken"] = strconv.Itoa(at.began)
	}
	answer(w, http.StatusOK, masked(out, q.Get("fields")))
}

// position is where the read begins; a status if the service does not allow it.
func (g *Google) position(q url.Values, b *book) (at page, status int) {
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
	at = b.from(0)
	if incremental {
		since, err := strconv.Atoi(token[0])
		if err != nil || since <= g.expired {
			return at, http.StatusGone
		}
		at = b.from(since)
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

// listed: a whole read leaves out what is deleted, save instances of series that live on; a difference never does.
func listed(e *entry, since int, q url.Values) bool {
	if uid := q.Get("iCalUID"); uid != "" {
		return e.event.text("iCalUID") == uid && !e.gone
	}
	if since == 0 && e.gone && e.event.text("recurringEventId") == "" {
		return false
	}
	return !q.Has("timeMin") || e.event["recurrence"] != nil || !endsBefore(e.event, q.Get("timeMin"))
}

func endsBefore(e Event, limit string) bool {
	at, err := time.Parse(time.RFC3339, limit)
	if err != nil {
		return true
	}
	end, err := time.Parse(time.RFC3339, e.under("end").text("dateTime"))
	if err != nil {
		end, err = time.Parse(time.DateOnly, e.under("end").text("date"))
	}
	return err == nil && !end.After(at)
}

// wire is the event as it is sent: of a deleted one only what the documentation guarantees.
func wire(e *entry) Event {
	if !e.gone {
		return e.event
	}
	out := Event{"kind": "calendar#event", "id": e.event["id"], "etag": fmt.Sprintf(`"%d"`, e.version),
		"status": "cancelled"}
	if series := e.event.text("recurringEventId"); series != "" {
		out["recurringEventId"], out["originalStartTime"] = series, e.event["originalStartTime"]
	}
	return out
}
