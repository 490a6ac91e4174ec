package cloudtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
)

func (g *Google) one(w http.ResponseWriter, r *http.Request, b *book) {
	e, ok := b.entries[r.PathValue("event")]
	if !ok {
		refuse(w, http.StatusNotFound, "notFound", "404")
		return
	}
	answer(w, http.StatusOK, masked(wire(e), r.URL.Query().Get("fields")))
}

// importEvent is events.import, which keeps the iCalUID, and of an event that is already there makes the one that is
// sent.
func (g *Google) importEvent(w http.ResponseWriter, r *http.Request, b *book) {
	e, ok := g.sent(w, r)
	if !ok {
		return
	}
	uid := e.text("iCalUID")
	if uid == "" || e.under("start") == nil || e.under("end") == nil {
		refuse(w, http.StatusBadRequest, "required", "400")
		return
	}
	e["id"] = fmt.Sprintf("_%x", uid)
	if old, ok := b.entries[e.text("id")]; ok && number(e["sequence"]) < number(old.event["sequence"]) {
		refuse(w, http.StatusBadRequest, "invalid", "400")
		return
	}
	g.wrote(r, e)
	answer(w, http.StatusOK, g.keep(b, e))
}

func (g *Google) patch(w http.ResponseWriter, r *http.Request, b *book) {
	old, ok := g.matched(w, r, b)
	if !ok {
		return
	}
	change, ok := g.sent(w, r)
	if !ok {
		return
	}
	g.wrote(r, change)
	e := merged(old.event, change)
	answer(w, http.StatusOK, g.keep(b, e))
}

func (g *Google) remove(w http.ResponseWriter, r *http.Request, b *book) {
	if _, ok := g.matched(w, r, b); !ok {
		return
	}
	if r.URL.Query().Get("sendUpdates") != "none" {
		refuse(w, http.StatusBadRequest, "the fake wants no mails", "400")
		return
	}
	g.wrote(r, nil)
	b.remove(r.PathValue("event"))
	w.WriteHeader(http.StatusNoContent)
}

// matched finds the event that a change is for, if it is as If-Match says.
func (g *Google) matched(w http.ResponseWriter, r *http.Request, b *book) (*entry, bool) {
	e, known := b.entries[r.PathValue("event")]
	switch {
	case !known:
		refuse(w, http.StatusNotFound, "notFound", "404")
	case r.Header.Get("If-Match") == "":
		refuse(w, http.StatusPreconditionRequired, "the fake wants If-Match", "428")
	case r.Header.Get("If-Match") != fmt.Sprintf(`"%d"`, e.version):
		refuse(w, http.StatusPreconditionFailed, "conditionNotMet", "412")
	case e.gone:
		refuse(w, http.StatusGone, "deleted", "410")
	default:
		return e, true
	}
	return nil, false
}

// sent reads an event, and refuses attendees: the real service would write to them.
func (s *service) sent(w http.ResponseWriter, r *http.Request) (e Event, ok bool) {
	err := json.NewDecoder(r.Body).Decode(&e)
	if _, people := e["attendees"]; err != nil || people || e == nil {
		refuse(w, http.StatusBadRequest, "the fake wants no attendees", "ErrorInvalidRequest")
		return nil, false
	}
	return e, true
}

func (s *service) wrote(r *http.Request, e Event) {
	if e != nil {
		e = e.copied()
	}
	s.writes = append(s.writes, Write{r.Method, r.PathValue("event"), e})
}

// merged is JSON merge patch, RFC 7396.
func merged(old, change Event) Event {
	out := maps.Clone(old)
	if out == nil {
		out = Event{}
	}
	for name, value := range change {
		switch inner := value.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			out[name] = merged(out.under(name), inner)
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
