package access

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/identity"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

const accountPath = "/settings/account"

// The account is the owner's own, whichever workspace is shown, and also where there is none yet.
var accountRoutes = []page.Route[visit]{
	page.At(accountPath, page.SignedIn, (*visit).accountPage, (*visit).rename),
	page.At(accountPath+"/password", page.SignedIn, nil, (*visit).changePassword),
	page.At(accountPath+"/password/remove", page.SignedIn, nil, (*visit).removePassword),
	page.At(accountPath+"/session", page.SignedIn, nil, (*visit).endSession),
	page.At(accountPath+"/sessions", page.SignedIn, nil, (*visit).endOtherSessions),
}

// accountDone is what the page says after each change. The address names one of these and can say nothing else.
var accountDone = map[string]string{
	"name":             "Your name is saved.",
	"password":         "Your password is saved. All your other sessions were ended.",
	"password-removed": "Your password is removed. All your other sessions were ended.",
	"passkey":          "Your passkey is added: you can sign in with it from now on.",
	"passkey-removed":  "The passkey is removed: it does not sign you in any more.",
	"session":          "That session is ended.",
	"sessions":         "All your other sessions are ended.",
	"no-way": "You are signed in. Please set a password now: this server sends no mail, so that you could " +
		"not sign in again without one.",
}

type accountContent struct {
	page.Form
	Done        string
	Name, Email string
	HasPassword bool
	Proved      bool // who it is, a short time ago
	Removable   bool // the password: there is another way in
	CanPasskeys bool // browsers have them for this host
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
	return v.showAccount(http.StatusOK, &accountContent{Done: accountDone[done], Name: v.Session.User.Name})
}

// showAccount fills in all that nobody has typed.
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
			Created: moment(times, k.CreatedAt)}
		if !k.LastUsedAt.IsZero() {
			line.Used = moment(times, k.LastUsedAt)
		}
		c.Passkeys = append(c.Passkeys, line)
	}
	for _, s := range sessions {
		c.Sessions = append(c.Sessions,
			sessionLine{ID: s.ID, Browser: s.Browser, Address: s.Address, Since: moment(times, s.CreatedAt),
				Used: moment(times, s.UsedAt), This: s.ID == v.Session.ID})
	}
	c.Email, c.HasPassword, c.Proved = v.Session.User.Email, v.Session.User.HasPassword, v.proved()
	c.CanPasskeys, c.ToFiles, c.Removable, c.Zone = v.passkeysWork(), v.ToFiles, len(keys) > 0 || !v.ToFiles,
		times.ZoneName()
	return v.Show(status, "account", "Your account", c)
}

// ownTimes is local for pages that are shown without a workspace too.
func (v *visit) ownTimes() when.Local {
	if v.Snapshot != nil {
		return v.Local()
	}
	return when.InNamed(v.BrowserZone(), when.LocaleOf(v.R.Header.Get("Accept-Language")).Twelve)
}

// proved is what a door with the need fresh asks, for the parts of a page that is open to others too.
func (v *visit) proved() bool {
	within := identity.FreshFor
	if v.R.Method == http.MethodPost {
		within *= 2
	}
	return v.Session.Fresh(v.Now, within)
}

func (v *visit) proveFirst() error { return v.Leave("/login/again?to=" + page.Escape(accountPath)) }

func (v *visit) leaveAccount(done string) error { return v.Leave(accountPath + "?done=" + done) }

func (v *visit) rename() error {
	c := &accountContent{Name: v.Value("name")}
	if c.AddProblem("name", page.Sentence("Your name", workspace.CheckName(c.Name))); len(c.Problems) > 0 {
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	if err := v.Owners.Rename(v.R.Context(), v.Session, c.Name, v.Client); err != nil {
		return err
	}
	return v.leaveAccount("name")
}

func (v *visit) changePassword() error {
	if !v.proved() {
		return v.proveFirst()
	}
	c := &accountContent{Name: v.Session.User.Name}
	password := v.R.PostFormValue("password")
	if c.AddProblem("password", page.Sentence("The new password",
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
	if !v.proved() {
		return v.proveFirst()
	}
	return v.accountChanged(v.Owners.RemovePassword(v.R.Context(), v.Session, !v.ToFiles, v.Client), "password-removed")
}

// accountChanged shows the page again if the change was refused.
func (v *visit) accountChanged(err error, done string) error {
	c := &accountContent{Name: v.Session.User.Name}
	if c.AddProblems(err, nil) {
		return v.showAccount(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return v.leaveAccount(done)
}

// endSession ends any of the owner's own; ending this one is signing out.
func (v *visit) endSession() error {
	id := v.Value("session")
	found, err := v.Owners.EndSession(v.R.Context(), v.Session.User.ID, id, v.Client)
	switch {
	case err != nil:
		return err
	case !found:
		return v.showAccount(http.StatusNotFound,
			&accountContent{Form: page.Form{Trouble: "That session is over already."}, Name: v.Session.User.Name})
	case id == v.Session.ID:
		v.ClearSession()
		return v.Leave("/login")
	}
	return v.leaveAccount("session")
}

func (v *visit) endOtherSessions() error {
	if err := v.Owners.EndOtherSessions(v.R.Context(), v.Session, v.Client); err != nil {
		return err
	}
	return v.leaveAccount("sessions")
}

// moment is a time in a list whose zone is named below it.
func moment(l when.Local, t time.Time) string {
	short, _, _ := strings.Cut(l.ShortInstant(t), " (")
	return short
}
