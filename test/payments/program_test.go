package payments

import (
	"bytes"
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

	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
)

var binary string // the program under test, built once

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "slotd-payments-")
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

// deployment is one database with its Stripe account, on which the tests start and stop servers.
type deployment struct {
	data   string
	stripe *stripetest.Stripe
	env    []string     // environment variables of all its programs
	offset atomic.Int64 // clock offset in nanoseconds
}

func onSQLite(t *testing.T) *deployment {
	t.Helper()
	trackSources()
	d := &deployment{data: t.TempDir(), stripe: stripetest.Start(t)}
	d.stripe.Now = d.now
	d.set("SLOTD_STRIPE_KEY", d.stripe.Key)
	d.set("SLOTD_STRIPE_WEBHOOK_SECRET", d.stripe.Secret)
	d.set("SLOTD_STRIPE_API", d.stripe.URL)
	return d
}

func onPostgres(t *testing.T) *deployment {
	t.Helper()
	d := onSQLite(t)
	d.set("SLOTD_DATABASE", testdb.Postgres(t))
	return d
}

// set sets an environment variable for programs that start from now on.
func (d *deployment) set(name, value string) { d.env = append(d.env, name+"="+value) }

// now returns the time that the deployment's clock shows.
func (d *deployment) now() time.Time { return time.Now().Add(d.clockOffset()) }

func (d *deployment) clockOffset() time.Duration { return time.Duration(d.offset.Load()) }

// advanceClock moves the clock of programs that start from now on.
func (d *deployment) advanceClock(by time.Duration) { d.offset.Add(int64(by)) }

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

type server struct {
	cmd  *exec.Cmd
	url  string
	log  *logBuffer
	kill func()
}

// logBuffer is a server's output, which a test may read while the server runs.
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
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.kill = sync.OnceFunc(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	})
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

// restartLater kills the server and starts another one whose clock is ahead by that much.
func (d *deployment) restartLater(t *testing.T, s *server, by time.Duration, args ...string) *server {
	t.Helper()
	s.kill()
	d.advanceClock(by)
	return d.start(t, args...)
}

// timeout is far longer than anything here takes.
const timeout = 3 * time.Minute

// eventually polls until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	poll(t, 20*time.Millisecond, what, holds)
}

// eventuallyByCommand is like eventually, for a condition that runs a command. It polls less often, because the
// commands would slow down the server.
func eventuallyByCommand(t *testing.T, what string, holds func() bool) {
	t.Helper()
	poll(t, 200*time.Millisecond, what, holds)
}

func poll(t *testing.T, every time.Duration, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); !holds(); time.Sleep(every) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", timeout, what)
		}
	}
}
