package cloudtest

import (
	"fmt"
	"net/http"
	"strings"
)

// find lists events with the only filter that this fake supports: the value of an extended property.
func (m *Microsoft) find(w http.ResponseWriter, r *http.Request) {
	b, ok := m.calendars[r.PathValue("calendar")]
	filter := r.URL.Query().Get("$filter")
	if !ok || !strings.HasPrefix(filter, "singleValueExtendedProperties/any(ep: ep/id eq '") {
		respondError(w, http.StatusNotFound, "", "ErrorItemNotFound")
		return
	}
	found := []Event{}
	for _, e := range b.changedSince(0) {
		for _, p := range properties(e.event) {
			wanted := fmt.Sprintf("singleValueExtendedProperties/any(ep: ep/id eq '%s' and ep/value eq '%s')",
				p.str("id"), p.str("value"))
			if !e.deleted && filter == wanted {
				found = append(found, withoutProperties(e.event))
			}
		}
	}
	respond(w, http.StatusOK, Event{"value": found})
}

func properties(e Event) (all []Event) {
	list, _ := e["singleValueExtendedProperties"].([]any)
	for _, p := range list {
		if p, ok := p.(map[string]any); ok {
			all = append(all, p)
		}
	}
	return all
}

// withoutProperties removes extended properties, which are only sent if the request expands them.
func withoutProperties(e Event) Event {
	out := e.clone()
	delete(out, "singleValueExtendedProperties")
	return out
}

// create responds to a repeated transactionId with the existing event, and creates no other.
func (m *Microsoft) create(w http.ResponseWriter, r *http.Request) {
	b, ok := m.calendars[r.PathValue("calendar")]
	if !ok {
		respondError(w, http.StatusNotFound, "", "ErrorItemNotFound")
		return
	}
	e, ok := m.readEvent(w, r)
	if !ok {
		return
	}
	if e.object("start") == nil || e.object("end") == nil || e.str("iCalUId") != "" {
		respondError(w, http.StatusBadRequest, "", "ErrorInvalidRequest")
		return
	}
	for _, old := range b.changedSince(0) {
		if id := e.str("transactionId"); id != "" && !old.deleted && old.event.str("transactionId") == id {
			respond(w, http.StatusCreated, withoutProperties(old.event))
			return
		}
	}
	e["id"] = fmt.Sprintf("AAMk%d=", b.version+1)
	m.recordWrite(r, e)
	respond(w, http.StatusCreated, withoutProperties(m.store(b, e)))
}

func (m *Microsoft) get(w http.ResponseWriter, r *http.Request) {
	if _, e, ok := m.findEvent(w, r); ok {
		respond(w, http.StatusOK, withoutProperties(e.event))
	}
}

func (m *Microsoft) patch(w http.ResponseWriter, r *http.Request) {
	b, old, ok := m.findMatching(w, r)
	if !ok {
		return
	}
	change, ok := m.readEvent(w, r)
	if !ok {
		return
	}
	if change.str("transactionId") != "" {
		respondError(w, http.StatusBadRequest, "", "ErrorInvalidPropertySet")
		return
	}
	m.recordWrite(r, change)
	respond(w, http.StatusOK, withoutProperties(m.store(b, mergePatch(old.event, change))))
}

func (m *Microsoft) remove(w http.ResponseWriter, r *http.Request) {
	b, _, ok := m.findMatching(w, r)
	if !ok {
		return
	}
	m.recordWrite(r, nil)
	b.remove(r.PathValue("event"))
	w.WriteHeader(http.StatusNoContent)
}

// findEvent looks in all calendars: event ids are unique in the account.
func (m *Microsoft) findEvent(w http.ResponseWriter, r *http.Request) (*fakeCalendar, *entry, bool) {
	for _, b := range m.calendars {
		if e, ok := b.lookup(r.PathValue("event")); ok {
			return b, e, true
		}
	}
	respondError(w, http.StatusNotFound, "", "ErrorItemNotFound")
	return nil, nil, false
}

func (m *Microsoft) findMatching(w http.ResponseWriter, r *http.Request) (*fakeCalendar, *entry, bool) {
	b, e, ok := m.findEvent(w, r)
	if !ok {
		return nil, nil, false
	}
	switch r.Header.Get("If-Match") {
	case "":
		respondError(w, http.StatusPreconditionRequired, "", "the fake wants If-Match")
	case e.event.str("@odata.etag"):
		return b, e, true
	default:
		respondError(w, http.StatusPreconditionFailed, "", "ErrorIrresolvableConflict")
	}
	return nil, nil, false
}
