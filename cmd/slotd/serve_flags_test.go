package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd/internal/web/webtest"
	"slotd/test/harness"
	running "slotd/test/process"
)

func TestServe_RefusesBadValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		exit int
		args []string
	}{
		{2, []string{"--base-url", "https://book.example/path"}},
		{2, []string{"--base-url", "https://book.example/path/"}},
		{2, []string{"--base-url", "book.example"}},
		{2, []string{"--base-url", "ftp://book.example"}},
		{2, []string{"--base-url", "https://"}},
		{2, []string{"--base-url", "https://:8443"}},
		{2, []string{"--base-url", "https://ada:hunter2@book.example"}},
		{2, []string{"--base-url", "https://book.example?x=1"}},
		{2, []string{"--base-url", "https://book.example#x"}},
		{2, []string{"--video-url", "https://meet.example/room"}},
		{2, []string{"--video-url", "meet.example/{room}"}},
		{2, []string{"--video-url", "javascript:{room}"}},
		{2, []string{"--rate-limit", "maybe"}},
		{2, []string{"--rate-reads", "0"}},
		{2, []string{"--rate-reads", "-1"}},
		{2, []string{"--rate-writes", "0"}},
		{2, []string{"--rate-writes", "1.5"}},
		{2, []string{"--trusted-proxies", "proxy.example"}},
		{2, []string{"--trusted-proxies", "10.0.0.0/33"}},
		{2, []string{"--allow-origins", "app.example"}},
		{2, []string{"--allow-origins", "*"}},
		{2, []string{"--allow-origins", "https://app.example/path"}},
		{2, []string{"--log-format", "xml"}},
		{2, []string{"--log-level", "loud"}},
		{2, []string{"--demo=perhaps"}},
		{1, []string{"--metrics-listen", "nowhere"}},
		{1, []string{"--listen", "nowhere"}},
		{1, []string{"--listen", "127.0.0.1:99999"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			pl := onSQLite(t)
			args := append([]string{"serve"}, c.args...)
			if c.args[0] != "--listen" {
				args = append(args, "--listen", "127.0.0.1:0")
			}
			s := start(t, nil, append(args, pl.flags...)...)
			if exit := s.Wait(t); exit != c.exit || s.Out.String() != "" {
				t.Errorf("exit %d, want %d: %s", exit, c.exit, s.Log)
			}
			if name := strings.TrimPrefix(strings.Split(c.args[0], "=")[0], "--"); c.exit == 2 &&
				!strings.Contains(s.Log.String(), name) {
				t.Errorf("%s is not named: %s", name, s.Log)
			}
			if strings.Contains(s.Log.String(), "hunter2") {
				t.Errorf("shows a password: %s", s.Log)
			}
		})
	}
}

func TestServe_RefusesABadClock(t *testing.T) {
	s := start(t, env{"SLOTD_CLOCK_OFFSET": "tomorrow"}, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir())
	if exit := s.Wait(t); exit == 0 || !strings.Contains(s.Log.String(), "SLOTD_CLOCK_OFFSET") {
		t.Errorf("exit %d: %s", exit, s.Log)
	}
}

func TestServe_VideoURLMakesFreshRooms(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(edit(t, acme, `{type: video, url: "https://meet.example/ada"}`, "{type: video}"))
	token := pl.token("acme")
	s := pl.serve(nil, "--video-url", "https://rooms.example/x/{room}?y")
	first, second := s.mustBook(token, "intro", slotIn(2))["join_url"].(string),
		s.mustBook(token, "intro", slotIn(3))["join_url"].(string)
	for _, room := range []string{first, second} {
		if !strings.HasPrefix(room, "https://rooms.example/x/") || !strings.HasSuffix(room, "?y") ||
			strings.Contains(room, "{room}") {
			t.Error(room)
		}
	}
	if first == second {
		t.Errorf("both are %s", first)
	}
}

// listCode returns the code of the error, or "". header alternates names and values.
func (p *process) listCode(header ...string) (failed string) {
	p.t.Helper()
	_, body, _ := p.ask("POST", "/api/mcp", webtest.ToolCall("list_public_event_types", `{"workspace":"acme"}`),
		append(header, "Content-Type", "application/json")...)
	_, failed = readTool(p.t, body)
	return failed
}

// serveAtNoon serves in this process with a clock that stands still, so that no limit is refilled.
func (pl *deployment) serveAtNoon(e env, args ...string) *process {
	pl.t.Helper()
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	s := httptest.NewServer(pl.newServer(e, func() time.Time { return noon }, args...).Routes(http.NewServeMux()))
	pl.t.Cleanup(s.Close)
	inside := &running.Process{Out: &running.Buffer{}, Log: &running.Buffer{}}
	return &process{Process: &harness.Process{Process: inside}, t: pl.t, url: s.URL}
}

// wantTenAtOnce checks that the limit is one request a second, with ten seconds' worth at once.
func wantTenAtOnce(t *testing.T, what string, code func() string) {
	t.Helper()
	var allowed, refused atomic.Int64
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			if code() == "rate_limited" {
				refused.Add(1)
			} else {
				allowed.Add(1)
			}
		})
	}
	all.Wait()
	if allowed.Load() != 10 || refused.Load() != 50 {
		t.Errorf("%s: %d allowed, %d refused, want 10 and 50", what, allowed.Load(), refused.Load())
	}
}

func TestRace_RateFlags(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	reads := pl.serveAtNoon(nil, "--rate-reads", "1")
	wantTenAtOnce(t, "--rate-reads 1", func() string { return reads.listCode() })
	token := pl.token("acme")
	writes := pl.serveAtNoon(nil, "--rate-writes", "1")
	wantTenAtOnce(t, "--rate-writes 1", func() string {
		_, failed := writes.call(token, "cancel_booking", `{"booking_id":"00000000-0000-4000-8000-000000000000"}`)
		return failed
	})
}

func TestServe_RateLimitOff(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	off := pl.serveAtNoon(nil, "--rate-reads", "1", "--rate-limit", "off")
	for range 60 {
		if failed := off.listCode(); failed != "" {
			t.Fatalf("--rate-limit off: %s", failed)
		}
	}
}

func TestRace_TrustedProxiesTellClientsApart(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	var clients atomic.Int32
	forwarded := func(s *process) string { // each time for another client
		n := clients.Add(1)
		return s.listCode("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", n/250, n%250))
	}
	trusting := pl.serveAtNoon(env{"SLOTD_TRUSTED_PROXIES": "10.0.0.0/8\n127.0.0.1/32\n"}, "--rate-reads", "1")
	for i := range 40 {
		if failed := forwarded(trusting); failed != "" {
			t.Fatalf("behind a trusted proxy, client %d of 40: %s", i, failed)
		}
	}
	wary := pl.serveAtNoon(nil, "--rate-reads", "1")
	wantTenAtOnce(t, "a made-up X-Forwarded-For", func() string { return forwarded(wary) })
}

func TestServe_AllowOriginsMayBeGivenMoreThanOnce(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	ask := func(s *process, origin string) int {
		status, _, _ := s.ask("POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Content-Type",
			"application/json", "Origin", origin)
		return status
	}
	for name, s := range map[string]*process{
		"flags": pl.serve(nil, "--base-url", "https://book.example", "--allow-origins", "https://a.example",
			"--allow-origins", "https://b.example"),
		"environment": pl.serve(env{"SLOTD_ALLOW_ORIGINS": "https://a.example\nhttps://b.example"}, "--base-url",
			"https://book.example"),
	} {
		for origin, want := range map[string]int{"https://a.example": 200, "https://b.example": 200,
			"https://book.example": 200, "https://c.example": 403, "http://127.0.0.1:3000": 403} {
			if got := ask(s, origin); got != want {
				t.Errorf("%s: %s: %d, want %d", name, origin, got, want)
			}
		}
	}
	if got := ask(pl.serve(nil), "http://localhost:3000"); got != 200 {
		t.Errorf("a loopback origin at a loopback base URL: %d", got)
	}
}
