package owner

import (
	"net/http"
	"strings"
	"testing"

	"slotd"

	"slotd/internal/identity"
	"slotd/internal/web/owner/page"
)

func TestCookie_IsForThisHostAloneAndNoScript(t *testing.T) {
	for base, want := range map[string]struct {
		name   string
		secure bool
	}{
		"https://book.example":  {"__Host-slotd_session", true},
		"http://localhost:8080": {"slotd_session", false},
	} {
		w := lite(t)
		w.BaseURL = base
		b := w.stranger()
		invited, err := w.Owners.Invite(background, w.id("acme"), "ada@acme.example", "", false, slotd.Operator)
		w.Must(err)
		p := b.post(w.Owners.Path(invited))
		cookies := map[string]*http.Cookie{}
		for _, c := range (&http.Response{Header: p.Header}).Cookies() {
			cookies[c.Name] = c
		}
		c := cookies[want.name]
		if c == nil || c.Secure != want.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
			c.Domain != "" || c.MaxAge != 30*24*3600 {
			t.Errorf("%s: %v", base, p.Header.Values("Set-Cookie"))
		}
		if hint := cookies[page.HintCookie]; hint == nil || hint.Value != "1" || hint.Secure != want.secure {
			t.Errorf("%s: the hint is %v", base, hint)
		}
		for _, line := range b.post("/logout").Header.Values("Set-Cookie") {
			if !strings.Contains(line, "Max-Age=0") {
				t.Errorf("%s: signing out leaves %s", base, line)
			}
		}
	}
}

// Where the __Host- prefix protects the real cookie, a cookie that another host of the same site can set must not
// count.
func TestCookie_ThePlainNameCountsForNothingUnderHTTPS(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	b := w.stranger()
	b.cookies["slotd_session"] = ada.cookies["__Host-slotd_session"]
	b.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
}

func TestBrowser_SaysAFewWordsWhateverTheHeader(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0": "Firefox on Linux",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 " +
			"Safari/604.1": "Safari on iPhone",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 " +
			"Safari/537.36 Edg/130.0.0.0": "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36": "Chrome on Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 " +
			"Safari/537.36 OPR/115.0.0.0": "Opera on macOS",
		"curl/8.5.0": "curl", "": "A browser", "<script>alert(1)</script>": "A browser",
		strings.Repeat("x", 100_000): "A browser",
	} {
		if got := page.Browser(agent); got != want {
			t.Errorf("%.40q is %q, want %q", agent, got, want)
		}
	}
}

// The form may have been open for a while, so a POST is accepted for twice as long as a GET.
func TestFresh_ASignInLastsHalfAnHourForWhatMatters(t *testing.T) {
	w := lite(t)
	opened, sent := 0, 0
	mux := http.NewServeMux()
	site := &page.Site{Owners: w.Owners, Workspaces: w.Workspaces, Cache: w.Site.Cache, Clock: w.Now,
		BaseURL: w.BaseURL, Guard: w.Guard}
	page.Add(mux, site, nil, []page.Route[page.Visit]{page.At("/settings/secret", page.Fresh,
		func(v *page.Visit) error { opened++; return v.Redirect("/settings/opened") },
		func(v *page.Visit) error { sent++; return v.Redirect("/settings/sent") })},
		func(v *page.Visit) *page.Visit { return v })
	ada := w.ada()
	ada.pages = mux
	ada.get("/settings/secret").leads("/settings/opened")
	w.Clock.Advance(identity.FreshFor)
	ada.get("/settings/secret?x=1").leads("/login/again?to=%2Fsettings%2Fsecret%3Fx%3D1")
	ada.post("/settings/secret", "workspace", "acme").leads("/settings/sent")
	ada.post("/settings/secret", "workspace", "other").says(409, "another workspace")
	w.Clock.Advance(identity.FreshFor)
	ada.post("/settings/secret", "workspace", "acme").says(403, "Please sign in again")
	if opened != 1 || sent != 1 {
		t.Errorf("opened %d times, sent %d times", opened, sent)
	}
	ada.pages = w.pages
	ada.post(w.mailedLink("ada@acme.example")).leads("/settings")
	ada.pages = mux
	ada.get("/settings/secret").leads("/settings/opened")
}
