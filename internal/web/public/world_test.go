package public

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/mcp"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// world is one server with its own database: the pages and the MCP endpoint.
type world struct {
	t        testing.TB
	target   string
	db       *store.DB
	raw      *sql.DB // the database as another process sees it
	clock    *testdb.Clock
	log      *bytes.Buffer
	*Site    // its Wait only records the duration
	pages    http.Handler
	endpoint http.Handler
	token    string             // of the workspace acme
	stripe   *stripetest.Stripe // set by takesPayments

	mu     sync.Mutex
	waited []time.Duration // durations that were passed to Wait
}

const (
	baseURL  = "https://book.example"
	videoURL = "https://rooms.example/{room}"
)

// monday is the start of the clock: Monday 2027-02-01, an hour before the opening hours.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

var background = context.Background()

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

// other is a workspace for which acme's links are not valid. No site may frame it.
const other = `
workspace: {slug: other, name: Other, time_zone: UTC}
host: {name: Bo, email: bo@other.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Other call, duration_minutes: 30, location: {type: video}}
`

// eachDB runs the test on SQLite and PostgreSQL, for tests that write.
func eachDB(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

// newSQLiteWorld is for tests that do not depend on the database.
func newSQLiteWorld(t testing.TB) *world { return newWorld(t, testdb.SQLite(t)) }

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	w := &world{t: t, target: target, db: testdb.Open(t, target), clock: testdb.NewClock(monday), log: &bytes.Buffer{}}
	driver := "sqlite"
	if store.IsPostgres(target) {
		driver = "pgx"
	}
	var err error
	w.raw, err = sql.Open(driver, target)
	w.must(err)
	t.Cleanup(func() {
		w.raw.Close()
		if strings.Contains(w.log.String(), "panic") {
			t.Error(w.log.String())
		}
	})
	w.apply(acme)
	w.apply(other)
	tokens := &identity.Tokens{DB: w.db, Now: w.clock.Now}
	id, err := w.db.Read().WorkspaceIDBySlug(background, "acme")
	w.must(err)
	w.token, _, err = tokens.Create(background, id, "test", identity.Operator)
	w.must(err)
	w.Site = w.newSite()
	w.pages = newMux(w.Site)
	w.endpoint = mcp.New(&mcp.Handler{Booking: w.Booking, Cache: w.Cache, Tokens: tokens, Now: w.clock.Now, Log: w.Log}, "v1.2.3")
	return w
}

// newSite returns another server on the same database.
func (w *world) newSite() *Site {
	w.t.Helper()
	signer, err := links.Load(background, w.db, w.clock.Now())
	w.must(err)
	cache, err := snapshot.NewCache(background, w.db, w.clock.Now)
	w.must(err)
	w.t.Cleanup(cache.Close)
	wait := func(d time.Duration) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.waited = append(w.waited, d)
	}
	payAccounts := &accounts.Service{DB: w.db, API: stripe.DefaultAPI}
	return &Site{
		Booking: booking.New(booking.Config{DB: w.db, Cache: cache, Links: signer, Accounts: payAccounts,
			Now: w.clock.Now, Wait: wait, BaseURL: baseURL, VideoURL: videoURL, HoldFor: booking.DefaultHold}),
		Cache: cache, Links: signer, Now: w.clock.Now, BaseURL: baseURL, Accounts: payAccounts,
		Guard: kit.Guard{Log: slog.New(slog.NewTextHandler(w.log, nil))}, Wait: wait,
	}
}

func newMux(s *Site) http.Handler {
	mux := http.NewServeMux()
	s.Routes(mux)
	return mux
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) apply(text string) {
	w.t.Helper()
	file, err := file.Read([]byte(text))
	w.must(err)
	_, err = workspace.Put(background, w.db, workspace.Change{Desired: &file.Workspace, Now: w.clock.Now()})
	w.must(err)
}

// answer is an HTTP response with its complete body.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

// page parses the response as a page. Every page that a test reads must be well formed.
func (a answer) page() *node {
	a.t.Helper()
	return parseHTML(a.t, a.body)
}

// ok returns the page of a response that must have status 200.
func (a answer) ok() *node { a.t.Helper(); return a.is(http.StatusOK).page() }

func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %v\n%.3000s", a.status, status, a.header, a.body)
	}
	return a
}

// get requests a page. header alternates names and values.
func (w *world) get(target string, header ...string) answer {
	w.t.Helper()
	return w.do(w.request(http.MethodGet, target, nil, header...))
}

// post sends a form as a browser does.
func (w *world) post(target string, form url.Values, header ...string) answer {
	w.t.Helper()
	r := w.request(http.MethodPost, target, strings.NewReader(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	set(r.Header, header)
	return w.do(r)
}

func (w *world) request(method, target string, body io.Reader, header ...string) *http.Request {
	r := httptest.NewRequest(method, strings.TrimPrefix(target, baseURL), body)
	set(r.Header, header)
	return r
}

func set(h http.Header, header []string) {
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
}

func (w *world) do(r *http.Request) answer { return w.doAt(w.pages, r) }

func (w *world) doAt(pages http.Handler, r *http.Request) answer {
	recorder := httptest.NewRecorder()
	pages.ServeHTTP(recorder, r)
	return answer{w.t, recorder.Code, recorder.Result().Header, recorder.Body.String()}
}

// form opens the form for a slot and returns its action and fields.
func (w *world) form(path, slot string) (action string, fields url.Values) {
	w.t.Helper()
	form := w.get(path + "?slot=" + url.QueryEscape(slot)).ok().first("#book")
	if form.tag != "form" {
		w.t.Fatalf("%s is not offered on %s", slot, path)
	}
	return form.attr("action"), form.fields()
}

// send fills in a form and sends it. more alternates names and values of further fields.
func (w *world) send(path, slot string, more ...string) answer {
	w.t.Helper()
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
	w.t.Helper()
	return w.send(path, slot, more...).is(http.StatusSeeOther).header.Get("Location")
}

// object is any JSON object.
type object = map[string]any

// call calls a tool of the endpoint with acme's token. One of the two results is nil.
func (w *world) call(tool, arguments string) (result, failure object) {
	w.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
	r := w.request(http.MethodPost, "/api/mcp", strings.NewReader(body), "Content-Type", "application/json",
		"Authorization", "Bearer "+w.token)
	a := w.doAt(w.endpoint, r).is(http.StatusOK)
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	w.must(json.Unmarshal([]byte(a.body), &envelope))
	w.must(json.Unmarshal([]byte(envelope.Result.Content[0].Text), &result))
	if failure, ok := result["error"].(object); ok {
		return nil, failure
	}
	return result, nil
}

// create books through the endpoint and returns the booking.
func (w *world) create(eventType, slot string) object {
	w.t.Helper()
	b, failure := w.call("create_booking",
		fmt.Sprintf(`{"event_type":%q,"slot_start":%q,"attendee_name":"Grace Okafor","attendee_email":"grace@example.com","attendee_time_zone":"Europe/Berlin"}`, eventType, slot))
	if failure != nil {
		w.t.Fatal(failure)
	}
	return b
}

// counts returns the number of rows in the tables that a rejected request must not change.
func (w *world) counts() (n [4]int) {
	w.t.Helper()
	for i, table := range []string{"bookings", "booking_events", "claims", "idempotency_keys"} {
		w.must(w.raw.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n[i]))
	}
	return n
}

// at returns an instant of 2027, such as at("02-01 15:30").
func at(s string) string {
	t, err := time.Parse("01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return slotd.Instant(time.Date(2027, t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC))
}
