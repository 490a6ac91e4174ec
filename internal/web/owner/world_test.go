package owner

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	netmail "net/mail"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/calendar/calsync"
	"slotd/internal/doctor"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/mail/delivery"
	"slotd/internal/mcp"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

const baseURL = "https://book.example"

// monday is when the clock starts: 2027-02-01 is a Monday, an hour before the offices open.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

const acme = `
workspace: {slug: acme, name: Acme Inc, time_zone: UTC}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default:
    weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video, url: "https://meet.example/ada"}}
  - {slug: paid, title: Consulting, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}}
`

const other = `
workspace: {slug: other, name: Other, time_zone: UTC}
host: {name: Bo, email: bo@other.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Other call, duration_minutes: 30, location: {type: video}}
`

// world is one server with its own database and the workspaces acme (of ada@acme.example) and other (of
// bo@other.example).
type world struct {
	t     testing.TB
	db    *store.DB
	clock *testdb.Clock
	log   *bytes.Buffer
	*Site
	pages  http.Handler
	outbox string // the folder for mails
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target, acme, other)) })
}

// lite is for tests that do not depend on the kind of database.
func lite(t testing.TB) *world { return newWorld(t, testdb.SQLite(t), acme, other) }

func newWorld(t testing.TB, target string, files ...string) *world {
	t.Helper()
	w := &world{t: t, db: testdb.Open(t, target), clock: testdb.NewClock(monday), log: &bytes.Buffer{}}
	w.outbox = filepath.Join(t.TempDir(), "outbox")
	w.Site = w.newSite()
	w.pages = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { // tests replace the site later
		routed(w.Site).ServeHTTP(out, r)
	})
	for _, file := range files {
		w.apply(file)
	}
	t.Cleanup(func() {
		if strings.Contains(w.log.String(), "panic") {
			t.Error(w.log.String())
		}
	})
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
	keys, err := seal.Ensure(filepath.Join(w.t.TempDir(), "secret.key"))
	w.must(err)
	sender, err := delivery.NewOutbox(w.outbox)
	w.must(err)
	log := slog.New(slog.NewTextHandler(w.log, nil))
	tokens := &identity.Tokens{DB: w.db, Now: w.clock.Now}
	calendars := &calsync.Service{
		DB: w.db, Cache: cache, Keys: keys, Client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
		Now: w.clock.Now, Log: log, Links: signer, BaseURL: baseURL,
	}
	payInto := &accounts.Service{DB: w.db, Keys: keys, API: stripe.DefaultAPI}
	bookings := booking.New(booking.Config{
		DB: w.db, Cache: cache, Links: signer, Now: w.clock.Now, BaseURL: baseURL, Accounts: payInto,
		VideoURL: "https://rooms.example/{room}", HoldFor: booking.DefaultHold, Calendars: calendars,
	})
	s := &Site{
		Booking: bookings, Tokens: tokens, Accounts: payInto, Cache: cache,
		Workspaces: &workspace.Store{DB: w.db, Keys: keys},
		Records:    &records.Service{DB: w.db, Cache: cache, Accounts: payInto, Now: w.clock.Now},
		Calendars:  calendars, Now: w.clock.Now, BaseURL: baseURL,
		Sender: sender,
		Owners: identity.New(identity.Service{DB: w.db, Links: signer, Now: w.clock.Now, Log: log,
			Limits: identity.NewLimits()}),
		MailFrom: netmail.Address{Address: "slotd@book.example"}, Guard: kit.Guard{Log: log},
		Wait: func(time.Duration) {},
	}
	s.Doctor = &doctor.Server{DB: w.db, Keys: keys, Accounts: s.Accounts, Calendars: calendars, Sender: sender,
		Now: w.clock.Now, Log: log, BaseURL: baseURL, ToFiles: true, DataDir: w.outbox}
	s.Endpoint = mcp.New(&mcp.Handler{Booking: bookings, Cache: cache, Tokens: tokens, Now: w.clock.Now, Log: log},
		"v1.2.3")
	return s
}

func (w *world) cookieName() string { return (&page.Site{BaseURL: w.BaseURL}).CookieName() }

func routed(s *Site) http.Handler {
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

// apply applies a workspace file, as the command does.
func (w *world) apply(text string) {
	w.t.Helper()
	file, err := file.Read([]byte(text))
	w.must(err)
	_, err = workspace.Put(background, w.db, workspace.Change{Desired: &file.Workspace, Now: w.clock.Now()})
	w.must(err)
}

// export returns the workspace's file, as the command prints it.
func (w *world) export(slug string) string {
	w.t.Helper()
	p, err := w.Cache.Latest(background, w.id(slug))
	w.must(err)
	return string(file.Export(&p.Workspace))
}

func (w *world) id(slug string) int64 {
	w.t.Helper()
	id, err := w.db.Read().WorkspaceIDBySlug(background, slug)
	w.must(err)
	return id
}
