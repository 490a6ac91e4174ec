// Package worlds provides tests with what a server needs: a database of each kind, a clock that tests move, a
// workspace, a calendar, a mailbox. The tests of a package build the part that they test on top of it.
package worlds

import (
	"context"
	"database/sql"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity/links"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
	"slotd/test/await"
	"slotd/test/process"
)

// Addresses of the server, as it tells them to guests.
const (
	BaseURL  = "https://book.example"
	VideoURL = "https://rooms.example/{room}"
)

// Monday is when the clock starts: 2027-02-01 is a Monday, an hour before the offices open.
var Monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

var background = context.Background()

// World is one server's database and what the server keeps of it.
type World struct {
	T      testing.TB
	Target string    // path or address of the database
	DB     *store.DB // the server's
	Writer *store.DB // through which Put writes: DB, or another process's
	Raw    *sql.DB   // the database as another process sees it
	Clock  *testdb.Clock
	Cache  *snapshot.Cache
	Links  *links.Signer
	Keys   *seal.Keys
	Log    *Log
}

// Each runs the test in an empty world on SQLite and in one on PostgreSQL. A short run leaves PostgreSQL out.
func Each(t *testing.T, test func(t *testing.T, w *World)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, New(t, target)) })
}

// OnSQLite returns an empty world, for tests that do not depend on the kind of database.
func OnSQLite(t testing.TB) *World { return New(t, testdb.SQLite(t)) }

// New returns an empty world.
func New(t testing.TB, target string) *World {
	t.Helper()
	w := &World{T: t, Target: target, DB: testdb.Open(t, target), Clock: testdb.NewClock(Monday), Log: &Log{}}
	w.Writer = w.DB
	driver := "sqlite"
	if store.IsPostgres(target) {
		driver = "pgx"
	}
	var err error
	w.Raw, err = sql.Open(driver, target)
	w.Must(err)
	w.Links, err = links.Load(background, w.DB, Monday)
	w.Must(err)
	w.Keys, err = seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	w.Must(err)
	w.Cache = w.NewCache(w.DB)
	t.Cleanup(func() {
		w.Raw.Close()
		if strings.Contains(w.Log.String(), "panic") {
			t.Error(w.Log.String())
		}
	})
	return w
}

// Must ends the test if there is an error.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// Open opens the database again, as another server does.
func (w *World) Open() *store.DB {
	w.T.Helper()
	return testdb.Open(w.T, w.Target)
}

// NewCache returns another server's cache.
func (w *World) NewCache(db *store.DB) *snapshot.Cache {
	w.T.Helper()
	cache, err := snapshot.NewCache(background, db, w.Clock.Now)
	w.Must(err)
	w.T.Cleanup(cache.Close)
	return cache
}

// Calendars returns a service that reads calendars on this machine.
func (w *World) Calendars(db *store.DB, cache *snapshot.Cache) *calsync.Service {
	return &calsync.Service{
		DB: db, Cache: cache, Keys: w.Keys, Links: w.Links, BaseURL: BaseURL,
		Client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Interval: calsync.DefaultInterval,
		LiveTimeout: await.Patience, Now: w.Clock.Now, Log: w.Log.Logger(),
	}
}

// Put writes a workspace.
func (w *World) Put(desired *slotd.Workspace) {
	w.T.Helper()
	w.PutWithPasswords(desired, nil)
}

// PutWithPasswords is like Put, with passwords by the names of their calendars.
func (w *World) PutWithPasswords(desired *slotd.Workspace, passwords map[string]string) {
	w.T.Helper()
	if problems := workspace.Validate(desired); len(problems) > 0 {
		w.T.Fatalf("the test's workspace is wrong: %v", problems)
	}
	_, err := workspace.Put(background, w.Writer,
		workspace.Change{Desired: desired, Passwords: passwords, Keys: w.Keys, Now: w.Clock.Now()})
	w.Must(err)
}

// Apply applies a workspace file, as the command does.
func (w *World) Apply(text string) {
	w.T.Helper()
	file, err := file.Read([]byte(text))
	w.Must(err)
	w.Put(&file.Workspace)
}

// Config returns the workspace as the database has it.
func (w *World) Config(slug string) *snapshot.Config {
	w.T.Helper()
	c, err := snapshot.LoadConfig(background, w.Writer.Read(), slug)
	w.Must(err)
	return c
}

// WorkspaceID returns the id of a workspace.
func (w *World) WorkspaceID(slug string) int64 {
	w.T.Helper()
	id, err := w.DB.Read().WorkspaceIDBySlug(background, slug)
	w.Must(err)
	return id
}

// Dump returns every row of every table.
func (w *World) Dump() string {
	w.T.Helper()
	return testdb.Dump(w.T, w.Target)
}

// Log collects what a server logs. A test may read it meanwhile.
type Log struct{ process.Buffer }

// Logger returns a logger that writes here.
func (l *Log) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }
