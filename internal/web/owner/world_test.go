package owner

import (
	"context"
	"net/http"
	netmail "net/mail"
	"path/filepath"
	"testing"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking/records"
	"slotd/internal/doctor"
	"slotd/internal/identity"
	"slotd/internal/mail/delivery"
	"slotd/internal/mcp"
	"slotd/internal/store/testdb"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
	"slotd/internal/web/webtest"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) { testdb.Main(m) }

const baseURL = worlds.BaseURL

var (
	background = context.Background()
	monday     = worlds.Monday
)

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

// world is one server with its own database and the workspaces acme (of ada@acme.example) and other (of
// bo@other.example).
type world struct {
	*worlds.World
	*Site
	pages  http.Handler
	outbox string // the folder for mails
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	worlds.Each(t, func(t *testing.T, base *worlds.World) { test(t, newWorld(base, acme, worlds.Other)) })
}

// eachEmpty is like each, without workspaces.
func eachEmpty(t *testing.T, test func(t *testing.T, w *world)) {
	worlds.Each(t, func(t *testing.T, base *worlds.World) { test(t, newWorld(base)) })
}

// lite is for tests that do not depend on the kind of database.
func lite(t testing.TB) *world { return newWorld(worlds.OnSQLite(t), acme, worlds.Other) }

func newWorld(base *worlds.World, files ...string) *world {
	base.T.Helper()
	w := &world{World: base, outbox: filepath.Join(base.T.TempDir(), "outbox")}
	w.Site = w.newSite(base.Cache)
	w.pages = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { // tests replace the site later
		routed(w.Site).ServeHTTP(out, r)
	})
	for _, file := range files {
		w.Apply(file)
	}
	return w
}

// newSite returns another server on the same database.
func (w *world) newSite(cache *snapshot.Cache) *Site {
	w.T.Helper()
	services := webtest.NewServices(w.World, w.DB, cache)
	sender, err := delivery.NewOutbox(w.outbox)
	w.Must(err)
	now, log := w.Clock.Now, w.Log.Logger()
	return &Site{
		Booking: services.Booking, Tokens: services.Tokens, Accounts: services.Accounts, Cache: services.Cache,
		Workspaces: &workspace.Store{DB: w.DB, Keys: w.Keys},
		Records:    &records.Service{DB: w.DB, Cache: services.Cache, Accounts: services.Accounts, Now: now},
		Calendars:  services.Calendars, Now: now, BaseURL: baseURL, Sender: sender,
		Owners: identity.New(identity.Service{DB: w.DB, Links: w.Links, Now: now, Log: log,
			Limits: identity.NewLimits()}),
		MailFrom: netmail.Address{Address: "slotd@book.example"}, Guard: kit.Guard{Log: log},
		Wait: func(time.Duration) {},
		Doctor: &doctor.Server{DB: w.DB, Keys: w.Keys, Accounts: services.Accounts, Calendars: services.Calendars,
			Sender: sender, Now: now, Log: log, BaseURL: baseURL, ToFiles: true, DataDir: w.outbox},
		Endpoint: mcp.New(&mcp.Handler{Booking: services.Booking, Cache: services.Cache, Tokens: services.Tokens,
			Now: now, Log: log}, "v1.2.3"),
	}
}

func (w *world) cookieName() string { return (&page.Site{BaseURL: w.BaseURL}).CookieName() }

func routed(s *Site) http.Handler {
	mux := http.NewServeMux()
	s.Routes(mux)
	return mux
}

// export returns the workspace's file, as the command prints it.
func (w *world) export(slug string) string {
	w.T.Helper()
	p, err := w.Site.Cache.Latest(background, w.id(slug))
	w.Must(err)
	return string(file.Export(&p.Workspace))
}

func (w *world) id(slug string) int64 { w.T.Helper(); return w.WorkspaceID(slug) }
