package mcp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"slotd/internal/store"
	"slotd/internal/web/webtest"
	"slotd/test/worlds"
)

// world is a server with its own database and a clock that tests move.
type world struct {
	*worlds.World
	*Handler
	server   *httptest.Server
	token    string // of the workspace acme
	services *webtest.Services
}

var (
	background = context.Background()
	monday     = worlds.Monday
	at         = worlds.Instant
)

// acme has one event type of each kind.
const acme = `
workspace: {slug: acme, name: Acme Inc, time_zone: America/New_York}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default:
    time_zone: UTC
    weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}
  always:
    time_zone: UTC
    weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}
event_types:
  - {slug: intro, title: Intro call, description: "Thirty <minutes> & a \"half\".", duration_minutes: 30, location: {type: video, url: "https://meet.example/ada"}}
  - {slug: fresh, title: Fresh room, duration_minutes: 30, location: {type: video}}
  - {slug: ask, title: Call back, duration_minutes: 30, location: {type: phone, ask: true}}
  - {slug: dial, title: Call in, duration_minutes: 30, location: {type: phone, text: "Call +1 555 0100."}}
  - {slug: office, title: Visit, duration_minutes: 60, location: {type: in_person, text: "1 Main Street, 2nd floor"}}
  - {slug: walk, title: Walk, duration_minutes: 60, location: {type: custom, text: "Meet at the gate."}}
  - {slug: paid, title: Consulting, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}}
  - {slug: secret, title: Secret, duration_minutes: 30, location: {type: video}, hidden: true}
  - {slug: dense, title: Dense, duration_minutes: 15, location: {type: video}, schedule: always}
`

func each(t *testing.T, test func(t *testing.T, w *world)) {
	worlds.Each(t, func(t *testing.T, base *worlds.World) { test(t, newWorld(base)) })
}

// lite returns a world on SQLite, for tests that do not depend on the database.
func lite(t testing.TB) *world { return newWorld(worlds.OnSQLite(t)) }

func newWorld(base *worlds.World) *world {
	base.T.Helper()
	w := &world{World: base}
	w.Apply(acme)
	w.Apply(worlds.Other)
	w.services = webtest.NewServices(base, base.DB, base.Cache)
	w.token = w.services.Token("acme")
	w.Handler = w.handler(w.services)
	w.server = httptest.NewServer(w.Handler)
	base.T.Cleanup(w.server.Close)
	return w
}

// newHandler returns another server. With another db, it acts like a server on another machine.
func (w *world) newHandler(db *store.DB) *Handler {
	w.T.Helper()
	return w.handler(webtest.NewServices(w.World, db, w.NewCache(db)))
}

func (w *world) handler(s *webtest.Services) *Handler {
	w.T.Helper()
	origins, err := NewOrigins(worlds.BaseURL, []string{"https://app.example"})
	w.Must(err)
	return New(&Handler{Booking: s.Booking, Cache: s.Cache, Tokens: s.Tokens, Origins: origins, Now: w.Clock.Now,
		Log: w.World.Log.Logger()}, "v1.2.3")
}

// answer is a response of the endpoint.
type answer struct{ webtest.Answer }

// post sends a body as application/json. header holds names and values alternately; the value "-" removes a header.
func (w *world) post(body string, header ...string) answer {
	w.T.Helper()
	return w.send(http.MethodPost, strings.NewReader(body), header...)
}

func (w *world) send(method string, body io.Reader, header ...string) answer {
	w.T.Helper()
	r, err := http.NewRequest(method, w.server.URL+"/api/mcp", body)
	w.Must(err)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		if header[i+1] == "-" {
			r.Header.Del(header[i])
		} else {
			r.Header[http.CanonicalHeaderKey(header[i])] = append(r.Header[http.CanonicalHeaderKey(header[i])],
				header[i+1])
		}
	}
	if types := r.Header["Content-Type"]; len(types) > 1 {
		r.Header["Content-Type"] = types[1:]
	}
	response, err := w.server.Client().Do(r)
	w.Must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	w.Must(err)
	return answer{webtest.Answer{T: w.T, Status: response.StatusCode, Header: response.Header, Body: string(text)}}
}
