package owner

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/identity"
	"slotd/internal/store/sqlcgen"
)

// kinds returns the kinds of the workspace's activity, newest first.
func (w *world) kinds(slug string) (kinds []string) {
	w.T.Helper()
	rows, err := w.DB.Read().ActivityBefore(background,
		sqlcgen.ActivityBeforeParams{WorkspaceID: w.id(slug), At: w.Clock.Now().UnixMilli() + 1, Limit: 100})
	w.Must(err)
	for _, row := range rows {
		kinds = append(kinds, row.Kind)
	}
	return kinds
}

// isOf fails unless the page shows this owner's account.
func (p *response) isOf(email string) *response {
	p.T.Helper()
	if p.says(http.StatusOK, "Your account"); !strings.Contains(p.Body, `value="`+email+`" type="email" readonly`) {
		p.T.Errorf("not the account of %s: %s", email, p.Body)
	}
	return p
}

// homeless returns the window of somebody who has signed in and has no workspace.
func (w *world) homeless(email string) *window {
	w.T.Helper()
	w.Owners.OpenSignUp = true
	b := w.stranger()
	b.post(w.mailedLink(email)).leads("/setup")
	return b
}

func TestAccount_WorksWithoutAWorkspace(t *testing.T) {
	w := lite(t)
	b := w.homeless("new@acme.example")
	b.get("/settings/account").says(200, "Your account", "You have no password", "this session", "Times are in UTC")
	b.submit("/settings/account", "name", "New Owner").leads("/settings/account?done=name")
	b.submit("/settings/account", "password", "correct horse battery").leads("/settings/account?done=password")
	b.get("/settings/account?done=password").says(200, "Your password was saved")
}

func TestAccount_NamesAreKeptAsTyped(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for name, status := range map[string]int{
		"Ada Park": 303, "<script>alert(1)</script>": 303, `"><img src=x onerror=alert(1)>`: 303, "שלום": 303,
		"👩‍🚀 Ada": 303,
		"":        422, "bell\a": 422, "new\nline": 422, strings.Repeat("a", 201): 422, "{{.Email}}": 303,
	} {
		p := ada.post("/settings/account", "name", name)
		if p.Status != status {
			t.Errorf("%.30q: %d, want %d", name, p.Status, status)
			continue
		}
		if p.Status == 303 {
			p = ada.get("/settings/account")
		}
		if typed := p.typed("name"); typed != name && !strings.ContainsAny(name, "\n") {
			t.Errorf("%.30q is shown as %.30q", name, typed)
		}
		if strings.Contains(p.Body, "<script>alert") || strings.Contains(p.Body, "<img") {
			t.Errorf("%q is not escaped", name)
		}
	}
}

func TestAccount_SaysOnlyWhatItKnows(t *testing.T) {
	w := lite(t)
	p := w.ada().get("/settings/account?done=Call+0900+now&saved=1")
	if p.says(200); strings.Contains(p.Body, "0900") || strings.Contains(p.Body, `class="saved"`) {
		t.Error("the address puts words on the page")
	}
}

func TestAccount_PasswordIsSetChangedAndRemoved(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit("/settings/account", "password", "correct horse battery").leads("/settings/account?done=password")
	ada.submit("/settings/account", "current", "wrong", "password", "another long password").says(422,
		"isn't your current password")
	ada.submit("/settings/account", "current", "correct horse battery", "password", "short").says(422,
		"at least 10 characters")
	ada.submit("/settings/account", "current", "correct horse battery", "password",
		"another long password").leads("/settings/account?done=password")
	b := w.stranger()
	b.submit("/login", "email", "ada@acme.example", "password", "correct horse battery").says(403,
		"Incorrect email or password")
	b.submit("/login", "email", "ada@acme.example", "password", "another long password").leads("/settings")
	w.Site.ToFiles = true
	ada.get("/settings/account").says(200, "You can't remove your password")
	ada.post("/settings/account/password/remove").says(409, "your only way to sign in")
	w.Site.ToFiles = false
	ada.post("/settings/account/password/remove").leads("/settings/account?done=password-removed")
	b.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
	w.stranger().submit("/login", "email", "ada@acme.example", "password", "another long password").says(403)
	if !slices.Contains(w.kinds("acme"), "password.changed") {
		t.Errorf("the activity has only %v", w.kinds("acme"))
	}
}

func TestAccount_PasswordNeedsAFreshSignIn(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.Clock.Advance(identity.FreshFor)
	p := ada.get("/settings/account").says(200, "Sign in again")
	if strings.Contains(p.Body, `name="password"`) {
		t.Error("the form is there")
	}
	// The form was open for a while.
	ada.post("/settings/account/password", "password", "correct horse battery").leads("/settings/account?done=password")
	w.Clock.Advance(identity.FreshFor)
	for _, path := range []string{"/settings/account/password", "/settings/account/password/remove"} {
		ada.post(path, "current", "correct horse battery", "password",
			"another long password").leads("/login/again?to=%2Fsettings%2Faccount")
	}
	ada.submit("/login/again?to=/settings/account", "email", "ada@acme.example", "password",
		"correct horse battery").leads("/settings/account")
	ada.post("/settings/account/password/remove").leads("/settings/account?done=password-removed")
}

var sessionID = regexp.MustCompile(`name="session" value="(ses_[A-Z2-7]+)"`)

func TestAccount_SessionsAreListedAndEnded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.ada()
		w.Clock.Advance(time.Minute)
		ada, bo := w.ada(), w.bo()
		p := ada.get("/settings/account").says(200, "this session", "Signed in Mon 1 Feb 2027, 08:00", "192.0.2.1")
		ids := sessionID.FindAllStringSubmatch(p.Body, -1)
		if len(ids) != 2 {
			t.Fatalf("lists %v", ids)
		}
		for _, id := range []string{ids[0][1], ids[1][1], "", "ses_AAAAAAAAAAAA", "' OR 1=1 --"} {
			bo.post("/settings/account/session", "session", id).says(404, "has already ended")
		}
		other := ids[0][1]
		if strings.Index(p.Body, "this session") < strings.Index(p.Body, other) {
			other = ids[1][1]
		}
		ada.post("/settings/account/session", "session", other).leads("/settings/account?done=session")
		first.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
		third := w.ada()
		ada.post("/settings/account/sessions").leads("/settings/account?done=sessions")
		third.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
		bo.get("/settings/account").isOf("bo@other.example")
		own := sessionID.FindStringSubmatch(ada.get("/settings/account").Body)[1]
		ada.post("/settings/account/session", "session", own).leads("/login")
		if ada.get("/settings/account").Status != http.StatusSeeOther || len(ada.cookies) != 0 {
			t.Errorf("still signed in, with %v", ada.cookies)
		}
	})
}
