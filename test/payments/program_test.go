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
	flag.Set("test.parallel", "8") // most of them wait for others most of the time
	code := m.Run()
	testdb.Stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

// lookAtSources has the go command run the tests again when the program has changed: it shows an old result for as
// long as nothing has changed that a test looked at, and cannot know what else the program is built from.
var lookAtSources = sync.OnceFunc(func() {
	for _, room := range []string{"../../cmd", "../../internal"} {
		filepath.WalkDir(room, func(string, fs.DirEntry, error) error { return nil })
	}
	filepath.Glob("../../*.go")
})

// deployment is one database with its account at Stripe, on which servers come and go.
type deployment struct {
	data   string
	stripe *stripetest.Stripe
	env    []string     // settings of all its programs
	late   atomic.Int64 // how much later it is than outside, in nanoseconds
}

func onSQLite(t *testing.T) *deployment {
	t.Helper()
	lookAtSources()
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

// set changes what programs that start from now on are told.
func (d *deployment) set(name, value string) { d.env = append(d.env, name+"="+value) }

// now is what the deployment's clock shows.
func (d *deployment) now() time.Time { return time.Now().Add(d.ahead()) }

func (d *deployment) ahead() time.Duration { return time.Duration(d.late.Load()) }

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

type server struct {
	cmd  *exec.Cmd
	url  string
	log  *written
	kill func()
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

// later ends the server and starts one whose clock is ahead.
func (d *deployment) later(t *testing.T, s *server, by time.Duration, args ...string) *server {
	t.Helper()
	s.kill()
	d.pass(by)
	return d.start(t, args...)
}

// patience is far beyond what anything here takes.
const patience = 3 * time.Minute

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	poll(t, 20*time.Millisecond, what, holds)
}

// commandsSay is eventually for what a command has to be run for: to start one after the other would slow down what
// is waited for.
func commandsSay(t *testing.T, what string, holds func() bool) {
	t.Helper()
	poll(t, 200*time.Millisecond, what, holds)
}

func poll(t *testing.T, every time.Duration, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(every) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
