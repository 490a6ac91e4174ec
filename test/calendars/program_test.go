package calendars

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd/internal/store/testdb"
)

var binary string // the program under test, built once

// The programs' clocks begin on a Monday morning, whenever the tests are run, so that what is expected can be worked
// out by hand.
var (
	monday = time.Date(2030, 1, 7, 8, 0, 0, 0, time.UTC)
	moved  = time.Until(monday)
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "slotd-calendars-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "slotd")
	if out, err := exec.Command("go", "build", "-o", binary, "slotd/cmd/slotd").CombinedOutput(); err != nil {
		panic(string(out))
	}
	flag.Parse()
	flag.Set("test.parallel", "8") // most of them wait for others most of the time
	code := m.Run()
	testdb.Stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

// lookAtSources has the go command run the tests again when the program has changed: it shows an old result for as long
// as nothing has changed that a test looked at, and cannot know what else the program is built from.
var lookAtSources = sync.OnceFunc(func() {
	for _, room := range []string{"../../cmd", "../../internal"} {
		filepath.WalkDir(room, func(string, fs.DirEntry, error) error { return nil })
	}
	filepath.Glob("../../*.go")
})

// deployment is one database, on which servers come and go.
type deployment struct {
	data string
	env  []string     // settings of all its programs
	late atomic.Int64 // how much later it is than the tests think, in nanoseconds
}

func onSQLite(t *testing.T) *deployment {
	t.Helper()
	lookAtSources()
	return &deployment{data: t.TempDir(),
		env: []string{"SLOTD_ALLOW_NETWORKS=127.0.0.1/32", "DAV_PASSWORD=" + davPassword}}
}

func onPostgres(t *testing.T) *deployment {
	t.Helper()
	d := onSQLite(t)
	d.set("SLOTD_DATABASE", testdb.Postgres(t))
	return d
}

// eachDatabase runs the test with one server on SQLite, and with two on one PostgreSQL.
func eachDatabase(t *testing.T, test func(t *testing.T, d *deployment, servers int)) {
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, onSQLite(t), 1) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, onPostgres(t), 2) })
}

// set changes what programs that start from now on are told.
func (d *deployment) set(name, value string) { d.env = append(d.env, name+"="+value) }

// now is what the deployment's clock shows.
func (d *deployment) now() time.Time { return time.Now().Add(d.ahead()) }

func (d *deployment) ahead() time.Duration { return moved + time.Duration(d.late.Load()) }

// pass lets time pass for programs that start from now on.
func (d *deployment) pass(by time.Duration) { d.late.Add(int64(by)) }

func (d *deployment) program(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = slices.Concat(os.Environ(), d.env,
		[]string{"SLOTD_DATA=" + d.data, "SLOTD_CLOCK_OFFSET=" + d.ahead().String()})
	return cmd
}

// try runs a command and returns all that it said.
func (d *deployment) try(stdin string, args ...string) (said string, err error) {
	cmd := d.program(args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (d *deployment) command(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	said, err := d.try(stdin, args...)
	if err != nil {
		t.Fatalf("slotd %s: %v: %s", strings.Join(args, " "), err, said)
	}
	return said
}

func (d *deployment) apply(t *testing.T, slug, calendars string) (said string) {
	t.Helper()
	return d.command(t, strings.ReplaceAll(workspace, "SLUG", slug)+calendars, "apply", "-f", "-")
}

// office is a workspace with its token.
func (d *deployment) office(t *testing.T, slug, calendars string) office {
	t.Helper()
	d.apply(t, slug, calendars)
	cmd := d.program("token", "create", "--workspace", slug, "--name", "test")
	token, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return office{slug, strings.TrimSpace(string(token))}
}

func (d *deployment) sync(t *testing.T) {
	t.Helper()
	d.command(t, "", "calendar", "sync", "--workspace", "acme")
}

// line is how a calendar is.
type line struct {
	State   string
	Busy    int `json:"busy_times"`
	Error   string
	Warning string
}

func (d *deployment) line(t *testing.T, slug string) line {
	t.Helper()
	var lines []line
	said := d.command(t, "", "calendar", "list", "--workspace", slug, "--json")
	if err := json.Unmarshal([]byte(said), &lines); err != nil || len(lines) != 1 {
		t.Fatalf("%s: %v", said, err)
	}
	return lines[0]
}

type server struct {
	cmd *exec.Cmd
	url string
	log *written
}

// written is what a server says, which a test may read meanwhile.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *written) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *written) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start runs a server and waits until it is ready.
func (d *deployment) start(t *testing.T, args ...string) *server {
	t.Helper()
	addr := testdb.FreeAddr(t)
	s := &server{url: "http://" + addr, log: &written{}}
	s.cmd = d.program(append([]string{"serve", "--listen", addr, "--rate-limit", "off"}, args...)...)
	s.cmd.Stderr = s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	eventually(t, "the server is ready", func() bool {
		r, err := http.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
	return s
}

func (d *deployment) starts(t *testing.T, servers int) (all []*server) {
	t.Helper()
	for range servers {
		all = append(all, d.start(t))
	}
	return all
}

// later ends the server and starts one whose clock is ahead.
func (d *deployment) later(t *testing.T, s *server, by time.Duration, args ...string) *server {
	t.Helper()
	s.kill()
	d.pass(by)
	return d.start(t, args...)
}

func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// patience is far beyond what anything here takes.
const patience = time.Minute

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
