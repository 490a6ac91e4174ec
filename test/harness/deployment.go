package harness

import (
	"database/sql"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"slotd/internal/store/testdb"
)

// Deployment is one data directory and one database. Tests run commands and servers on it.
type Deployment struct {
	Data     string // data directory
	Database string // address of the PostgreSQL database, or "" for the SQLite file in Data

	t      testing.TB
	env    []string
	offset atomic.Int64 // what the programs' clocks are ahead, in nanoseconds
}

// OnSQLite returns an empty deployment on a SQLite file.
func OnSQLite(t testing.TB) *Deployment {
	t.Helper()
	return &Deployment{t: t, Data: filepath.Join(t.TempDir(), "data")}
}

// OnPostgres returns an empty deployment on a PostgreSQL database.
func OnPostgres(t testing.TB) *Deployment {
	t.Helper()
	d := OnSQLite(t)
	d.Database = testdb.Postgres(t)
	return d
}

// Each runs the test on a SQLite file and on a PostgreSQL database.
func Each(t *testing.T, test func(t *testing.T, d *Deployment)) {
	t.Run("sqlite", func(t *testing.T) { test(t, OnSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, OnPostgres(t)) })
}

// Setenv sets an environment variable for programs that start from now on.
func (d *Deployment) Setenv(name, value string) { d.env = append(d.env, name+"="+value) }

// Now returns the time that the deployment's clock shows.
func (d *Deployment) Now() time.Time { return time.Now().Add(time.Duration(d.offset.Load())) }

// SetClock sets the clock of programs that start from now on.
func (d *Deployment) SetClock(now time.Time) { d.offset.Store(int64(time.Until(now))) }

// AdvanceClock advances the clock of programs that start from now on.
func (d *Deployment) AdvanceClock(by time.Duration) { d.offset.Add(int64(by)) }

// Command returns a command on the deployment.
func (d *Deployment) Command(args ...string) *exec.Cmd {
	d.t.Helper()
	env := append([]string{"SLOTD_DATA=" + d.Data, "SLOTD_CLOCK_OFFSET=" + time.Duration(d.offset.Load()).String()},
		d.env...)
	if d.Database != "" {
		env = append(env, "SLOTD_DATABASE="+d.Database)
	}
	return Command(d.t, env, args...)
}

// Run runs a command and returns what it prints.
func (d *Deployment) Run(t testing.TB, args ...string) string {
	t.Helper()
	return Output(t, d.Command(args...))
}

// Try runs a command that may fail and returns everything that it prints, standard error last, and its exit code.
func (d *Deployment) Try(stdin string, args ...string) (output string, exit int) {
	d.t.Helper()
	cmd := d.Command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	p := run(d.t, cmd)
	return strings.TrimSpace(p.Out.String() + p.Log.String()), p.Exit
}

// Apply applies a workspace file and returns what the command prints.
func (d *Deployment) Apply(t testing.TB, file string) string {
	t.Helper()
	cmd := d.Command("apply", "-f", "-")
	cmd.Stdin = strings.NewReader(file)
	return Output(t, cmd)
}

// Token creates a token of the workspace.
func (d *Deployment) Token(t testing.TB, workspace string) string {
	t.Helper()
	return d.Run(t, "token", "create", "--workspace", workspace, "--name", "test")
}

// DB opens the database, as another process does.
func (d *Deployment) DB(t testing.TB) *sql.DB {
	t.Helper()
	driver, target := "sqlite", filepath.Join(d.Data, "slotd.db")
	if d.Database != "" {
		driver, target = "pgx", d.Database
	}
	db, err := sql.Open(driver, target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Server is a running server.
type Server struct {
	*Process
	URL string // without a slash at the end
}

var serves = regexp.MustCompile(`slotd serves.*\blisten"?[=:]"?([^\s"]+:\d+)`)

// Serve starts a server without rate limits and waits until it serves. The last of two equal flags counts, so the
// arguments may say otherwise.
func (d *Deployment) Serve(t testing.TB, args ...string) *Server {
	t.Helper()
	return d.ServeAt(t, testdb.FreeAddr(t), args...)
}

// ServeAt is like Serve, for a test that must know the address before.
func (d *Deployment) ServeAt(t testing.TB, addr string, args ...string) *Server {
	t.Helper()
	p := Start(t, d.Command(append([]string{"serve", "--listen", addr, "--rate-limit", "off"}, args...)...))
	return &Server{p, "http://" + p.AwaitServing(t)}
}

// RestartLater kills the server and starts another one whose clock is ahead by that much.
func (d *Deployment) RestartLater(t testing.TB, s *Server, by time.Duration, args ...string) *Server {
	t.Helper()
	s.Kill()
	d.AdvanceClock(by)
	return d.Serve(t, args...)
}
