package owner

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/identity"
	"slotd/internal/workspace"
)

const accountPath = "/settings/account"

// The account is the owner's own, whichever workspace is shown, and also where there is none yet.
var accountRoutes = []route{
	{accountPath, signedIn, (*visit).accountPage, (*visit).rename},
	{accountPath + "/password", signedIn, nil, (*visit).changePassword},
	{accountPath + "/password/remove", signedIn, nil, (*visit).removePassword},
	{accountPath + "/session", signedIn, nil, (*visit).endSession},
	{accountPath + "/sessions", signedIn, nil, (*visit).endOtherSessions},
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
	form
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
	done := v.value("done")
	if done == "no-way" && v.session.User.HasPassword {
		done = ""
	}
	return v.showAccount(http.StatusOK, &accountContent{Done: accountDone[done], Name: v.session.User.Name})
}

// showAccount fills in all that nobody has typed.
func (v *visit) showAccount(status int, c *accountContent) error {
	times := v.ownTimes()
	keys, err := v.Owners.Passkeys(v.r.Context(), v.session.User.ID)
	if err != nil {
		return err
	}
	sessions, err := v.Owners.Sessions(v.r.Context(), v.session.User.ID)
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
				Used: moment(times, s.UsedAt), This: s.ID == v.session.ID})
	}
	c.Email, c.HasPassword, c.Proved = v.session.User.Email, v.session.User.HasPassword, v.proved()
	c.CanPasskeys, c.ToFiles, c.Removable, c.Zone = v.passkeysWork(), v.ToFiles, len(keys) > 0 || !v.ToFiles,
		times.ZoneName()
	return v.show(status, "account", "Your account", c)
}

// ownTimes is local for pages that are shown without a workspace too.
func (v *visit) ownTimes() when.Local {
	if v.snapshot != nil {
		return v.local()
	}
	return when.InNamed(v.browserZone(), when.LocaleOf(v.r.Header.Get("Accept-Language")).Twelve)
}

// proved is what a door with the need fresh asks, for the parts of a page that is open to others too.
func (v *visit) proved() bool {
	within := identity.FreshFor
	if v.r.Method == http.MethodPost {
		within *= 2
	}
	return v.session.Fresh(v.now, within)
}

func (v *visit) proveFirst() error { return v.leave("/login/again?to=" + escape(accountPath)) }

func (v *visit) leaveAccount(done string) error { return v.leave(accountPath + "?done=" + done) }

func (v *visit) rename() error {
	c := &accountContent{Name: v.value("name")}
	if c.wrong("name", sentence("Your name", workspace.CheckName(c.Name))); len(c.Problems) > 0 {
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	if err := v.Owners.Rename(v.r.Context(), v.session, c.Name, v.client); err != nil {
		return err
	}
	return v.leaveAccount("name")
}

func (v *visit) changePassword() error {
	if !v.proved() {
		return v.proveFirst()
	}
	c := &accountContent{Name: v.session.User.Name}
	password := v.r.PostFormValue("password")
	if c.wrong("password", sentence("The new password",
		identity.CheckPassword(password, v.session.User.Email))); len(c.Problems) > 0 {
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	err := v.Owners.ChangePassword(v.r.Context(), v.session, v.r.PostFormValue("current"), password, v.client)
	if slotd.Is(err, slotd.Unauthorized) {
		c.wrong("current", message(err))
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
	return v.accountChanged(v.Owners.RemovePassword(v.r.Context(), v.session, !v.ToFiles, v.client), "password-removed")
}

// accountChanged shows the page again if the change was refused.
func (v *visit) accountChanged(err error, done string) error {
	c := &accountContent{Name: v.session.User.Name}
	if c.explain(err, nil) {
		return v.showAccount(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return v.leaveAccount(done)
}

// endSession ends any of the owner's own; ending this one is signing out.
func (v *visit) endSession() error {
	id := v.value("session")
	found, err := v.Owners.EndSession(v.r.Context(), v.session.User.ID, id, v.client)
	switch {
	case err != nil:
		return err
	case !found:
		return v.showAccount(http.StatusNotFound,
			&accountContent{form: form{Trouble: "That session is over already."}, Name: v.session.User.Name})
	case id == v.session.ID:
		v.forget()
		return v.leave("/login")
	}
	return v.leaveAccount("session")
}

func (v *visit) endOtherSessions() error {
	if err := v.Owners.EndOtherSessions(v.r.Context(), v.session, v.client); err != nil {
		return err
	}
	return v.leaveAccount("sessions")
}

// moment is a time in a list whose zone is named below it.
func moment(l when.Local, t time.Time) string {
	short, _, _ := strings.Cut(l.ShortInstant(t), " (")
	return short
}
