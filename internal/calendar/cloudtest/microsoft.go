package cloudtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Microsoft is Microsoft Graph with one account, whose first calendar has the empty id.
type Microsoft struct{ service }

// NewMicrosoft starts a fake that runs until the test ends.
func NewMicrosoft(t testing.TB, now func() time.Time) *Microsoft {
	m := &Microsoft{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{tenant}/oauth2/v2.0/authorize", m.authorize(func(q url.Values) bool {
		return strings.Contains(" "+q.Get("scope")+" ", " offline_access ")
	}))
	mux.HandleFunc("POST /{tenant}/oauth2/v2.0/token", m.token)
	for _, calendar := range []string{"/v1.0/me", "/v1.0/me/calendars/{calendar}"} {
		mux.HandleFunc("GET "+calendar+"/calendarView/delta", m.wrap(m.delta))
		mux.HandleFunc("GET "+calendar+"/events", m.wrap(m.find))
		mux.HandleFunc("POST "+calendar+"/events", m.wrap(m.create))
	}
	mux.HandleFunc("GET /v1.0/me/events/{event}", m.wrap(m.get))
	mux.HandleFunc("PATCH /v1.0/me/events/{event}", m.wrap(m.patch))
	mux.HandleFunc("DELETE /v1.0/me/events/{event}", m.wrap(m.remove))
	m.start(t, now, mux, "")
	m.grants.rotates = true
	return m
}

// Put adds or replaces an event, as the owner does in Outlook. It must have an id.
func (m *Microsoft) Put(calendar string, e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store(m.calendars[calendar], e.clone())
}

// Remove deletes an event, or one occurrence of a series.
func (m *Microsoft) Remove(calendar, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calendars[calendar].remove(id)
}

// Events returns the events of a calendar by id.
func (m *Microsoft) Events(calendar string) map[string]Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := map[string]Event{}
	for id, e := range m.calendars[calendar].entries {
		if !e.deleted {
			events[id] = e.event.clone()
		}
	}
	return events
}

func (m *Microsoft) store(b *fakeCalendar, e Event) Event {
	id := e.str("id")
	stored := b.put(id, e)
	e["@odata.etag"] = fmt.Sprintf(`W/"%d"`, stored.version)
	if e.str("iCalUId") == "" {
		e["iCalUId"] = "040000008200E00074C5B7101A82E008" + id
	}
	if e.str("type") == "" {
		e["type"] = "singleInstance"
	}
	return e
}

// view is the content of a state token: the window, and the position of the read.
type view struct {
	from, until string
	page
}

func (v view) String() string { return v.from + "_" + v.until + "_" + v.page.String() }

func parseView(token string) (v view, ok bool) {
	parts := strings.Split(token, "_")
	if len(parts) != 3 {
		return v, false
	}
	at, ok := parsePage(parts[2])
	return view{parts[0], parts[1], at}, ok
}

// delta is calendarView/delta.
func (m *Microsoft) delta(w http.ResponseWriter, r *http.Request) {
	b, ok := m.calendars[r.PathValue("calendar")]
	if !ok {
		respondError(w, http.StatusNotFound, "", "ErrorItemNotFound")
		return
	}
	if r.URL.Query().Has("$select") || !strings.Contains(r.Header.Get("Prefer"), `outlook.timezone="UTC"`) {
		respondError(w, http.StatusBadRequest, "", "ErrorInvalidUrlQuery")
		return
	}
	v, status := m.position(r.URL.Query(), b)
	if status != 0 {
		respondError(w, status, "", "SyncStateNotFound")
		return
	}
	found, next, more := b.nextPage(v.page, m.pageSize(r), v.includes)
	items := make([]Event, len(found))
	for i, e := range found {
		items[i] = deltaFormat(e)
	}
	out := Event{"@odata.context": m.URL + "/v1.0/$metadata#Collection(event)", "value": items}
	address := m.URL + r.URL.Path + "?"
	if more {
		v.page = next
		out["@odata.nextLink"] = address + url.Values{"$skiptoken": {v.String()}}.Encode()
	} else {
		v.page = page{since: v.startVersion}
		out["@odata.deltaLink"] = address + url.Values{"$deltatoken": {v.String()}}.Encode()
	}
	respond(w, http.StatusOK, out)
}

func (m *Microsoft) position(q url.Values, b *fakeCalendar) (v view, status int) {
	if q.Has("startDateTime") && q.Has("endDateTime") {
		v = view{q.Get("startDateTime"), q.Get("endDateTime"), b.firstPage(0)}
		if v.until <= v.from {
			return v, http.StatusBadRequest
		}
		return v, 0
	}
	if v, ok := parseView(q.Get("$skiptoken")); ok {
		return v, 0
	}
	v, ok := parseView(q.Get("$deltatoken"))
	switch {
	case !ok:
		return v, http.StatusBadRequest
	case v.since <= m.expired:
		return v, http.StatusGone
	}
	v.page = b.firstPage(v.since)
	return v, 0
}

func (m *Microsoft) pageSize(r *http.Request) int {
	_, text, _ := strings.Cut(r.Header.Get("Prefer"), "odata.maxpagesize=")
	size, err := strconv.Atoi(text)
	if err != nil || size > m.PageSize {
		return m.PageSize
	}
	return size
}

// includes reports whether the view contains the entry. A deleted event is listed for clients that may have it. A
// series' master is listed with its occurrences.
func (v view) includes(e *entry) bool {
	if e.deleted || e.event.str("type") == "seriesMaster" {
		return !e.deleted || v.since > 0
	}
	return e.event.object("start").str("dateTime") < v.until && e.event.object("end").str("dateTime") > v.from
}

// deltaFormat returns the event as a delta contains it: an occurrence only has its times, a deleted event only that
// it is deleted.
func deltaFormat(e *entry) Event {
	if e.deleted {
		return Event{"@odata.type": "#microsoft.graph.event", "id": e.event["id"],
			"@removed": Event{"reason": "deleted"}}
	}
	if e.event.str("type") != "occurrence" {
		return e.event
	}
	out := Event{}
	for _, name := range []string{"@odata.etag", "id", "type", "seriesMasterId", "start", "end"} {
		out[name] = e.event[name]
	}
	return out
}
