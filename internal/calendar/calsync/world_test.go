package calsync

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/test/await"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

// monday is when the clock starts.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// world is a server, a workspace and the calendar "club", which is read from a feed.
type world struct {
	t      testing.TB
	target string
	clock  *testdb.Clock
	raw    *sql.DB
	file   *slotd.Workspace
	feed   *published
	*Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	w := &world{t: t, target: target, clock: testdb.NewClock(monday), feed: newFeed(t)}
	keys, err := seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	w.must(err)
	w.Service = w.server(keys)
	driver := "sqlite"
	if store.IsPostgres(target) {
		driver = "pgx"
	}
	w.raw, err = sql.Open(driver, target)
	w.must(err)
	t.Cleanup(func() { w.raw.Close() })
	w.file = &slotd.Workspace{Slug: "acme", Name: "Acme", TimeZone: "UTC",
		Host:      slotd.Host{Name: "Ada", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{"default": {}}, Calendars: []slotd.Calendar{w.feed.calendar("club")}}
	w.apply()
	return w
}

// server returns one of the servers that share the database.
func (w *world) server(keys *seal.Keys) *Service {
	w.t.Helper()
	db := testdb.Open(w.t, w.target)
	cache, err := snapshot.NewCache(background, db, w.clock.Now)
	w.must(err)
	w.t.Cleanup(cache.Close)
	return &Service{DB: db, Cache: cache, Keys: keys, Client: safehttp.New(loopback), Interval: DefaultInterval,
		LiveTimeout: await.Patience, Now: w.clock.Now, Log: slog.New(slog.DiscardHandler)}
}

func (w *world) apply() {
	w.t.Helper()
	w.applyWith(nil)
}

func (w *world) applyWith(passwords map[string]string) {
	w.t.Helper()
	if problems := workspace.Validate(w.file); len(problems) > 0 {
		w.t.Fatalf("the test's workspace is wrong: %v", problems)
	}
	_, err := workspace.Put(background, w.DB,
		workspace.Change{Desired: w.file, Passwords: passwords, Keys: w.Keys, Now: w.clock.Now()})
	w.must(err)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// config returns the workspace from the database. key returns the ids of one of its calendars.
func (w *world) config() *snapshot.Config {
	w.t.Helper()
	c, err := snapshot.LoadConfig(background, w.DB.Read(), "acme")
	w.must(err)
	return c
}

func (w *world) key(name string) (workspaceID, calendarID int64) {
	w.t.Helper()
	c := w.config()
	at := slices.IndexFunc(c.Calendars, func(cal slotd.Calendar) bool { return cal.Name == name })
	if at < 0 {
		w.t.Fatalf("no calendar %s", name)
	}
	return c.WorkspaceID, c.Calendars[at].ID
}

// read reads the calendar "club". mustRead fails the test if it is unreadable.
func (w *world) read() error { return readBy(w, w.Service) }

func readBy(w *world, s *Service) error {
	workspaceID, id := w.key("club")
	return s.Read(background, workspaceID, id)
}

func (w *world) mustRead() {
	w.t.Helper()
	w.must(w.read())
}

// wantUnreadable reads the calendar and expects an error.
func (w *world) wantUnreadable(kind calendar.Kind) {
	w.t.Helper()
	err := w.read()
	if e := new(calendar.Error); !errors.As(err, &e) || e.Kind != kind {
		w.t.Fatalf("got %v, want an error of kind %d", err, kind)
	}
}

func (w *world) state() sqlcgen.CalendarRead {
	w.t.Helper()
	workspaceID, id := w.key("club")
	row, err := w.DB.Read().CalendarRead(background,
		sqlcgen.CalendarReadParams{WorkspaceID: workspaceID, CalendarID: id})
	w.must(err)
	return row
}

// wantBusy compares the busy times in a server's snapshot: "+1 09:00-10:00" is on Tuesday.
func (w *world) wantBusy(want ...string) {
	w.t.Helper()
	wantBusyBy(w, w.Service, want...)
}

func wantBusyBy(w *world, s *Service, want ...string) {
	w.t.Helper()
	p, err := s.Cache.Latest(background, w.config().WorkspaceID)
	w.must(err)
	var got []string
	for _, span := range p.Busy.Busy() {
		got = append(got, formatSpan(span))
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("busy %q, want %q", got, want)
	}
}

func formatSpan(s slots.Span) string {
	day := int(s.Start.Sub(monday.Truncate(24*time.Hour)) / (24 * time.Hour))
	return fmt.Sprintf("+%d %s-%s", day, s.Start.Format("15:04"), s.End.Format("15:04"))
}

// dump returns everything that is stored about calendars.
func (w *world) dump() string {
	w.t.Helper()
	var out strings.Builder
	for _, table := range []string{"calendars", "calendar_reads", "calendar_items", "calendar_busy", "calendar_entries",
		"workspace_versions"} {
		fmt.Fprintln(&out, table, w.rows("SELECT * FROM "+table+" ORDER BY 1, 2, 3"))
	}
	return out.String()
}

func (w *world) rows(query string) (all [][]any) {
	w.t.Helper()
	rows, err := w.raw.Query(query)
	w.must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.must(err)
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		w.must(rows.Scan(into...))
		all = append(all, row)
	}
	w.must(rows.Err())
	return all
}
