package public

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd/internal/booking"
	"slotd/internal/mcp"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/web/kit"
	"slotd/internal/web/webtest"
	"slotd/test/worlds"
)

// world is one server with its own database: the pages and the MCP endpoint.
type world struct {
	*worlds.World
	*Site    // its Wait only records the duration
	pages    http.Handler
	endpoint http.Handler
	token    string             // of the workspace acme
	stripe   *stripetest.Stripe // set by takesPayments

	mu     sync.Mutex
	waited []time.Duration // durations that were passed to Wait
}

const baseURL = worlds.BaseURL

var (
	background = context.Background()
	monday     = worlds.Monday
	at         = worlds.Instant
)

type (
	answer = webtest.Answer
	node   = webtest.Node
	object = webtest.Object
)

// acme has one event type of each kind.
const acme = `
workspace: {slug: acme, name: Acme Inc, time_zone: America/New_York}
host: {name: Ada Park, email: ada@acme.example}
look: {accent: "#0b7285", logo: "https://acme.example/logo.svg"}
embed: {allowed_sites: ["https://acme.example"]}
schedules:
  default:
    time_zone: UTC
    weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}
event_types:
  - {slug: intro, title: Intro call, description: "Thirty <minutes> & a \"half\".", duration_minutes: 30, location: {type: video, url: "https://meet.example/ada"}}
  - {slug: fresh, title: Fresh room, duration_minutes: 30, location: {type: video}}
  - {slug: ask, title: Call back, duration_minutes: 30, location: {type: phone, ask: true}}
  - {slug: office, title: Visit, duration_minutes: 60, location: {type: in_person, text: "1 Main Street, 2nd floor"}}
  - {slug: paid, title: Consulting, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}, refund_policy: {full_until_hours_before: 24}}
  - {slug: secret, title: Secret, duration_minutes: 30, location: {type: video}, hidden: true}
`

// eachDB runs the test on SQLite and PostgreSQL, for tests that write.
func eachDB(t *testing.T, test func(t *testing.T, w *world)) {
	worlds.Each(t, func(t *testing.T, base *worlds.World) { test(t, newWorld(base)) })
}

// newSQLiteWorld is for tests that do not depend on the database.
func newSQLiteWorld(t testing.TB) *world { return newWorld(worlds.OnSQLite(t)) }

func newWorld(base *worlds.World) *world {
	base.T.Helper()
	w := &world{World: base}
	w.Apply(acme)
	w.Apply(worlds.Other) // acme's links are not valid for it, and no site may frame it
	services := webtest.NewServices(base, base.DB, base.Cache, func(c *booking.Config) { c.Wait = w.wait })
	w.token = services.Token("acme")
	log := base.Log.Logger()
	w.Site = &Site{
		Booking: services.Booking, Cache: base.Cache, Links: base.Links, Now: base.Clock.Now, BaseURL: baseURL,
		Accounts: services.Accounts, Guard: kit.Guard{Log: log}, Wait: w.wait,
	}
	w.pages = newMux(w.Site)
	w.endpoint = mcp.New(&mcp.Handler{Booking: services.Booking, Cache: base.Cache, Tokens: services.Tokens,
		Now: base.Clock.Now, Log: log}, "v1.2.3")
	return w
}

func (w *world) wait(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waited = append(w.waited, d)
}

func newMux(s *Site) http.Handler {
	mux := http.NewServeMux()
	s.Routes(mux)
	return mux
}

// get requests a page. header alternates names and values.
func (w *world) get(target string, header ...string) answer {
	w.T.Helper()
	return w.do(w.request(http.MethodGet, target, nil, header...))
}

// post sends a form as a browser does.
func (w *world) post(target string, form url.Values, header ...string) answer {
	w.T.Helper()
	r := webtest.Post(strings.TrimPrefix(target, baseURL), form)
	webtest.SetHeader(r.Header, header)
	return w.do(r)
}

func (w *world) request(method, target string, body io.Reader, header ...string) *http.Request {
	r := httptest.NewRequest(method, strings.TrimPrefix(target, baseURL), body)
	webtest.SetHeader(r.Header, header)
	return r
}

func (w *world) do(r *http.Request) answer { return webtest.Serve(w.T, w.pages, r) }

// form opens the form for a slot and returns its action and fields.
func (w *world) form(path, slot string) (action string, fields url.Values) {
	w.T.Helper()
	form := w.get(path + "?slot=" + url.QueryEscape(slot)).OK().First("#book")
	if form.Tag != "form" {
		w.T.Fatalf("%s is not offered on %s", slot, path)
	}
	return form.Attr("action"), form.Fields()
}

// send fills in a form and sends it. more alternates names and values of further fields.
func (w *world) send(path, slot string, more ...string) answer {
	w.T.Helper()
	action, fields := w.form(path, slot)
	fields.Set("name", "Grace Okafor")
	fields.Set("email", "grace@example.com")
	for i := 0; i < len(more); i += 2 {
		fields.Set(more[i], more[i+1])
	}
	return w.post(action, fields)
}

// book books through the pages and returns the URL of the confirmation.
func (w *world) book(path, slot string, more ...string) (confirmation string) {
	w.T.Helper()
	return w.send(path, slot, more...).Is(http.StatusSeeOther).Header.Get("Location")
}

// call calls a tool of the endpoint with acme's token. One of the two results is nil.
func (w *world) call(tool, arguments string) (result, failure object) {
	w.T.Helper()
	r := webtest.Call(w.T, w.endpoint, w.token, tool, arguments)
	return r.Structured, r.Failure
}

// create books through the endpoint and returns the booking.
func (w *world) create(eventType, slot string) object {
	w.T.Helper()
	arguments := webtest.BookingArguments(eventType, slot, "grace@example.com")
	return webtest.Call(w.T, w.endpoint, w.token, "create_booking", arguments).OK()
}
