package doctor

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/store"
)

func TestJudge_Borders(t *testing.T) {
	at := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		about string
		got   Check
		want  State
	}{
		{"no room", judgeDisk(0), Fail},
		{"hardly any", judgeDisk(100<<20 - 1), Fail},
		{"little", judgeDisk(100 << 20), Warn},
		{"nearly enough", judgeDisk(1<<30 - 1), Warn},
		{"enough", judgeDisk(1 << 30), OK},
		{"a clock that agrees", judgeClock(-10 * time.Second), OK},
		{"one that is ahead", judgeClock(11 * time.Second), Warn},
		{"one that is far behind", judgeClock(-6 * time.Minute), Fail},
		{"new rules", judgeZones("2026f", at(2027)), OK},
		{"old rules", judgeZones("2026f", at(2028)), Warn},
		{"no rules", judgeZones("unreadable", at(2028)), Unknown},
		{"none at all", judgeZones("", at(2028)), Unknown},
	} {
		if c.got.State != c.want || c.got.Found == "" || (c.want == Warn || c.want == Fail) && c.got.Do == "" {
			t.Errorf("%s: %+v, want %s", c.about, c.got, c.want)
		}
	}
}

func TestHTTPS_ByTheBaseURL(t *testing.T) {
	for base, state := range map[string]State{
		"https://book.example": OK, "http://book.example": Warn, "http://10.0.0.1:8080": Warn, "https://10.0.0.1": Warn,
		"https://[2001:db8::1]": Warn,
		"http://localhost:8080": Warn, "http://127.0.0.1:8080": Warn, "http://[::1]:8080": Warn, "": Unknown,
		"::": Unknown,
	} {
		want(t, []Check{(&Server{BaseURL: base}).https()}, "HTTPS", state)
	}
}

func TestSettings_ThatAreEasilyForgotten(t *testing.T) {
	checks := (&Server{LimitsOff: true, DebugLog: true, SignUpOpen: true, ClockOffset: time.Hour}).settings()
	want(t, checks, "rate limits", Warn)
	want(t, checks, "log", Warn)
	want(t, checks, "clock offset", Warn, "1h0m0s")
	want(t, checks, "sign-up", OK, "--signup open")
}

func (p *testServer) enqueue(workspaceID int64, id string, queue jobs.Queue, due time.Time) {
	p.T.Helper()
	p.Must(p.Server.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return jobs.Enqueue(ctx, tx, []jobs.Job{{WorkspaceID: workspaceID, ID: id, Queue: queue, Kind: "tell",
			Booking: uuid.New(), CreatedAt: due, DueAt: due}})
	}))
}

// giveUp runs a job that fails permanently.
func (p *testServer) giveUp(queue jobs.Queue) {
	p.T.Helper()
	ctx, cancel := context.WithCancel(background)
	handler := func(context.Context, *jobs.Job) (func(context.Context, *store.Tx) error, error) {
		defer cancel()
		return nil, jobs.Permanent(context.Canceled)
	}
	handlers := map[string]jobs.Handler{"tell": handler}
	jobs.New(p.Server.DB, queue, handlers, p.Clock.Now, p.Server.Log).Run(ctx, background)
}

func TestExamine_FailedAndLateJobs(t *testing.T) {
	eachDB(t, func(t *testing.T, p *testServer) {
		acme, other := p.apply("acme", nil), p.apply("other", nil)
		p.enqueue(acme.WorkspaceID, "a", jobs.Mail, monday)
		p.giveUp(jobs.Mail)
		p.enqueue(other.WorkspaceID, "b", jobs.WriteBack, monday)
		p.Clock.Advance(10 * time.Minute)
		want(t, p.examine(), "late jobs", OK)
		p.Clock.Advance(time.Minute)
		want(t, p.examine(acme), "late jobs", Fail, "write back by 11m")
		want(t, p.examine(acme), "failed jobs", Fail, "1 job on this server has failed")
		want(t, p.examine(acme), "mails", Fail, "1 email couldn't be sent")
		want(t, p.examine(other), "mails", OK)
	})
}

func TestExamine_Calendars(t *testing.T) {
	eachDB(t, func(t *testing.T, p *testServer) {
		acme := p.apply("acme", func(w *slotd.Workspace) {
			w.Calendars = []slotd.Calendar{{Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/",
				Username: "ada", StaleAfterMinutes: 15}}
		})
		other := p.apply("other", nil)
		want(t, p.examine(acme), "calendars", Fail, "“office” has never been read")
		want(t, p.examine(other), "calendars", OK, "No calendar")
		status := func(error string, ago time.Duration) (State, string) {
			all, err := p.Server.Calendars.List(background, acme)
			p.Must(err)
			all[0].ReadAt, all[0].Error = p.Clock.Now().Add(-ago), error
			return p.calendar(&all[0], false)
		}
		for _, c := range []struct {
			error string
			ago   time.Duration
			want  State
		}{{"", time.Minute, OK}, {"the server is down.", time.Minute, Warn}, {"", 16 * time.Minute,
			Fail}, {"the server is down.", 16 * time.Minute, Fail}} {
			if state, text := status(c.error, c.ago); state != c.want {
				t.Errorf("%q %s ago: %s %s", c.error, c.ago, state, text)
			}
		}
		p.Server.Keys = p.NewKeys()
		want(t, p.examine(acme), "calendars", Fail, "encrypted with another key file")
		want(t, p.examine(other), "calendars", OK)
	})
}

// A check that cannot run says so, and the reason appears in the log only.
func TestExamine_WithoutItsDatabase(t *testing.T) {
	p := lite(t)
	acme := p.apply("acme", nil)
	p.Server.DB.Close()
	checks := p.examine(acme)
	for _, name := range []say.Sentence{"database", "jobs", "mails", "calendars"} {
		want(t, checks, name, Unknown, "couldn't run", "log")
	}
	if p.World.Log.String() == "" || Worst(checks) == Fail {
		t.Errorf("%s; %s", Worst(checks), p.World.Log)
	}
}
