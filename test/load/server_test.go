package load

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"slotd/internal/store/testdb"
)

var binary string // the program under test, built once

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "slotd-load-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "slotd")
	if out, err := exec.Command("go", "build", "-o", binary, "slotd/cmd/slotd").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	testdb.Stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

// deployment is one database, on which the tests start and stop servers.
type deployment struct {
	flags       []string // --data and, on PostgreSQL, --database
	token       string
	smtp        string        // address of the mail server; if empty, mails go to the outbox
	clockOffset time.Duration // clock offset of its programs
}

// eachDeployment runs the test on a SQLite file and on PostgreSQL, with the workspace applied.
func eachDeployment(t *testing.T, workspace string, test func(t *testing.T, d *deployment)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t, workspace)) })
	t.Run("postgres", func(t *testing.T) { test(t, onPostgres(t, workspace)) })
}

func onSQLite(t *testing.T, workspace string) *deployment {
	return deploy(t, workspace, "--data", t.TempDir())
}

func onPostgres(t *testing.T, workspace string) *deployment {
	return deploy(t, workspace, "--data", t.TempDir(), "--database", testdb.Postgres(t))
}

func deploy(t *testing.T, workspace string, flags ...string) *deployment {
	t.Helper()
	d := &deployment{flags: flags}
	d.command(t, workspace, "apply", "-f", "-")
	d.token = d.command(t, "", "token", "create", "--workspace", "acme", "--name", "load")
	return d
}

func (d *deployment) data() string { return d.flags[1] }

// postgres returns the address of the database, or "" if it is a SQLite file.
func (d *deployment) postgres() string {
	if len(d.flags) > 2 {
		return d.flags[3]
	}
	return ""
}

// open opens the database directly.
func (d *deployment) open(t *testing.T) *sql.DB {
	t.Helper()
	driver, target := "sqlite", filepath.Join(d.data(), "slotd.db")
	if d.postgres() != "" {
		driver, target = "pgx", d.postgres()
	}
	db, err := sql.Open(driver, target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (d *deployment) program(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, append(args, d.flags...)...)
	cmd.Env = append(os.Environ(), "SLOTD_CLOCK_OFFSET="+d.clockOffset.String())
	return cmd
}

// now returns the time that the deployment's clock shows.
func (d *deployment) now() time.Time { return time.Now().Add(d.clockOffset) }

func (d *deployment) command(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := d.program(args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("slotd %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

type server struct {
	cmd *exec.Cmd
	url string
	log *bytes.Buffer // complete once the server has exited
}

// start runs a server and waits until it is ready.
func (d *deployment) start(t *testing.T) *server {
	t.Helper()
	addr := testdb.FreeAddr(t)
	s := &server{url: "http://" + addr, log: &bytes.Buffer{}}
	args := []string{"serve", "--listen", addr, "--rate-limit", "off"}
	if d.smtp != "" {
		args = append(args, "--smtp", "smtp://"+d.smtp, "--mail-from", "bookings@acme.example")
	}
	s.cmd = d.program(args...)
	s.cmd.Stderr = s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r, err := http.Get(s.url + "/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return s
			}
		}
	}
	t.Fatalf("not ready after 20 s: %s", s.log)
	return nil
}

func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// timeout is far longer than anything here takes.
const timeout = 2 * time.Minute

// eventually polls until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", timeout, what)
		}
	}
}
