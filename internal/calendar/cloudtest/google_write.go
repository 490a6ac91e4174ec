package cloudtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
)

func (g *Google) get(w http.ResponseWriter, r *http.Request, b *fakeCalendar) {
	e, ok := b.entries[r.PathValue("event")]
	if !ok {
		respondError(w, http.StatusNotFound, "notFound", "404")
		return
	}
	respond(w, http.StatusOK, applyMask(wireFormat(e), r.URL.Query().Get("fields")))
}

// importEvent is events.import. It keeps the iCalUID, and replaces an existing event with the one that is sent.
func (g *Google) importEvent(w http.ResponseWriter, r *http.Request, b *fakeCalendar) {
	e, ok := g.readEvent(w, r)
	if !ok {
		return
	}
	uid := e.str("iCalUID")
	if uid == "" || e.object("start") == nil || e.object("end") == nil {
		respondError(w, http.StatusBadRequest, "required", "400")
		return
	}
	e["id"] = fmt.Sprintf("_%x", uid)
	if old, ok := b.entries[e.str("id")]; ok && number(e["sequence"]) < number(old.event["sequence"]) {
		respondError(w, http.StatusBadRequest, "invalid", "400")
		return
	}
	g.recordWrite(r, e)
	respond(w, http.StatusOK, g.store(b, e))
}

func (g *Google) patch(w http.ResponseWriter, r *http.Request, b *fakeCalendar) {
	old, ok := g.findMatching(w, r, b)
	if !ok {
		return
	}
	change, ok := g.readEvent(w, r)
	if !ok {
		return
	}
	g.recordWrite(r, change)
	e := mergePatch(old.event, change)
	respond(w, http.StatusOK, g.store(b, e))
}

func (g *Google) remove(w http.ResponseWriter, r *http.Request, b *fakeCalendar) {
	if _, ok := g.findMatching(w, r, b); !ok {
		return
	}
	if r.URL.Query().Get("sendUpdates") != "none" {
		respondError(w, http.StatusBadRequest, "the fake wants no mails", "400")
		return
	}
	g.recordWrite(r, nil)
	b.remove(r.PathValue("event"))
	w.WriteHeader(http.StatusNoContent)
}

// findMatching returns the event to change, if it matches If-Match.
func (g *Google) findMatching(w http.ResponseWriter, r *http.Request, b *fakeCalendar) (*entry, bool) {
	e, known := b.entries[r.PathValue("event")]
	switch {
	case !known:
		respondError(w, http.StatusNotFound, "notFound", "404")
	case r.Header.Get("If-Match") == "":
		respondError(w, http.StatusPreconditionRequired, "the fake wants If-Match", "428")
	case r.Header.Get("If-Match") != fmt.Sprintf(`"%d"`, e.version):
		respondError(w, http.StatusPreconditionFailed, "conditionNotMet", "412")
	case e.deleted:
		respondError(w, http.StatusGone, "deleted", "410")
	default:
		return e, true
	}
	return nil, false
}

// readEvent reads an event and rejects attendees: the real service would send them mail.
func (s *service) readEvent(w http.ResponseWriter, r *http.Request) (e Event, ok bool) {
	err := json.NewDecoder(r.Body).Decode(&e)
	if _, hasAttendees := e["attendees"]; err != nil || hasAttendees || e == nil {
		respondError(w, http.StatusBadRequest, "the fake wants no attendees", "ErrorInvalidRequest")
		return nil, false
	}
	return e, true
}

func (s *service) recordWrite(r *http.Request, e Event) {
	if e != nil {
		e = e.clone()
	}
	s.writes = append(s.writes, Write{r.Method, r.PathValue("event"), e})
}

// mergePatch applies a JSON merge patch (RFC 7396).
func mergePatch(old, change Event) Event {
	out := maps.Clone(old)
	if out == nil {
		out = Event{}
	}
	for name, value := range change {
		switch inner := value.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			out[name] = mergePatch(out.object(name), inner)
		default:
			out[name] = value
		}
	}
	return out
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}
