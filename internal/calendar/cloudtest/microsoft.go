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

// NewMicrosoft starts one; it ends with the test.
func NewMicrosoft(t testing.TB, now func() time.Time) *Microsoft {
	m := &Microsoft{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{tenant}/oauth2/v2.0/authorize", m.authorize(func(q url.Values) bool {
		return strings.Contains(" "+q.Get("scope")+" ", " offline_access ")
	}))
	mux.HandleFunc("POST /{tenant}/oauth2/v2.0/token", m.token)
	for _, calendar := range []string{"/v1.0/me", "/v1.0/me/calendars/{calendar}"} {
		mux.HandleFunc("GET "+calendar+"/calendarView/delta", m.call(m.delta))
		mux.HandleFunc("GET "+calendar+"/events", m.call(m.find))
		mux.HandleFunc("POST "+calendar+"/events", m.call(m.create))
	}
	mux.HandleFunc("GET /v1.0/me/events/{event}", m.call(m.one))
	mux.HandleFunc("PATCH /v1.0/me/events/{event}", m.call(m.patch))
	mux.HandleFunc("DELETE /v1.0/me/events/{event}", m.call(m.remove))
	m.start(t, now, mux, "")
	m.grants.rotates = true
	return m
}

// Put adds or replaces an event, as the owner does in Outlook. It must have an id.
func (m *Microsoft) Put(calendar string, e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(m.books[calendar], e.copied())
}

// Remove deletes an event, or one occurrence of a series.
func (m *Microsoft) Remove(calendar, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.books[calendar].remove(id)
}

// Events are those that a calendar shows, by id.
func (m *Microsoft) Events(calendar string) map[string]Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	shown := map[string]Event{}
	for id, e := range m.books[calendar].entries {
		if !e.gone {
			shown[id] = e.event.copied()
		}
	}
	return shown
}

func (m *Microsoft) keep(b *book, e Event) Event {
	id := e.text("id")
	kept := b.put(id, e)
	e["@odata.etag"] = fmt.Sprintf(`W/"%d"`, kept.version)
	if e.text("iCalUId") == "" {
		e["iCalUId"] = "040000008200E00074C5B7101A82E008" + id
	}
	if e.text("type") == "" {
		e["type"] = "singleInstance"
	}
	return e
}

// view is what a state token holds: the window, and where the read stands.
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
	b, ok := m.books[r.PathValue("calendar")]
	if !ok {
		refuse(w, http.StatusNotFound, "", "ErrorItemNotFound")
		return
	}
	if r.URL.Query().Has("$select") || !strings.Contains(r.Header.Get("Prefer"), `outlook.timezone="UTC"`) {
		refuse(w, http.StatusBadRequest, "", "ErrorInvalidUrlQuery")
		return
	}
	v, status := m.position(r.URL.Query(), b)
	if status != 0 {
		refuse(w, status, "", "SyncStateNotFound")
		return
	}
	found, next, more := b.cut(v.page, m.pageSize(r), v.holds)
	items := make([]Event, len(found))
	for i, e := range found {
		items[i] = sparse(e)
	}
	out := Event{"@odata.context": m.URL + "/v1.0/$metadata#Collection(event)", "value": items}
	address := m.URL + r.URL.Path + "?"
	if more {
		v.page = next
		out["@odata.nextLink"] = address + url.Values{"$skiptoken": {v.String()}}.Encode()
	} else {
		v.page = page{since: v.began}
		out["@odata.deltaLink"] = address + url.Values{"$deltatoken": {v.String()}}.Encode()
	}
	answer(w, http.StatusOK, out)
}

func (m *Microsoft) position(q url.Values, b *book) (v view, status int) {
	if q.Has("startDateTime") && q.Has("endDateTime") {
		v = view{q.Get("startDateTime"), q.Get("endDateTime"), b.from(0)}
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
	v.page = b.from(v.since)
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

// holds: a deleted event is told to those who may have it; a series' master goes with its occurrences.
func (v view) holds(e *entry) bool {
	if e.gone || e.event.text("type") == "seriesMaster" {
		return !e.gone || v.since > 0
	}
	return e.event.under("start").text("dateTime") < v.until && e.event.under("end").text("dateTime") > v.from
}

// sparse is the event as a difference has it: of an occurrence only when it is, of a deleted one only that it is.
func sparse(e *entry) Event {
	if e.gone {
		return Event{"@odata.type": "#microsoft.graph.event", "id": e.event["id"],
			"@removed": Event{"reason": "deleted"}}
	}
	if e.event.text("type") != "occurrence" {
		return e.event
	}
	out := Event{}
	for _, name := range []string{"@odata.etag", "id", "type", "seriesMasterId", "start", "end"} {
		out[name] = e.event[name]
	}
	return out
}
