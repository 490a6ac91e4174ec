package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/test/await"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	background = context.Background()
	monday     = worlds.Monday
)

// testServer is a healthy server with its own database.
type testServer struct {
	*worlds.World
	*Server
}

func eachDB(t *testing.T, test func(t *testing.T, p *testServer)) {
	worlds.Each(t, func(t *testing.T, w *worlds.World) { test(t, newTestServer(w)) })
}

func lite(t *testing.T) *testServer { return newTestServer(worlds.OnSQLite(t)) }

func newTestServer(w *worlds.World) *testServer {
	w.T.Helper()
	p := &testServer{World: w}
	p.Server = &Server{
		DB: w.DB, Keys: w.Keys, Accounts: &accounts.Service{DB: w.DB, Keys: w.Keys},
		Calendars: w.Calendars(w.DB, w.Cache), Sender: fakeSender{}, Now: w.Clock.Now, Log: w.Log.Logger(),
		DataDir: w.T.TempDir(), BaseURL: p.serve("ok\n", w.Clock.Now), Timeout: await.Patience,
	}
	return p
}

// serve starts the server that answers at the base URL.
func (p *testServer) serve(body string, now func() time.Time) (address string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now().UTC().Format(http.TimeFormat))
		w.Write([]byte(body))
	}))
	p.T.Cleanup(s.Close)
	return s.URL
}

// fakeSender is a mail server that accepts the login or returns an error.
type fakeSender struct {
	delivery.Sender
	err    error
	probes *atomic.Int32
}

func (s fakeSender) Probe(context.Context) error {
	if s.probes != nil {
		s.probes.Add(1)
	}
	return s.err
}

func (fakeSender) Send(context.Context, mail.Message) (string, error) {
	panic("the doctor sends no mail")
}

// apply creates a workspace with one event type. change, if not nil, edits it before it is stored.
func (p *testServer) apply(slug string, change func(w *slotd.Workspace)) *snapshot.Config {
	p.T.Helper()
	w := &slotd.Workspace{
		Slug: slug, Name: slug, TimeZone: "UTC", Host: slotd.Host{Name: "Ada", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{"default": {}},
		EventTypes: []slotd.EventType{{Slug: "intro", Title: "Intro", DurationMinutes: 30,
			Location: slotd.Location{Type: slotd.Video}, Schedule: "default", BookingWindowDays: 30}},
	}
	passwords := map[string]string{}
	if change != nil {
		change(w)
	}
	for _, c := range w.Calendars {
		passwords[c.Name] = "s3cr3t"
	}
	_, err := workspace.Put(background, p.Server.DB,
		workspace.Change{Desired: w, Passwords: passwords, Keys: p.Server.Keys, Now: p.Clock.Now()})
	p.Must(err)
	return p.Config(slug)
}

func (p *testServer) examine(configs ...*snapshot.Config) []Check {
	return p.Examine(background, Scope{Workspaces: configs, Network: true})
}

// want fails the test unless the named check has the state and contains the words.
func want(t testing.TB, checks []Check, name say.Sentence, state State, words ...string) {
	t.Helper()
	for _, c := range checks {
		if c.Name != name {
			continue
		}
		if c.State != state {
			t.Errorf("%s is %s, want %s: %s", name, c.State, state, c.Found)
		}
		if (state == Warn || state == Fail) && c.Do == "" {
			t.Errorf("%s does not say what to do: %+v", name, c)
		}
		for _, w := range words {
			if !strings.Contains(c.Found+" "+c.Do, w) {
				t.Errorf("%s does not say %q: %s %s", name, w, c.Found, c.Do)
			}
		}
		return
	}
	t.Errorf("no check %s in %+v", name, checks)
}

func TestExamine_OfAServerThatIsWell(t *testing.T) {
	eachDB(t, func(t *testing.T, p *testServer) {
		checks := p.examine(p.apply("acme", nil))
		for _, c := range checks {
			// The test's clock differs from PostgreSQL's, and its server has no certificate.
			if c.State != OK && c.Name != "clock" && c.Name != "HTTPS" {
				t.Errorf("%+v", c)
			}
			if c.Found == "" || strings.Contains(c.Found+c.Do, p.DataDir) || strings.Contains(c.Found, "secret.key") {
				t.Errorf("%+v", c)
			}
		}
		want(t, checks, "database", OK, "schema", "iB")
		if p.World.Log.String() != "" {
			t.Error(p.World.Log.String())
		}
	})
}

// Opening the page must contact nothing but the database.
func TestExamine_WithoutTheNetworkAsksNobody(t *testing.T) {
	p := lite(t)
	p.BaseURL, p.Sender = "http://127.0.0.1:1", fakeSender{err: errors.New("asked"), probes: &atomic.Int32{}}
	checks := p.Examine(background, Scope{})
	want(t, checks, "base URL", Unknown, "Not checked yet")
	want(t, checks, "mail", Unknown, "Not checked yet")
	if p.Sender.(fakeSender).probes.Load() != 0 {
		t.Error("the mail server was asked")
	}
}

func TestExamine_Network(t *testing.T) {
	p := lite(t)
	p.Sender = fakeSender{err: &delivery.Refused{Reason: "AUTH: 535 no"}, probes: &atomic.Int32{}}
	p.BaseURL = "http://127.0.0.1:1"
	checks := p.examine()
	want(t, checks, "base URL", Warn, "can't be reached", "behind a router")
	want(t, checks, "mail", Fail, "535 no", "slotd mail test")
	want(t, checks, "clock", Unknown, "no other clock", "time service")
	p.examine()
	if n := p.Sender.(fakeSender).probes.Load(); n != 1 {
		t.Errorf("the mail server was asked %d times within ten seconds", n)
	}
	p.Clock.Advance(time.Minute)
	p.Sender = fakeSender{err: errors.New("dial secret-mx:25 10.9.8.7: refused")}
	checks = p.examine()
	want(t, checks, "mail", Fail, "the mail server can't be reached.")
	if output := fmt.Sprint(checks); strings.Contains(output, "secret-mx") || strings.Contains(output, "10.9.8.7") {
		t.Error(output)
	}
	p.Clock.Advance(time.Minute)
	p.BaseURL = p.serve("<html>another site</html>", p.Clock.Now)
	want(t, p.examine(), "base URL", Fail, "Something other than slotd")
	p.Clock.Advance(time.Minute)
	p.BaseURL = "http://no-such-host.invalid"
	want(t, p.examine(), "base URL", Warn, "no-such-host.invalid")
	p.Clock.Advance(time.Minute)
	p.BaseURL = ""
	want(t, p.examine(), "base URL", Warn, "no server has run yet", "--base-url")
	p.ToFiles = true
	want(t, p.examine(), "mail", Warn, "--smtp")
}

// silent is a machine that never answers. It says how long it was asked for.
type silent struct {
	delivery.Sender
	probed, requested time.Duration
}

func (s *silent) Probe(ctx context.Context) error { return hang(ctx, &s.probed) }

func (s *silent) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, hang(r.Context(), &s.requested)
}

func hang(ctx context.Context, waited *time.Duration) error {
	began := time.Now()
	<-ctx.Done()
	*waited = time.Since(began)
	return ctx.Err()
}

// In the synctest bubble, the clock advances only when everybody waits.
func TestExamine_WaitsForOtherMachinesForFiveSecondsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := &silent{}
		s := &Server{Sender: other, Client: &http.Client{Transport: other}, BaseURL: "https://book.example",
			Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		result := s.checkNetwork(background)
		want(t, []Check{result.base, result.mail}, "base URL", Warn, "doesn't answer in time")
		want(t, []Check{result.base, result.mail}, "mail", Fail, "doesn't answer in time")
		if other.probed != 5*time.Second || other.requested != 3*time.Second {
			t.Errorf("waited %v for the mail server and %v for the base URL", other.probed, other.requested)
		}
	})
}

// With SQLite, the server that answers at the base URL is this machine. Its clock agrees with itself even when it is
// wrong.
func TestExamine_TheClockIsComparedWithAnotherMachinesOnly(t *testing.T) {
	eachDB(t, func(t *testing.T, p *testServer) {
		_, other, err := p.Server.DB.Clock(background)
		if err != nil {
			t.Fatal(err)
		}
		if !other {
			want(t, p.examine(), "clock", Unknown, "no other clock", "time service")
			return
		}
		want(t, p.examine(), "clock", Fail, "the database server's", "NTP")
	})
}

func TestExamine_OwnAndForeignAccounts(t *testing.T) {
	p := lite(t)
	paid := p.apply("paid", func(w *slotd.Workspace) {
		w.EventTypes[0].Price = &slotd.Price{AmountCents: 5000,
			Currency: "usd"}
	})
	want(t, p.examine(paid), "payments", Warn, "1 event type has a price", "--stripe-key")
	p.OperatorKeyHidden = true
	want(t, p.examine(paid), "payments", Unknown, "doesn't have it")
	for _, c := range []struct {
		keys  stripe.Keys
		state State
		word  string
	}{
		{stripe.Keys{Secret: "sk_live_abc", Webhook: "whsec_x"}, OK, "live mode"},
		{stripe.Keys{Secret: "rk_test_abc", Webhook: "whsec_x"}, Warn, "no real money"},
		{stripe.Keys{Secret: "sk_live_abc"}, Warn, "no webhook secret"},
	} {
		p.Accounts.OperatorKeys = c.keys
		checks := p.Examine(background, Scope{Workspaces: []*snapshot.Config{paid}, Named: true})
		want(t, checks, "payments of paid", c.state, c.word)
		want(t, checks, "stripe", c.state, c.word)
	}
	p.Must(p.Accounts.Connect(background,
		accounts.Change{Slug: "paid", By: slotd.Operator, Now: monday},
		stripe.Keys{Secret: "sk_test_own", Webhook: "whsec_own"}))
	paid.OwnAccount = true
	want(t, p.examine(paid), "payments", Warn, "own Stripe account", "test mode")
	p.Server.Keys, p.Accounts.Keys = nil, nil
	checks := p.examine(paid)
	want(t, checks, "payments", Fail, "encrypted with another key file")
	for _, c := range checks {
		if strings.Contains(c.Found+c.Do, "sk_") || strings.Contains(c.Found+c.Do, "whsec_") {
			t.Errorf("a key stands in %+v", c)
		}
	}
}
