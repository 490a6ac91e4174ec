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

// The programs' clocks start on a Monday morning, whenever the tests run, so that expectations can be worked out by
// hand.
var (
	monday     = time.Date(2030, 1, 7, 8, 0, 0, 0, time.UTC)
	baseOffset = time.Until(monday)
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
	flag.Set("test.parallel", "8") // most tests spend their time waiting
	code := m.Run()
	testdb.Stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

// trackSources makes the go command rerun the tests when the program has changed. The go command reuses a cached
// result until a file changes that a test opened, and it does not know what the program is built from.
var trackSources = sync.OnceFunc(func() {
	for _, dir := range []string{"../../cmd", "../../internal"} {
		filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { return nil })
	}
	filepath.Glob("../../*.go")
})

// deployment is one database, on which the tests start and stop servers.
type deployment struct {
	data        string
	env         []string     // environment variables of all its programs
	extraOffset atomic.Int64 // nanoseconds that advanceClock has added to the clock
}

func onSQLite(t *testing.T) *deployment {
	t.Helper()
	trackSources()
	return &deployment{data: t.TempDir(),
		env: []string{"SLOTD_ALLOW_NETWORKS=127.0.0.1/32", "DAV_PASSWORD=" + davPassword}}
}

func onPostgres(t *testing.T) *deployment {
	t.Helper()
	d := onSQLite(t)
	d.set("SLOTD_DATABASE", testdb.Postgres(t))
	return d
}

// eachDatabase runs the test with one server on SQLite, and with two servers on one PostgreSQL database.
func eachDatabase(t *testing.T, test func(t *testing.T, d *deployment, servers int)) {
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, onSQLite(t), 1) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, onPostgres(t), 2) })
}

// set sets an environment variable for programs that start from now on.
func (d *deployment) set(name, value string) { d.env = append(d.env, name+"="+value) }

// now returns the time that the deployment's clock shows.
func (d *deployment) now() time.Time { return time.Now().Add(d.clockOffset()) }

func (d *deployment) clockOffset() time.Duration {
	return baseOffset + time.Duration(d.extraOffset.Load())
}

// advanceClock moves the clock of programs that start from now on.
func (d *deployment) advanceClock(by time.Duration) { d.extraOffset.Add(int64(by)) }

func (d *deployment) program(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = slices.Concat(os.Environ(), d.env,
		[]string{"SLOTD_DATA=" + d.data, "SLOTD_CLOCK_OFFSET=" + d.clockOffset().String()})
	return cmd
}

// try runs a command and returns everything that it printed.
func (d *deployment) try(stdin string, args ...string) (output string, err error) {
	cmd := d.program(args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (d *deployment) command(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	output, err := d.try(stdin, args...)
	if err != nil {
		t.Fatalf("slotd %s: %v: %s", strings.Join(args, " "), err, output)
	}
	return output
}

func (d *deployment) apply(t *testing.T, slug, calendars string) (output string) {
	t.Helper()
	return d.command(t, strings.ReplaceAll(workspace, "SLUG", slug)+calendars, "apply", "-f", "-")
}

// office applies a workspace file and returns the workspace with a new token.
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

// calendarLine is a calendar's line in the output of calendar list.
type calendarLine struct {
	State   string
	Busy    int `json:"busy_times"`
	Error   string
	Warning string
}

func (d *deployment) listLine(t *testing.T, slug string) calendarLine {
	t.Helper()
	var lines []calendarLine
	output := d.command(t, "", "calendar", "list", "--workspace", slug, "--json")
	if err := json.Unmarshal([]byte(output), &lines); err != nil || len(lines) != 1 {
		t.Fatalf("%s: %v", output, err)
	}
	return lines[0]
}

type server struct {
	cmd *exec.Cmd
	url string
	log *logBuffer
}

// logBuffer is a server's log, which a test may read while the server runs.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start runs a server and waits until it is ready.
func (d *deployment) start(t *testing.T, args ...string) *server {
	t.Helper()
	addr := testdb.FreeAddr(t)
	s := &server{url: "http://" + addr, log: &logBuffer{}}
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

func (d *deployment) startServers(t *testing.T, servers int) (all []*server) {
	t.Helper()
	for range servers {
		all = append(all, d.start(t))
	}
	return all
}

// restartLater kills the server and starts another one whose clock is ahead by that much.
func (d *deployment) restartLater(t *testing.T, s *server, by time.Duration, args ...string) *server {
	t.Helper()
	s.kill()
	d.advanceClock(by)
	return d.start(t, args...)
}

func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// timeout is far longer than anything here takes.
const timeout = time.Minute

// eventually polls until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", timeout, what)
		}
	}
}
