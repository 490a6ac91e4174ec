package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/server"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// recorder is a router that records its routes.
type recorder struct {
	*http.ServeMux
	patterns []string
}

func (r *recorder) Handle(pattern string, handler http.Handler) {
	r.patterns = append(r.patterns, pattern)
	r.ServeMux.Handle(pattern, handler)
}

// testServer is a server in this process, with everything that a route may name.
type testServer struct {
	t          *testing.T
	s          *server.Server
	deployment *deployment
	router     *recorder
	target     string
	acme       int64
	booking    *slotd.Booking
	token      slotd.Token
	club       int64 // a calendar's id
}

func newTestServer(t *testing.T) *testServer {
	t.Helper()
	pl := onSQLite(t)
	pl.mustApply(acme)
	pl.mustApply(other)
	h := &testServer{t: t, deployment: pl, target: filepath.Join(pl.Data, "slotd.db"),
		router: &recorder{ServeMux: http.NewServeMux()},
		s:      pl.newServer(nil, time.Now, "--base-url", "http://book.example", "--rate-limit", "off")}
	h.s.Owners.Limits = identity.Limits{}
	h.s.Owner.Wait, h.s.Public.Wait = func(time.Duration) {}, func(time.Duration) {}
	h.s.Routes(h.router)
	h.addFixtures()
	return h
}

// newServer builds a server from flags, as serve does, but with a clock of the test. It does not run.
func (pl *deployment) newServer(e env, now func() time.Time, args ...string) *server.Server {
	pl.t.Helper()
	f, log := &serveFlags{}, slog.New(slog.DiscardHandler)
	p := &program{err: io.Discard, out: io.Discard, getenv: e.lookup}
	fs := p.flags("")
	f.define(fs)
	if _, err := fs.ParseArgs(append(append([]string{"--listen", "127.0.0.1:0"}, args...), pl.flags...), 0); err != nil {
		pl.t.Fatal(err)
	}
	listener, err := f.bind(log)
	if err != nil {
		pl.t.Fatal(err)
	}
	listener.Close()
	db, err := f.Open(pl.t.Context())
	if err != nil {
		pl.t.Fatal(err)
	}
	pl.t.Cleanup(func() { db.Close() })
	s, err := newServer(pl.t.Context(), f, db, now, log)
	if err != nil {
		pl.t.Fatal(err)
	}
	pl.t.Cleanup(s.Close)
	return s
}

// addFixtures creates what a route may name.
func (h *testServer) addFixtures() {
	h.t.Helper()
	var err error
	if h.acme, err = workspaceID(h.t.Context(), h.s.DB, "acme"); err != nil {
		h.t.Fatal(err)
	}
	slot := time.Now().Add(72 * time.Hour).UTC().Truncate(time.Hour)
	h.booking, err = h.s.Booking.Create(h.t.Context(), booking.Page(h.acme),
		booking.Request{
			EventType: "intro", StartsAt: slot,
			Attendee: slotd.Attendee{Name: "Grace Guest", Email: "grace@guest.example", TimeZone: "UTC"},
		})
	if err != nil {
		h.t.Fatal(err)
	}
	if _, h.token, err = h.s.Tokens.Create(h.t.Context(), h.acme, "laptop", slotd.Operator); err != nil {
		h.t.Fatal(err)
	}
	h.deployment.mustApply(acme + "calendars:\n  - {name: club, type: google}\n")
	p, err := h.s.Cache.Latest(h.t.Context(), h.acme)
	if err != nil {
		h.t.Fatal(err)
	}
	h.club = p.Calendars[0].ID
	h.signIn("acme", "ada@acme.example")
	err = h.s.DB.InTx(h.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		ada, err := tx.UserByEmail(ctx, "ada@acme.example")
		if err == nil {
			_, err = tx.InsertPasskey(ctx,
				sqlcgen.InsertPasskeyParams{ID: []byte{0, 0, 0}, UserID: ada.ID, Name: "laptop", Credential: "{}"})
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// path replaces the wildcards of a pattern. Only the attendee has a valid link.
func (h *testServer) path(pattern string, r rule, role byte) string {
	if _, path, ok := strings.Cut(pattern, " "); ok {
		pattern = path
	}
	if r.path != "" {
		pattern = r.path
	}
	token := "AAABoeDRPQIAAAAAAAAAABiWU3kaOk6zh9lYeVZRMBM9xiwZSMJX67MAefZizoKG"
	if role == 'a' && r.link != "" {
		token = h.s.Links.Token(r.link, h.acme, h.booking.ID)
	}
	return strings.NewReplacer("{workspace}", "acme", "{event_type}", "intro", "{token}", token, "{id}",
		h.booking.ID.String(),
		"{slug}", "walk", "{name}", "second", "{hash}", "x", "{calendar}", fmt.Sprint(h.club)).Replace(pattern)
}

// signIn signs the owner in and returns the session cookie.
func (h *testServer) signIn(slug, email string) (cookie string) {
	h.t.Helper()
	id, err := workspaceID(h.t.Context(), h.s.DB, slug)
	if err != nil {
		h.t.Fatal(err)
	}
	ticket, err := h.s.Owners.Invite(h.t.Context(), id, email, "", false, slotd.Operator)
	if err != nil {
		h.t.Fatal(err)
	}
	a, err := h.s.Owners.SignInByTicket(h.t.Context(), strings.TrimPrefix(h.s.Owners.Path(ticket), "/login/"), "",
		identity.Client{})
	if err != nil {
		h.t.Fatal(err)
	}
	return a.Cookie
}

func (h *testServer) sessionID(cookie string) string {
	session, err := h.s.Owners.Recognize(h.t.Context(), cookie, identity.Client{})
	if err != nil || session == nil {
		return ""
	}
	return session.ID
}

// ask sends a request in a role. A form names its workspace, as the forms of the pages do.
func (h *testServer) ask(role byte, method, path, form string, headers ...string) *http.Response {
	h.t.Helper()
	r := httptest.NewRequest(method, path, nil)
	workspace, session := "acme", ""
	switch role {
	case 's':
		workspace = "other"
		session = h.signIn("other", "bo@other.example")
	case 'o':
		session = h.signIn("acme", "ada@acme.example")
	}
	if session != "" {
		r.AddCookie(&http.Cookie{Name: "slotd_session", Value: session})
	}
	if method == http.MethodPost {
		r.Body = io.NopCloser(strings.NewReader("workspace=" + workspace + strings.NewReplacer("{workspace}", workspace,
			"{id}", h.token.ID, "{session}", h.sessionID(session)).Replace(form)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	out := httptest.NewRecorder()
	h.router.ServeHTTP(out, r)
	return out.Result()
}

// isAllowed reports whether the response is one for an authorized user. It may be about a mistake in the form.
func isAllowed(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed:
		return false
	}
	return !strings.HasPrefix(answer.Header.Get("Location"), "/login?")
}

// eachRoute calls test for every route of the router.
func (h *testServer) eachRoute(test func(pattern string, r rule)) {
	h.t.Helper()
	if len(h.router.patterns) < 30 {
		h.t.Fatalf("the router has only %d routes", len(h.router.patterns))
	}
	for _, pattern := range h.router.patterns {
		r, ok := allowed[pattern]
		if !ok {
			h.t.Errorf("%s is not in the table: say who may use it", pattern)
			continue
		}
		test(pattern, r)
	}
}

func TestRoutes_LetInOnlyWhoMay(t *testing.T) {
	h := newTestServer(t)
	for _, role := range "nsao" {
		before := h.workspaceRows()
		h.eachRoute(func(pattern string, r rule) {
			for _, m := range [][2]string{{"GET", r.get}, {"HEAD", r.get}, {"PUT"}, {"PATCH"}, {"DELETE"},
				{"POST", r.post}} {
				method, who := m[0], m[1]
				if method == "POST" && r.api {
					continue // has its own tests
				}
				answer := h.ask(byte(role), method, h.path(pattern, r, byte(role)), r.form)
				want := strings.ContainsRune(who, role)
				if got := isAllowed(answer); got != want {
					t.Errorf("%c: %s %s: %d to %q; may: %t", role, method, pattern, answer.StatusCode,
						answer.Header.Get("Location"), want)
				}
				body, _ := io.ReadAll(answer.Body)
				for _, secret := range []string{"grace@guest.example", "Grace Guest"} {
					if strings.ContainsRune("ns", role) && strings.Contains(string(body), secret) {
						t.Errorf("%c: %s %s shows %s", role, method, pattern, secret)
					}
				}
			}
		})
		if after := h.workspaceRows(); strings.ContainsRune("ns", role) && after != before {
			t.Errorf("%c changed what is not theirs:\n%s", role, difference(before, after))
		}
	}
}

func TestRoutes_OpeningAPageChangesNothing(t *testing.T) {
	h := newTestServer(t)
	cookie := h.signIn("acme", "ada@acme.example")
	before := testdb.Dump(t, h.target)
	h.eachRoute(func(pattern string, r rule) {
		for _, method := range []string{"GET", "HEAD"} {
			q := httptest.NewRequest(method, h.path(pattern, r, 'a'), nil)
			q.AddCookie(&http.Cookie{Name: "slotd_session", Value: cookie})
			h.router.ServeHTTP(httptest.NewRecorder(), q)
		}
	})
	if after := testdb.Dump(t, h.target); after != before {
		t.Errorf("something was written:\n%s", difference(before, after))
	}
}

func TestRoutes_RefuseFormsOfOtherSites(t *testing.T) {
	h := newTestServer(t)
	before := h.workspaceRows()
	h.eachRoute(func(pattern string, r rule) {
		if r.post == "" || r.api {
			return
		}
		for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
			role := byte('o')
			if r.link != "" {
				role = 'a'
			}
			if answer := h.ask(role, "POST", h.path(pattern, r, role), r.form,
				headers...); answer.StatusCode != http.StatusForbidden {
				t.Errorf("%s with %v: %d", pattern, headers, answer.StatusCode)
			}
		}
	})
	if after := h.workspaceRows(); withoutActivity(after) != withoutActivity(before) {
		t.Errorf("something was written:\n%s", difference(before, after))
	}
}

// workspaceRows returns the database rows that contain the workspace's id.
func (h *testServer) workspaceRows() string {
	var lines []string
	for line := range strings.SplitSeq(testdb.Dump(h.t, h.target), "\n") {
		if strings.Contains(line, fmt.Sprint(h.acme)) && !strings.HasPrefix(line, "tickets:") &&
			!strings.Contains(line, "ses_") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// withoutActivity removes the rows that record sign-ins.
func withoutActivity(dump string) string {
	var lines []string
	for line := range strings.SplitSeq(dump, "\n") {
		if !strings.HasPrefix(line, "activity:") && !strings.HasPrefix(line, "members:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func difference(before, after string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(after, "\n") {
		if !strings.Contains(before, line) {
			fmt.Fprintln(&out, "+ "+line)
		}
	}
	for line := range strings.SplitSeq(before, "\n") {
		if !strings.Contains(after, line) {
			fmt.Fprintln(&out, "- "+line)
		}
	}
	return out.String()
}
