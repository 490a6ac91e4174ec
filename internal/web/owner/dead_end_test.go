package owner

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/identity"
	"slotd/test/worlds"
)

func TestNobodyOwnsIt_LoginSaysWhereTheLinkStands(t *testing.T) {
	eachEmpty(t, func(t *testing.T, w *world) {
		p := w.stranger().get("/login").says(200, "This server isn't set up yet", "that slotd serve printed when it started")
		if strings.Contains(p.Body, `class="button"`) || strings.Contains(p.Body, "<form") {
			t.Error("it offers a way that leads nowhere")
		}
		w.stranger().get("/setup").leads("/login?to=%2Fsetup")
		w.Apply(acme)
		w.stranger().get("/login").says(200, "Password")
	})
}

func TestUsedSetupLink_LeadsItsOwnerOn(t *testing.T) {
	w := newWorld(worlds.OnSQLite(t))
	link, err := w.Owners.SetupLink(background)
	w.Must(err)
	b := w.stranger()
	b.submit(link, "name", "Ada", "email", "ada@acme.example", "password",
		"correct horse battery").leads("/setup/workspace")
	for _, p := range []*response{b.get(link),
		b.post(link, "name", "Eve", "email", "eve@acme.example", "password", "correct horse battery")} {
		if p.says(403, "already used", "Go to settings"); !strings.Contains(p.Body, `href="/settings"`) ||
			strings.Contains(p.Body, `href="/login"`) {
			t.Errorf("who has signed in is led to %s", p.Body)
		}
	}
	if p := w.stranger().get(link).says(403, "already used", "Sign in"); !strings.Contains(p.Body, `href="/login"`) {
		t.Error("no way to sign in")
	}
}

// After a form was rejected, it is one step back in the browser, so the link that helps opens another window.
func TestRefusedForms_OfferTheWayOnInAnotherWindow(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.Clock.Advance(2*identity.FreshFor + time.Minute)
	for path, b := range map[string]*window{"/login/again": ada, "/login": w.stranger()} {
		p := b.post("/settings/mcp", "workspace", "acme", "name", "agent").says(403, "What you typed is still there")
		if !strings.Contains(p.Body, `href="`+path+`" target="_blank" rel="noopener"`) ||
			strings.Contains(p.Body, "Go to settings") {
			t.Errorf("%s: %s", path, p.Body)
		}
	}
}

func TestSwitchedWorkspace_TheFormOffersTheWayBack(t *testing.T) {
	w := lite(t)
	carl := w.owner("acme", "carl@acme.example")
	form := carl.get("/settings/look")
	w.owner("other", "carl@acme.example")
	carl.submit("/settings/workspaces", "to", "other").leads("/settings")
	p := carl.fill(form, "/settings/look", "name", "Mine").says(409, "You switched to Other",
		"keeps what you typed", "Switch back to Acme Inc")
	carl.fill(p, "", "to", "acme").leads("/settings")
	carl.fill(form, "/settings/look", "name", "Mine").leads("/settings/look?saved=1")
	for _, slug := range []string{"acme", "no-such", "", "<b>"} { // bo is not offered a switch to what is not his
		if p := w.bo().post("/settings/look", "workspace", slug, "name", "Bo").says(409,
			"another workspace"); strings.Contains(p.Text(), "Switch back") || strings.Contains(p.Body, "<b>") {
			t.Errorf("%q: %s", slug, p.Text())
		}
	}
}

func TestLogin_TooManyTriesKeepTheAddressAndSayHowLong(t *testing.T) {
	w := lite(t)
	w.ada()
	for _, way := range []string{"password", "link"} {
		w.Owners.Limits = identity.NewLimits()
		var p *response
		for range 11 {
			p = w.stranger().post("/login", "email", "ada@acme.example", "password", "guess", "way", way)
		}
		p.says(http.StatusTooManyRequests, "Too many attempts. Please wait ", "link")
		if p.Header.Get("Retry-After") == "" || !strings.Contains(p.Body, `value="ada@acme.example"`) ||
			strings.Contains(p.Body, "Go to settings") {
			t.Errorf("%s: %v %s", way, p.Header, p.Text())
		}
		if known, unknown := p.Text(), w.tried("bob@acme.example", way).Text(); known != unknown {
			t.Errorf("%s: a known address hears %q, an unknown one %q", way, known, unknown)
		}
	}
}

// tried uses up the attempts for an address.
func (w *world) tried(email, way string) (p *response) {
	w.Owners.Limits = identity.NewLimits()
	for range 11 {
		p = w.stranger().post("/login", "email", email, "password", "guess", "way", way)
	}
	return p
}

func TestNoSuchPage_HasTheMenu(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, path := range []string{"/settings/no-such-page", "/settings/hours/default/no/such", "/settings/%3Cb%3E"} {
		if p := ada.get(path).says(404, "Page not found", "Go to settings"); !strings.Contains(p.Body,
			`href="/settings/event-types"`) || strings.Contains(p.Body, "<b>") {
			t.Errorf("%s: %s", path, p.Body)
		}
		ada.post(path, "workspace", "acme").says(405)
	}
	w.stranger().get("/settings/no-such-page?x=1").leads("/login?to=%2Fsettings%2Fno-such-page%3Fx%3D1")
	for from, to := range map[string]string{"/settings/bookings/?state=past": "/settings/bookings?state=past",
		"/settings/hours/default/": "/settings/hours/default"} {
		if p := ada.get(from); p.Status != http.StatusPermanentRedirect || p.Location() != to {
			t.Errorf("%s: %d to %q", from, p.Status, p.Location())
		}
	}
}

func TestAnotherWorkspace_HasAWayBack(t *testing.T) {
	w := lite(t)
	if p := w.ada().get("/setup/workspace").says(200, "Back to your workspaces"); !strings.Contains(p.Body,
		`href="/settings/workspaces"`) {
		t.Error(p.Body)
	}
}
