package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/test/await"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

// monday is when the clock starts.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

var aBooking = uuid.MustParse("0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e")

// logLines collects log lines. The text handler of slog calls Write once per line.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *logLines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
	return len(line), nil
}

func (l *logLines) count(part string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// world is a database with the workspaces 1 (w1) and 2 (w2), and what its servers share in a test.
type world struct {
	t      *testing.T
	target string
	db     *store.DB
	raw    *sql.DB
	clock  *testdb.Clock
	log    *logLines
}

// each runs the test on both databases, with no jobs in them.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, onPostgres(t)) })
}

func onSQLite(t *testing.T) *world { return newWorld(t, testdb.SQLite(t)) }

// onPostgres reuses one database for all tests and empties it: creating a new one takes PostgreSQL longer than most
// of these tests.
func onPostgres(t *testing.T) *world {
	t.Helper()
	if postgres == "" {
		postgres = testdb.Postgres(t)
	}
	return newWorld(t, postgres)
}

var postgres string

func newWorld(t *testing.T, target string) *world {
	t.Helper()
	w := &world{t: t, target: target, db: testdb.Open(t, target), clock: testdb.NewClock(monday), log: &logLines{}}
	driver := "sqlite"
	if w.db.IsPostgres() {
		driver = "pgx"
	}
	var err error
	w.raw, err = sql.Open(driver, target)
	w.must(err)
	t.Cleanup(func() { w.raw.Close() })
	w.exec("DELETE FROM jobs")
	w.exec("DELETE FROM workspaces")
	w.inTx(func(ctx context.Context, tx *store.Tx) error {
		for id := int64(1); id <= 2; id++ {
			w.must(tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: id, Slug: fmt.Sprint("w", id)}))
		}
		return nil
	})
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) inTx(fn func(context.Context, *store.Tx) error) {
	w.t.Helper()
	w.must(w.db.InTx(background, fn))
}

// exec runs a statement that no part of the program would.
func (w *world) exec(statement string) {
	w.t.Helper()
	_, err := w.raw.ExecContext(background, statement)
	w.must(err)
}

// job returns a job of workspace 1 that is due now.
func (w *world) job(id string) Job {
	now := w.clock.Now()
	return Job{WorkspaceID: 1, ID: id, Queue: Mail, Kind: "tell", Booking: aBooking, Detail: "{}", CreatedAt: now,
		DueAt: now}
}

// dueJobs returns n jobs, j000 first.
func (w *world) dueJobs(n int) []Job {
	list := make([]Job, n)
	for i := range list {
		list[i] = w.job(fmt.Sprintf("j%03d", i))
	}
	return list
}

func (w *world) enqueue(list ...Job) {
	w.t.Helper()
	w.inTx(func(ctx context.Context, tx *store.Tx) error { return Enqueue(ctx, tx, list) })
}

// runner returns a runner that handles the kind tell.
func (w *world) runner(tell Handler) *Runner { return w.runnerOn(w.db, tell) }

func (w *world) runnerOn(db *store.DB, tell Handler) *Runner {
	r := New(db, Mail, map[string]Handler{"tell": tell}, w.clock.Now, slog.New(slog.NewTextHandler(w.log, nil)))
	r.writeTimeout = await.Patience
	return r
}

func (w *world) runDue(r *Runner) {
	w.t.Helper()
	w.must(r.RunDue(background))
}

func (w *world) list(failed bool) []Entry {
	w.t.Helper()
	entries, err := List(background, w.db, failed, 1000)
	w.must(err)
	return entries
}

// only returns the one job that is left.
func (w *world) only() Entry {
	w.t.Helper()
	entries := w.list(false)
	if len(entries) != 1 {
		w.t.Fatalf("%d jobs are left, want 1: %+v", len(entries), entries)
	}
	return entries[0]
}

func (w *world) wantNone() {
	w.t.Helper()
	if remaining := w.list(false); len(remaining) > 0 {
		w.t.Errorf("%d jobs are left, among them %+v", len(remaining), remaining[0])
	}
}

func (w *world) wantLogged(n int, part string) {
	w.t.Helper()
	if got := w.log.count(part); got != n {
		w.t.Errorf("%q was logged %d times, want %d: %s", part, got, n, strings.Join(w.log.lines, ""))
	}
}
