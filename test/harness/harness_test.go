package harness

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/test/race"
)

func TestMain(m *testing.M) { Main(m, 4) }

const acme = `
workspace: {slug: acme, name: Acme, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video}}
`

func TestDeployment_ServesWhatItsCommandsWrote(t *testing.T) {
	Each(t, func(t *testing.T, d *Deployment) {
		d.Apply(t, acme)
		token := d.Token(t, "acme")
		if list := d.Run(t, "token", "list", "--workspace", "acme"); !strings.Contains(list, token[len(token)-4:]) {
			t.Errorf("the token is not listed: %s", list)
		}
		s := d.Serve(t)
		response, err := http.Get(s.URL + "/acme")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("the page has status %d", response.StatusCode)
		}
		var n int
		if err := d.DB(t).QueryRow("SELECT COUNT(*) FROM workspaces").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d workspaces: %v", n, err)
		}
	})
}

// A variable like SLOTD_LISTEN of the person who runs the tests would change what the program does.
func TestCommand_HasAnEnvironmentOfItsOwn(t *testing.T) {
	t.Setenv("SLOTD_LOG_FORMAT", "no such format")
	d := OnSQLite(t)
	d.Serve(t)
	d.Setenv("SLOTD_LOG_FORMAT", "no such format")
	if out, exit := d.Try("", "serve", "--listen", "127.0.0.1:0"); exit == 0 ||
		!strings.Contains(out, "--log-format must be text or json") {
		t.Errorf("a variable of the deployment does not reach the program: exit %d, %s", exit, out)
	}
}

func TestClock_OfTheProgramIsTheDeployments(t *testing.T) {
	d := OnSQLite(t)
	d.Apply(t, acme)
	d.SetClock(time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC))
	d.Token(t, "acme")
	if list := d.Run(t, "token", "list", "--workspace", "acme"); !strings.Contains(list, "2031-05-01") {
		t.Errorf("the token was not made then: %s", list)
	}
	if at := d.Now(); at.Year() != 2031 || at.Month() != time.May {
		t.Errorf("the deployment's clock shows %v", at)
	}
}

func TestServer_IsStoppedAndKilled(t *testing.T) {
	d := OnSQLite(t)
	s := d.Serve(t)
	s.Terminate(t)
	if exit := s.Wait(t); exit != 0 {
		t.Errorf("exit %d", exit)
	}
	s.AwaitLog(t, regexp.MustCompile(`slotd has stopped`)) // also after its end
	s = d.RestartLater(t, s, time.Hour)
	s.Kill()
	s.Kill()
	if exit := s.Wait(t); exit != -1 {
		t.Errorf("killed, but exit %d", exit)
	}
}

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	failure  string
	cleanups []func()
}

type failed struct{}

func (r *recorder) Helper()                        {}
func (r *recorder) Failed() bool                   { return r.failure != "" }
func (r *recorder) Errorf(format string, _ ...any) { r.failure = format }
func (r *recorder) Fatalf(format string, _ ...any) { r.failure = format; panic(failed{}) }
func (r *recorder) Cleanup(f func())               { r.cleanups = append(r.cleanups, f) }

func (r *recorder) run(test func(t testing.TB)) {
	defer func() {
		if got := recover(); got != nil && got != (failed{}) {
			panic(got)
		}
	}()
	test(r)
	for len(r.cleanups) > 0 {
		last := r.cleanups[len(r.cleanups)-1]
		r.cleanups = r.cleanups[:len(r.cleanups)-1]
		last()
	}
}

func TestAwaitLog_FailsOnceTheProcessHasEnded(t *testing.T) {
	p := Start(t, OnSQLite(t).Command("no-such-command"))
	r := &recorder{TB: t}
	r.run(func(t testing.TB) { p.AwaitLog(t, serves) })
	if !strings.Contains(r.failure, "never printed") {
		t.Errorf("waited for a process that had ended: %q", r.failure)
	}
	p.Wait(t)
}

// A test may find what it looks for in a program that is broken.
func TestStart_NoticesWhatTheTestDoesNot(t *testing.T) {
	for name, c := range map[string]struct{ script, failure string }{
		"a race":       {"echo WARNING: DATA RACE >&2; exec sleep 1000", "data race"},
		"a panic":      {"echo level=ERROR msg=panicked >&2; exec sleep 1000", "panicked"},
		"an early end": {"echo >&2; exit 1", "ended with"},
		"nothing":      {"echo >&2; exec sleep 1000", ""},
	} {
		r := &recorder{TB: t}
		r.run(func(t testing.TB) {
			p := Start(t, exec.Command("sh", "-c", c.script))
			p.AwaitLog(t, regexp.MustCompile(`\n`))
			if name == "an early end" {
				<-p.Ended
			}
		})
		if c.failure == "" && r.failure != "" || !strings.Contains(r.failure, c.failure) {
			t.Errorf("%s: the test fails with %q", name, r.failure)
		}
	}
}

func TestProgram_HasTheDetectorIfTheTestsHave(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := checkDetector(self); err != nil { // the tests themselves are built alike
		t.Error(err)
	}
	source, plain := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(source, []byte("package main\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-race=false", "-o", plain, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := checkDetector(plain); (err != nil) != race.Enabled {
		t.Errorf("a program without the detector: %v", err)
	}
}
