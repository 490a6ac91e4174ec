package harness

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
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
	if out, err := d.Try("", "serve", "--listen", "127.0.0.1:0"); err == nil ||
		!strings.Contains(out, "--log-format is text or json") {
		t.Errorf("a variable of the deployment does not reach the program: %v %s", err, out)
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
	failure string
}

type failed struct{}

func (r *recorder) Helper()                        {}
func (r *recorder) Fatalf(format string, _ ...any) { r.failure = format; panic(failed{}) }

func TestAwaitLog_FailsOnceTheProcessHasEnded(t *testing.T) {
	p := Start(t, OnSQLite(t).Command("no-such-command"))
	r := &recorder{TB: t}
	func() {
		defer func() {
			if got := recover(); got != nil && got != (failed{}) {
				panic(got)
			}
		}()
		p.AwaitLog(r, serves)
	}()
	if !strings.Contains(r.failure, "never printed") {
		t.Errorf("waited for a process that had ended: %q", r.failure)
	}
}
