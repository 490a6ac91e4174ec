package owner

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/identity"
	"slotd/internal/web/owner/access"
	"slotd/internal/web/owner/page"
)

// mailedLink asks for a link and takes it from the mail that would be sent.
func (w *world) mailedLink(email string) string {
	w.T.Helper()
	w.stranger().submit("/login", "email", email, "way", "link").says(200, "we've emailed a sign-in link")
	link := w.lastLink()
	if link == "" {
		w.T.Fatalf("%s was sent no link", email)
	}
	return link
}

// lastLink returns an empty string if there is no mail to send.
func (w *world) lastLink() string {
	w.T.Helper()
	now := w.Clock.Now().UnixMilli()
	// returns each job once
	list, err := w.DB.ClaimJobs(background, []int64{0}, "mail", now, now+24*time.Hour.Milliseconds(), 100)
	w.Must(err)
	if len(list) == 0 {
		return ""
	}
	_, id, _ := strings.Cut(list[len(list)-1].ID, "ticket.")
	t, err := w.Owners.TicketByID(background, id)
	w.Must(err)
	return w.Owners.Path(*t)
}

// withPassword gives the window's owner a password.
func (w *world) withPassword(b *window) *window {
	w.T.Helper()
	b.post("/settings/account/password", "password", "correct horse battery").leads("/settings/account?done=password")
	return b
}

func TestLogin_AStolenCookieIsWorthNothingAfterSigningOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.ada()
		thief := w.stranger()
		thief.cookies[w.cookieName()] = ada.cookies[w.cookieName()]
		thief.get("/settings/account").says(200)
		ada.post("/logout").leads("/login")
		thief.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
		thief.post("/settings/account", "name", "Mallory").says(403, "signed out")
		if len(ada.cookies) != 0 {
			t.Errorf("the browser keeps %v", ada.cookies)
		}
	})
}

func TestLogin_ACookieFromBeforeIsNotTheSession(t *testing.T) {
	w := lite(t)
	w.withPassword(w.ada())
	mallory := w.bo()
	for _, planted := range []string{"planted", mallory.cookies[w.cookieName()]} {
		b := w.stranger()
		b.cookies[w.cookieName()] = planted
		p := b.post("/login", "email", "ada@acme.example", "password", "correct horse battery")
		if p.leads("/settings"); b.cookies[w.cookieName()] == planted {
			t.Errorf("%q is the session now", planted)
		}
	}
	mallory.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
}

func TestLogin_LinksWorkOnceAndNotByOpening(t *testing.T) {
	w := lite(t)
	w.ada()
	link := w.mailedLink("Ada@acme.example")
	for range 2 { // a mail program opens it
		if p := w.stranger().get(link).says(200,
			"You'll sign in as ada@acme.example"); len(p.Header.Values("Set-Cookie")) != 0 {
			t.Error("looking signs in")
		}
	}
	w.stranger().post(link).leads("/settings")
	w.stranger().post(link).says(403, "already used")
	w.stranger().get(link).says(403, "already used")
	late := w.mailedLink("ada@acme.example")
	w.Clock.Advance(30 * time.Minute)
	w.stranger().get(late).says(403, "has expired")
	w.stranger().post(late).says(403, "has expired")
	w.bo().get(w.mailedLink("ada@acme.example")).says(200, "bo@other.example is signed in here")
}

func TestLogin_SignUpOpenMakesANewOwnerClosedNone(t *testing.T) {
	w := lite(t)
	w.stranger().submit("/login", "email", "new@acme.example", "way", "link").says(200, "we've emailed a sign-in link")
	if link := w.lastLink(); link != "" {
		t.Fatal("a stranger was sent a link")
	}
	w.Owners.OpenSignUp = true
	b := w.stranger()
	b.post(w.mailedLink("new@acme.example")).leads("/setup")
	b.get("/setup").leads("/setup/workspace")
}

// Two answers differ only in the address that was typed.
func TestLogin_SameAnswerForKnownAndUnknown(t *testing.T) {
	w := lite(t)
	w.withPassword(w.ada())
	waited := 0
	w.Site.Wait = func(time.Duration) { waited++ }
	for _, way := range []string{"password", "link"} {
		var bodies, headers []string
		for _, email := range []string{"ada@acme.example", "bob@acme.example"} {
			p := w.stranger().post("/login", "email", email, "password", "wrong password", "way", way)
			bodies = append(bodies, fmt.Sprint(p.Status, strings.ReplaceAll(p.Body, email, "ADDRESS")))
			headers = append(headers, fmt.Sprint(p.Header))
		}
		if bodies[0] != bodies[1] {
			t.Errorf("by %s: known:\n%s\nunknown:\n%s", way, bodies[0], bodies[1])
		}
		if headers[0] != headers[1] {
			t.Errorf("by %s: known %s, unknown %s", way, headers[0], headers[1])
		}
	}
	if waited != 4 {
		t.Errorf("waited %d times, want at each answer", waited)
	}
}

func TestLogin_BruteForceIsStoppedAndLogged(t *testing.T) {
	w := lite(t)
	w.withPassword(w.ada())
	w.withPassword(w.bo())
	w.Owners.Limits = identity.NewLimits()
	from := func(address, email, password string) *response {
		r := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader("email="+email+"&password="+password))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.RemoteAddr = address + ":4711"
		return w.stranger().send(r)
	}
	for range 10 {
		from("203.0.113.9", "ada@acme.example", "guess").says(403, "Incorrect email or password")
	}
	p := from("203.0.113.9", "ada@acme.example", "correct+horse+battery").says(429, "Too many attempts")
	if p.Header.Get("Retry-After") == "" || len(p.Header.Values("Set-Cookie")) != 0 {
		t.Errorf("headers %v", p.Header)
	}
	from("203.0.113.9", "bo@other.example", "correct+horse+battery").leads("/settings")
	from("198.51.100.1", "ada@acme.example", "correct+horse+battery").leads("/settings") // she is not locked out
	log := w.Log.String()
	if !strings.Contains(log, "too many tries") || !strings.Contains(log, "wrong password") ||
		strings.Contains(log, "ada@") {
		t.Errorf("the log:\n%s", log)
	}
	if !slices.Contains(w.kinds("acme"), "signed.in.refused") {
		t.Error("ada's workspace is not told")
	}
}

func TestLogin_NeverLeadsAway(t *testing.T) {
	w := lite(t)
	ada := w.withPassword(w.ada())
	for to, want := range map[string]string{
		"/settings/mcp": "/settings/mcp", "/settings/bookings?day=2027-02-01": "/settings/bookings?day=2027-02-01",
		"/setup/hours": "/setup/hours",
		"":             "/settings", "/": "/settings", "//evil.example": "/settings", `/\evil.example`: "/settings",
		`\\evil.example`:                 "/settings",
		"https://evil.example/settings/": "/settings", "https:/settings/x": "/settings", "https:settings": "/settings",
		"javascript:alert(1)": "/settings",
		"/settings/../acme":   "/settings", "/settings/..": "/settings", "/settings/%2e%2e/%2e%2e/evil": "/settings",
		"/settings/%2f%2fevil.example": "/settings",
		"%2f%2fevil.example":           "/settings", "/settings//evil.example": "/settings",
		`/settings/\evil`: "/settings", "/settings/%5cevil": "/settings",
		"/settings@evil.example": "/settings", "/settingsevil": "/settings", "/logout": "/settings",
		"/login": "/settings", " //evil.example": "/settings",
		"/settings/x\r\nSet-Cookie: a=b": "/settings", "/settings/\tx": "/settings", "/settings/\x00": "/settings",
		"/settings/" + strings.Repeat("a", 600): "/settings",
		"http://book.example/settings/x":        "/settings", "/settings/%zz": "/settings",
		"data:text/html,x": "/settings", "///settings/x": "/settings",
	} {
		ada.get("/login?to=" + page.Escape(to)).leads(want) // she has signed in already
		if p := ada.get("/login/again?to=" + page.Escape(to)); access.OrHome(p.typed("to")) != want {
			t.Errorf("%q goes on to %q", to, p.typed("to"))
		}
	}
	for _, to := range []string{"//evil.example", `/\evil.example`, "https://evil.example/settings/",
		"/settings/../acme"} {
		w.stranger().post("/login", "email", "ada@acme.example", "password", "correct horse battery", "to",
			to).leads("/settings")
	}
}
