package owner

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/web/webtest"
)

var tokenShape = regexp.MustCompile(`slotd_mcp_[0-9A-Za-z]{49}`)

// mint creates a token on the page and returns its plaintext.
func (b *window) mint(name string) string {
	b.w.T.Helper()
	p := b.submit("/settings/mcp", "name", name, "once", strings.Repeat("x", 20)+name).says(200,
		"You won't see it again")
	plaintext := tokenShape.FindString(p.Body)
	if plaintext == "" {
		b.w.T.Fatalf("no token on the page: %s", p.Text())
	}
	return plaintext
}

// books returns the code of the endpoint's error, or "ok".
func books(t *testing.T, s *Site, token, slot string) string {
	t.Helper()
	r := webtest.Call(t, s.Endpoint, token, "create_booking",
		webtest.BookingArguments("intro", slot, "grace@example.com"))
	if r.Failure == nil {
		return "ok"
	}
	return r.Failure["code"].(string)
}

func (w *world) tokens(slug string) []slotd.Token {
	w.T.Helper()
	list, err := w.Tokens.List(background, w.id(slug))
	w.Must(err)
	return list
}

// notedAs returns the details of a workspace's activity of one kind, newest first.
func (w *world) notedAs(slug, kind string) (details []string) {
	w.T.Helper()
	rows, err := w.DB.Read().ActivityBefore(background,
		sqlcgen.ActivityBeforeParams{WorkspaceID: w.id(slug), At: 1 << 60, Limit: 1000})
	w.Must(err)
	for _, row := range rows {
		if row.Kind == kind {
			details = append(details, row.Actor+" "+row.Detail)
		}
	}
	return details
}

func TestToken_WorksAtOnceAndIsRevokedAtOnceOnEveryServer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		elsewhere := w.newSite(w.NewCache(w.DB))
		ada := w.ada()
		token := ada.mint("laptop")
		if got := books(t, elsewhere, token, "2027-02-02T10:00:00Z"); got != "ok" {
			t.Fatalf("another server says %s", got)
		}
		if got := books(t, w.Site, token, "2027-02-02T11:00:00Z"); got != "ok" {
			t.Fatalf("this server says %s", got)
		}
		made := w.tokens("acme")[0]
		ada.get("/settings/mcp").says(200, "laptop", "…"+made.LastFour, "Last used Mon 1 Feb 2027, 08:00")
		there := &window{w, routed(elsewhere), ada.cookies}
		there.submit("/settings/mcp", "id", made.ID).leads("/settings/mcp?revoked=1")
		for _, s := range []*Site{w.Site, elsewhere} {
			if got := books(t, s, token, "2027-02-02T12:00:00Z"); got != "unauthorized" {
				t.Errorf("a revoked token: %s", got)
			}
		}
		ada.get("/settings/mcp?revoked=1").says(200, "The token was revoked.", "No tokens yet")
		for _, kind := range []string{"token.created", "token.revoked"} {
			if got := w.notedAs("acme", kind); len(got) != 1 || !strings.HasPrefix(got[0], "user:") ||
				!strings.HasSuffix(got[0], made.ID+" laptop") {
				t.Errorf("%s: %q", kind, got)
			}
		}
	})
}

func TestToken_IsShownOnceAndKeptNowhere(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	p := ada.submit("/settings/mcp", "name", "laptop").says(200, "Token laptop")
	token := tokenShape.FindString(p.Body)
	if p.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a cache may keep the token: %v", p.Header)
	}
	if n := strings.Count(p.Body, token); n < 5 {
		t.Errorf("the token stands in %d places: the snippets are not filled in", n)
	}
	again := ada.get("/settings/mcp")
	if strings.Contains(again.Body, token[10:40]) || strings.Contains(w.Log.String(), token[10:40]) {
		t.Error("the token is shown again")
	}
	again.says(200, "slotd_mcp_…", "Never used")
}

func TestToken_AFormThatIsSentAgainMintsNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.ada()
		there := &window{w, routed(w.newSite(w.NewCache(w.DB))), ada.cookies}
		form := url.Values{"workspace": {"acme"}, "name": {"laptop"}, "once": {"a-random-text-of-the-page"}}
		ada.postForm("/settings/mcp", form).says(200, "You won't see it again")
		for _, b := range []*window{ada, there} {
			if p := b.postForm("/settings/mcp", form).says(409, "already sent"); tokenShape.MatchString(p.Body) {
				t.Error("a second token is shown")
			}
		}
		if got := w.tokens("acme"); len(got) != 1 {
			t.Fatalf("%d tokens", len(got))
		}
		ada.submit("/settings/mcp", "id", w.tokens("acme")[0].ID).leads("/settings/mcp?revoked=1")
		ada.postForm("/settings/mcp", form).says(409)
		if got := w.notedAs("acme", "token.created"); len(w.tokens("acme")) != 0 || len(got) != 1 {
			t.Errorf("after revoking it came back: %q", got)
		}
		form.Set("name", "phone")
		ada.postForm("/settings/mcp", form).says(200, "Token phone")
		bo := w.bo()
		bo.postForm("/settings/mcp", url.Values{"workspace": {"other"}, "name": {"laptop"},
			"once": form["once"]}).says(200, "Token laptop")
	})
}

func TestToken_NamesAreJudgedAndKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, c := range []struct{ name, reason string }{
		{"", "must not be empty"}, {strings.Repeat("x", 201), "at most 200"}, {"two\nlines", "one line"},
		{"esc\x1b[31m", "control characters"}, {"null\x00", "control characters"},
	} {
		ada.submit("/settings/mcp", "name", c.name).says(422, c.reason)
	}
	ada.post("/settings/mcp", "workspace", "acme", "name", "laptop").says(422, "send it again")
	ada.post("/settings/mcp", "workspace", "acme", "name", "laptop", "once", strings.Repeat("x", 101)).says(422)
	if got := w.tokens("acme"); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	hostile := `"><script>alert(1)</script>'` + "\u202e{{.}}"
	ada.submit("/settings/mcp", "name", hostile).says(200, hostile)
	if p := ada.get("/settings/mcp").says(200, hostile); strings.Contains(p.Body, "<script>alert") {
		t.Error("a name runs")
	}
}

func TestToken_ThereAreAHundredAtMost(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for range identity.MaxTokens {
		_, _, err := w.Tokens.Create(background, w.id("acme"), "many", slotd.Operator)
		w.Must(err)
	}
	ada.submit("/settings/mcp", "name", "one more").says(422, "There are 100 tokens", "Revoke one")
	ada.submit("/settings/mcp", "id", w.tokens("acme")[0].ID).leads("/settings/mcp?revoked=1")
	ada.submit("/settings/mcp", "name", "one more").says(200, "Token one more")
}

func TestToken_AnotherWorkspacesIsNobodysBusiness(t *testing.T) {
	w := lite(t)
	token := w.ada().mint("laptop")
	id := w.tokens("acme")[0].ID
	bo := w.bo()
	bo.post("/settings/mcp/revoke", "workspace", "other", "id", id).leads("/settings/mcp?revoked=1")
	bo.post("/settings/mcp/revoke", "workspace", "acme", "id", id).says(409)
	for _, wrong := range []string{"", "tok_", "' OR 1=1 --", "%"} {
		bo.post("/settings/mcp/revoke", "workspace", "other", "id", wrong).leads("/settings/mcp?revoked=1")
	}
	if p := bo.get("/settings/mcp"); strings.Contains(p.Text(), "laptop") {
		t.Error("bo sees acme's token")
	}
	if got := books(t, w.Site, token, "2027-02-02T10:00:00Z"); got != "ok" {
		t.Errorf("bo has revoked it: %s", got)
	}
}

func TestToken_AsksForAFreshSignIn(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	p := ada.get("/settings/mcp").says(200)
	w.Clock.Advance(31 * time.Minute)
	ada.get("/settings/mcp").leads("/login/again?to=%2Fsettings%2Fmcp")
	w.Clock.Advance(30 * time.Minute)
	ada.fill(p, "/settings/mcp", "name", "late").says(403, "Please sign in again")
	ada.post("/settings/mcp/revoke", "workspace", "acme", "id", "tok_x").says(403)
	if len(w.tokens("acme")) != 0 {
		t.Error("it was made")
	}
	ada.get("/settings/mcp/revoke").says(405)
}
