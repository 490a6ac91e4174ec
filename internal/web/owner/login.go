package owner

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/workspace"
)

var loginRoutes = []route{
	{"/login", anyone, (*visit).loginPage, (*visit).login},
	{"/login/again", signedIn, (*visit).againPage, nil},
	{"/login/{token}", anyone, (*visit).linkPage, (*visit).useLink},
	{"/logout", signedIn, nil, (*visit).logout},
}

type loginContent struct {
	Email    string
	To       string // where it goes on to
	Again    bool   // they have signed in, but a while ago
	Passkeys bool   // this host can have them
	SignUp   bool   // strangers may come in
	ToFiles  bool   // mails are not sent
	Trouble  string
	Sent     bool // a link, if the address is known
}

// loginPage asks for an address and a password, or for an address alone. Whoever has signed in already goes on.
func (v *visit) loginPage() error {
	to := localPath(v.value("to"))
	if v.session != nil {
		return v.leave(orHome(to))
	}
	if empty, err := v.Owners.IsEmpty(v.r.Context()); err != nil {
		return err
	} else if empty {
		return v.tell(http.StatusOK, messageContent{Title: "Nobody owns this server yet",
			Message: "The link to set it up stands where slotd serve was started."})
	}
	return v.showLogin(http.StatusOK, loginContent{To: to})
}

// againPage asks somebody who has signed in to do it once more.
func (v *visit) againPage() error {
	return v.showLogin(http.StatusOK,
		loginContent{To: localPath(v.value("to")), Again: true, Email: v.session.User.Email})
}

func (v *visit) showLogin(status int, c loginContent) error {
	c.Passkeys, c.SignUp, c.ToFiles = v.passkeysWork(), v.Owners.OpenSignUp, v.ToFiles
	return v.show(status, "login", "Sign in", c)
}

func orHome(to string) string {
	if to == "" {
		return "/settings"
	}
	return to
}

// linkTakes is how long asking for a link takes: nobody can tell by the time whether the address is known.
const linkTakes = 500 * time.Millisecond

// refusalTakes hides that a wrong password of a known address is noted in the workspace's activity.
const refusalTakes = 500 * time.Millisecond

// login signs in by password, or has a link sent.
func (v *visit) login() error {
	c := loginContent{Email: v.value("email"), To: localPath(v.value("to"))}
	if reason := workspace.CheckEmail(c.Email); reason != "" {
		c.Trouble = "The address " + reason + "."
		return v.showLogin(http.StatusUnprocessableEntity, c)
	}
	if v.value("way") == "link" {
		return v.sendLink(c)
	}
	a, err := v.Owners.SignInByPassword(v.r.Context(), c.Email, v.r.PostFormValue("password"), v.cookie(), v.client)
	if slotd.Is(err, slotd.Unauthorized) {
		v.Wait(refusalTakes - v.Now().Sub(v.now))
		c.Trouble = message(err)
		return v.showLogin(http.StatusForbidden, c)
	} else if err != nil {
		return v.tooMany(c, err, "or have a link sent to you")
	}
	return v.arrive(a, c.To)
}

// tooMany asks somebody who tried too often for patience, and keeps the address.
func (v *visit) tooMany(c loginContent, err error, instead string) error {
	var no *slotd.Error
	if !errors.As(err, &no) || no.Code != slotd.RateLimited {
		return err
	}
	seconds := limit.Seconds(no.RetryAfter)
	wait := counted(seconds, "second")
	if seconds > 90 {
		wait = counted((seconds+59)/60, "minute")
	}
	v.w.Header().Set("Retry-After", strconv.Itoa(seconds))
	c.Trouble = "Too many tries. Please wait " + wait + ", " + instead + "."
	return v.showLogin(http.StatusTooManyRequests, c)
}

func (v *visit) sendLink(c loginContent) error {
	began := v.now
	if err := v.Owners.SendLink(v.r.Context(), c.Email, c.To, v.client); err != nil {
		return v.tooMany(c, err, "and look for a link that was sent by mail already")
	}
	v.Wait(linkTakes - v.Now().Sub(began))
	c.Sent = true
	return v.showLogin(http.StatusOK, c)
}

// arrive is the moment after signing in.
func (v *visit) arrive(a *identity.SignedIn, to string) error {
	v.welcome(a)
	if a.WorkspaceID == 0 {
		return v.leave("/setup")
	}
	return v.leave(orHome(localPath(to)))
}

func (v *visit) logout() error {
	if _, err := v.Owners.EndSession(v.r.Context(), v.session.User.ID, v.session.ID, v.client); err != nil {
		return err
	}
	v.forget()
	return v.leave("/login")
}

type linkContent struct {
	Email, Name, Workspace string
	Other                  string // who is signed in at present, if it is somebody else
}

// linkPage asks before it signs anybody in: mail programs open links by themselves.
func (v *visit) linkPage() error {
	t, err := v.Owners.FindTicket(v.r.Context(), links.SignIn, v.r.PathValue("token"))
	if err != nil {
		return v.deadLink(err)
	}
	c := linkContent{Email: t.Email, Name: t.Name}
	if v.session != nil && v.session.User.Email != t.Email {
		c.Other = v.session.User.Email
	}
	if t.Purpose == identity.Invite {
		p, err := v.Cache.WorkspaceByID(v.r.Context(), t.WorkspaceID)
		if err != nil {
			return err
		}
		c.Workspace = p.Name
	}
	return v.show(http.StatusOK, "link", "Sign in", c)
}

func (v *visit) useLink() error {
	a, err := v.Owners.SignInByTicket(v.r.Context(), v.r.PathValue("token"), v.cookie(), v.client)
	if err != nil {
		return v.deadLink(err)
	}
	if a.GoesTo == "" && v.ToFiles && !a.HasWay { // the next link would be written to a file as well
		a.GoesTo = accountPath + "?done=no-way"
	}
	return v.arrive(a, a.GoesTo)
}
