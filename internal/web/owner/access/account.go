package access

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

const accountPath = "/settings/account"

// The account belongs to the owner, not to a workspace. Its page opens even if the owner has no workspace yet.
var accountRoutes = []page.Route[visit]{
	page.At(accountPath, page.SignedIn, (*visit).accountPage, (*visit).rename),
	page.At(accountPath+"/password", page.SignedIn, nil, (*visit).changePassword),
	page.At(accountPath+"/password/remove", page.SignedIn, nil, (*visit).removePassword),
	page.At(accountPath+"/session", page.SignedIn, nil, (*visit).endSession),
	page.At(accountPath+"/sessions", page.SignedIn, nil, (*visit).endOtherSessions),
}

// accountNotices are the messages after each change. The address can only choose one of them, so it cannot put text of
// its own on the page.
var accountNotices = map[string]say.Sentence{
	"name":             "Your name was saved.",
	"password":         "Your password was saved. All your other sessions were ended.",
	"password-removed": "Your password was removed. All your other sessions were ended.",
	"passkey":          "Your passkey was added. You can now sign in with it.",
	"passkey-removed":  "The passkey was removed. It can no longer be used to sign in.",
	"session":          "The session was ended.",
	"sessions":         "All your other sessions were ended.",
	"no-way": "You're signed in. Please set a password now: this server doesn't send email, so you " +
		"can't sign in again without one.",
}

type accountContent struct {
	page.Form
	Done        say.Sentence
	Name, Email string
	HasPassword bool
	Fresh       bool // signed in recently
	Removable   bool // the password can be removed: there is another way to sign in
	CanPasskeys bool // browsers support passkeys for this host
	ToFiles     bool // mails are not sent
	Passkeys    []passkeyLine
	Sessions    []sessionLine
	Zone        string
}

type passkeyLine struct{ ID, Name, Created, Used string }

type sessionLine struct {
	ID, Browser, Address, Since, Used string
	This                              bool
}

func (v *visit) accountPage() error {
	done := v.Value("done")
	if done == "no-way" && v.Session.User.HasPassword {
		done = ""
	}
	return v.showAccount(http.StatusOK, &accountContent{Done: accountNotices[done], Name: v.Session.User.Name})
}

// showAccount fills in everything that was not typed.
func (v *visit) showAccount(status int, c *accountContent) error {
	times := v.ownTimes()
	keys, err := v.Owners.Passkeys(v.R.Context(), v.Session.User.ID)
	if err != nil {
		return err
	}
	sessions, err := v.Owners.Sessions(v.R.Context(), v.Session.User.ID)
	if err != nil {
		return err
	}
	for _, k := range keys {
		line := passkeyLine{ID: base64.RawURLEncoding.EncodeToString(k.ID), Name: k.Name,
			Created: shortTime(times, k.CreatedAt)}
		if !k.LastUsedAt.IsZero() {
			line.Used = shortTime(times, k.LastUsedAt)
		}
		c.Passkeys = append(c.Passkeys, line)
	}
	for _, s := range sessions {
		c.Sessions = append(c.Sessions,
			sessionLine{ID: s.ID, Browser: s.Browser, Address: s.Address, Since: shortTime(times, s.CreatedAt),
				Used: shortTime(times, s.UsedAt), This: s.ID == v.Session.ID})
	}
	c.Email, c.HasPassword, c.Fresh = v.Session.User.Email, v.Session.User.HasPassword, v.isFresh()
	c.CanPasskeys, c.ToFiles, c.Removable, c.Zone = v.passkeysSupported(), v.ToFiles, len(keys) > 0 || !v.ToFiles,
		times.ZoneName()
	return v.Show(status, "account", say.T("Your account"), c)
}

// ownTimes is like Local, but also works on pages that are shown without a workspace.
func (v *visit) ownTimes() when.Local {
	if v.Snapshot != nil {
		return v.Local()
	}
	return when.InNamed(v.BrowserZone(), when.LocaleOf(v.R.Header.Get("Accept-Language")).TwelveHour)
}

// isFresh reports whether the owner meets the need page.Fresh. It guards parts of a page that itself needs less.
func (v *visit) isFresh() bool {
	within := identity.FreshFor
	if v.R.Method == http.MethodPost {
		within *= 2
	}
	return v.Session.Fresh(v.Now, within)
}

func (v *visit) signInAgain() error { return v.Redirect("/login/again?to=" + page.Escape(accountPath)) }

func (v *visit) leaveAccount(done string) error { return v.Redirect(accountPath + "?done=" + done) }

func (v *visit) rename() error {
	c := &accountContent{Name: v.Value("name")}
	if c.AddProblem("name", page.Sentence(say.T("Your name"), workspace.CheckName(c.Name))); len(c.Problems) > 0 {
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	if err := v.Owners.Rename(v.R.Context(), v.Session, c.Name, v.Client); err != nil {
		return err
	}
	return v.leaveAccount("name")
}

func (v *visit) changePassword() error {
	if !v.isFresh() {
		return v.signInAgain()
	}
	c := &accountContent{Name: v.Session.User.Name}
	password := v.R.PostFormValue("password")
	if c.AddProblem("password", page.Sentence(say.T("The new password"),
		identity.CheckPassword(password, v.Session.User.Email))); len(c.Problems) > 0 {
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	err := v.Owners.ChangePassword(v.R.Context(), v.Session, v.R.PostFormValue("current"), password, v.Client)
	if slotd.Is(err, slotd.Unauthorized) {
		c.AddProblem("current", page.ErrorText(err))
		return v.showAccount(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	return v.leaveAccount("password")
}

func (v *visit) removePassword() error {
	if !v.isFresh() {
		return v.signInAgain()
	}
	return v.accountChanged(v.Owners.RemovePassword(v.R.Context(), v.Session, !v.ToFiles, v.Client), "password-removed")
}

// accountChanged redirects after a change, or shows the page again if the change was rejected.
func (v *visit) accountChanged(err error, done string) error {
	c := &accountContent{Name: v.Session.User.Name}
	if c.AddProblems(err, nil) {
		return v.showAccount(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return v.leaveAccount(done)
}

// endSession ends one of the owner's own sessions. Ending the current one signs out.
func (v *visit) endSession() error {
	id := v.Value("session")
	found, err := v.Owners.EndSession(v.R.Context(), v.Session.User.ID, id, v.Client)
	switch {
	case err != nil:
		return err
	case !found:
		return v.showAccount(http.StatusNotFound,
			&accountContent{Form: page.Form{Trouble: say.T("This session has already ended.")}, Name: v.Session.User.Name})
	case id == v.Session.ID:
		v.ClearSession()
		return v.Redirect("/login")
	}
	return v.leaveAccount("session")
}

func (v *visit) endOtherSessions() error {
	if err := v.Owners.EndOtherSessions(v.R.Context(), v.Session, v.Client); err != nil {
		return err
	}
	return v.leaveAccount("sessions")
}

// shortTime formats a time for a list that names its time zone below.
func shortTime(l when.Local, t time.Time) string {
	short, _, _ := strings.Cut(l.ShortInstant(t), " (")
	return short
}
