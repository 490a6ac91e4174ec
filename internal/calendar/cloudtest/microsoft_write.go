package cloudtest

import (
	"fmt"
	"net/http"
	"strings"
)

// find is a list of events with the one filter that is known here: an extended property's value.
func (m *Microsoft) find(w http.ResponseWriter, r *http.Request) {
	b, ok := m.books[r.PathValue("calendar")]
	filter := r.URL.Query().Get("$filter")
	if !ok || !strings.HasPrefix(filter, "singleValueExtendedProperties/any(ep: ep/id eq '") {
		refuse(w, http.StatusNotFound, "", "ErrorItemNotFound")
		return
	}
	found := []Event{}
	for _, e := range b.after(0) {
		for _, p := range properties(e.event) {
			wanted := fmt.Sprintf("singleValueExtendedProperties/any(ep: ep/id eq '%s' and ep/value eq '%s')",
				p.text("id"), p.text("value"))
			if !e.gone && filter == wanted {
				found = append(found, withoutProperties(e.event))
			}
		}
	}
	answer(w, http.StatusOK, Event{"value": found})
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

// withoutProperties: extended properties are only sent to who expands them.
func withoutProperties(e Event) Event {
	out := e.copied()
	delete(out, "singleValueExtendedProperties")
	return out
}

// create answers a repeated transactionId with the event that it made first, and makes no other.
func (m *Microsoft) create(w http.ResponseWriter, r *http.Request) {
	b, ok := m.books[r.PathValue("calendar")]
	if !ok {
		refuse(w, http.StatusNotFound, "", "ErrorItemNotFound")
		return
	}
	e, ok := m.sent(w, r)
	if !ok {
		return
	}
	if e.under("start") == nil || e.under("end") == nil || e.text("iCalUId") != "" {
		refuse(w, http.StatusBadRequest, "", "ErrorInvalidRequest")
		return
	}
	for _, old := range b.after(0) {
		if id := e.text("transactionId"); id != "" && !old.gone && old.event.text("transactionId") == id {
			answer(w, http.StatusCreated, withoutProperties(old.event))
			return
		}
	}
	e["id"] = fmt.Sprintf("AAMk%d=", b.version+1)
	m.wrote(r, e)
	answer(w, http.StatusCreated, withoutProperties(m.keep(b, e)))
}

func (m *Microsoft) one(w http.ResponseWriter, r *http.Request) {
	if _, e, ok := m.located(w, r); ok {
		answer(w, http.StatusOK, withoutProperties(e.event))
	}
}

func (m *Microsoft) patch(w http.ResponseWriter, r *http.Request) {
	b, old, ok := m.matched(w, r)
	if !ok {
		return
	}
	change, ok := m.sent(w, r)
	if !ok {
		return
	}
	if change.text("transactionId") != "" {
		refuse(w, http.StatusBadRequest, "", "ErrorInvalidPropertySet")
		return
	}
	m.wrote(r, change)
	answer(w, http.StatusOK, withoutProperties(m.keep(b, merged(old.event, change))))
}

func (m *Microsoft) remove(w http.ResponseWriter, r *http.Request) {
	b, _, ok := m.matched(w, r)
	if !ok {
		return
	}
	m.wrote(r, nil)
	b.remove(r.PathValue("event"))
	w.WriteHeader(http.StatusNoContent)
}

// located finds an event in any calendar: its id is the account's.
func (m *Microsoft) located(w http.ResponseWriter, r *http.Request) (*book, *entry, bool) {
	for _, b := range m.books {
		if e, ok := b.live(r.PathValue("event")); ok {
			return b, e, true
		}
	}
	refuse(w, http.StatusNotFound, "", "ErrorItemNotFound")
	return nil, nil, false
}

func (m *Microsoft) matched(w http.ResponseWriter, r *http.Request) (*book, *entry, bool) {
	b, e, ok := m.located(w, r)
	if !ok {
		return nil, nil, false
	}
	switch r.Header.Get("If-Match") {
	case "":
		refuse(w, http.StatusPreconditionRequired, "", "the fake wants If-Match")
	case e.event.text("@odata.etag"):
		return b, e, true
	default:
		refuse(w, http.StatusPreconditionFailed, "", "ErrorIrresolvableConflict")
	}
	return nil, nil, false
}
