package mcp

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// world is a server with its own database and a clock that tests move.
type world struct {
	t      testing.TB
	target string
	db     *store.DB
	raw    *sql.DB // a connection of its own, like another process's
	clock  *testdb.Clock
	log    *bytes.Buffer
	*Handler
	server *httptest.Server
	tokens *identity.Tokens
	token  string // of the workspace acme
}

const (
	baseURL  = "https://book.example"
	videoURL = "https://rooms.example/{room}"
)

// monday is when the clock starts: 2027-02-01 is a Monday, an hour before the offices open.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

var background = context.Background()

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

// other is a workspace that acme's token gives no access to.
const other = `
workspace: {slug: other, name: Other, time_zone: UTC}
host: {name: Bo, email: bo@other.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Other call, duration_minutes: 30, location: {type: video}}
`

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

// lite returns a world on SQLite, for tests that do not depend on the database.
func lite(t testing.TB) *world { return newWorld(t, testdb.SQLite(t)) }

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
	t.Cleanup(func() { w.raw.Close() })
	w.apply(acme)
	w.apply(other)
	w.tokens = &identity.Tokens{DB: w.db, Now: w.clock.Now}
	w.token = w.mint("acme")
	w.Handler = w.newHandler(w.db)
	w.server = httptest.NewServer(w.Handler)
	t.Cleanup(w.server.Close)
	return w
}

// newHandler returns another server. With another db, it acts like a server on another machine.
func (w *world) newHandler(db *store.DB) *Handler {
	w.t.Helper()
	cache, err := snapshot.NewCache(background, db, w.clock.Now)
	w.must(err)
	w.t.Cleanup(cache.Close)
	origins, err := NewOrigins(baseURL, []string{"https://app.example"})
	w.must(err)
	return New(&Handler{
		Booking: w.newBooking(db, cache),
		Cache:   cache,
		Tokens:  &identity.Tokens{DB: db, Now: w.clock.Now},
		Origins: origins, Now: w.clock.Now, Log: slog.New(slog.NewTextHandler(w.log, nil)),
	}, "v1.2.3")
}

func (w *world) newBooking(db *store.DB, cache *snapshot.Cache) *booking.Service {
	w.t.Helper()
	signer, err := links.Load(background, db, w.clock.Now())
	w.must(err)
	return booking.New(booking.Config{DB: db, Cache: cache, Links: signer, Now: w.clock.Now, BaseURL: baseURL,
		VideoURL: videoURL, HoldFor: booking.DefaultHold})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) apply(text string) { w.applyTo(w.db, text) }

func (w *world) applyTo(db *store.DB, text string) {
	w.t.Helper()
	file, err := file.Read([]byte(text))
	w.must(err)
	_, err = workspace.Put(background, db, workspace.Change{Desired: &file.Workspace, Now: w.clock.Now()})
	w.must(err)
}

func (w *world) workspaceID(slug string) int64 {
	w.t.Helper()
	id, err := w.db.Read().WorkspaceIDBySlug(background, slug)
	w.must(err)
	return id
}

func (w *world) mint(slug string) string {
	w.t.Helper()
	plaintext, _, err := w.tokens.Create(background, w.workspaceID(slug), "test", identity.Operator)
	w.must(err)
	return plaintext
}

// answer is an HTTP response that was read to its end.
type answer struct {
	status int
	header http.Header
	body   string
}

// post sends a body as application/json. header holds names and values alternately; the value "-" removes a header.
func (w *world) post(body string, header ...string) answer {
	w.t.Helper()
	return w.send(http.MethodPost, strings.NewReader(body), header...)
}

func (w *world) send(method string, body io.Reader, header ...string) answer {
	w.t.Helper()
	r, err := http.NewRequest(method, w.server.URL+"/api/mcp", body)
	w.must(err)
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
	w.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	w.must(err)
	return answer{response.StatusCode, response.Header, string(text)}
}

// counts returns the sizes of the tables that a rejected request must not change.
func (w *world) counts() (n [4]int) {
	w.t.Helper()
	for i, table := range []string{"bookings", "booking_events", "claims", "idempotency_keys"} {
		w.must(w.raw.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n[i]))
	}
	return n
}

func at(s string) string {
	t, err := time.Parse("01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return slotd.Instant(time.Date(2027, t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC))
}
