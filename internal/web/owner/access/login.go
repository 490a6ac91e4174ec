package access

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

var loginRoutes = []page.Route[visit]{
	page.At("/login", page.Anyone, (*visit).loginPage, (*visit).login),
	page.At("/login/again", page.SignedIn, (*visit).againPage, nil),
	page.At("/login/{token}", page.Anyone, (*visit).linkPage, (*visit).useLink),
	page.At("/logout", page.SignedIn, nil, (*visit).logout),
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
	to := page.LocalPath(v.Value("to"))
	if v.Session != nil {
		return v.Leave(OrHome(to))
	}
	if empty, err := v.Owners.IsEmpty(v.R.Context()); err != nil {
		return err
	} else if empty {
		return v.ShowMessage(http.StatusOK, page.MessageContent{Title: "Nobody owns this server yet",
			Message: "The link to set it up stands where slotd serve was started."})
	}
	return v.showLogin(http.StatusOK, loginContent{To: to})
}

// againPage asks somebody who has signed in to do it once more.
func (v *visit) againPage() error {
	return v.showLogin(http.StatusOK,
		loginContent{To: page.LocalPath(v.Value("to")), Again: true, Email: v.Session.User.Email})
}

func (v *visit) showLogin(status int, c loginContent) error {
	c.Passkeys, c.SignUp, c.ToFiles = v.passkeysWork(), v.Owners.OpenSignUp, v.ToFiles
	return v.Show(status, "login", "Sign in", c)
}

func OrHome(to string) string {
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
	c := loginContent{Email: v.Value("email"), To: page.LocalPath(v.Value("to"))}
	if reason := workspace.CheckEmail(c.Email); reason != "" {
		c.Trouble = "The address " + reason + "."
		return v.showLogin(http.StatusUnprocessableEntity, c)
	}
	if v.Value("way") == "link" {
		return v.sendLink(c)
	}
	a, err := v.Owners.SignInByPassword(v.R.Context(), c.Email, v.R.PostFormValue("password"), v.Cookie(), v.Client)
	if slotd.Is(err, slotd.Unauthorized) {
		v.Wait(refusalTakes - v.Clock().Sub(v.Now))
		c.Trouble = page.ErrorText(err)
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
	wait := page.Plural(seconds, "second")
	if seconds > 90 {
		wait = page.Plural((seconds+59)/60, "minute")
	}
	v.W.Header().Set("Retry-After", strconv.Itoa(seconds))
	c.Trouble = "Too many tries. Please wait " + wait + ", " + instead + "."
	return v.showLogin(http.StatusTooManyRequests, c)
}

func (v *visit) sendLink(c loginContent) error {
	began := v.Now
	if err := v.Owners.SendLink(v.R.Context(), c.Email, c.To, v.Client); err != nil {
		return v.tooMany(c, err, "and look for a link that was sent by mail already")
	}
	v.Wait(linkTakes - v.Clock().Sub(began))
	c.Sent = true
	return v.showLogin(http.StatusOK, c)
}

// arrive is the moment after signing in.
func (v *visit) arrive(a *identity.SignedIn, to string) error {
	v.SetSession(a)
	if a.WorkspaceID == 0 {
		return v.Leave("/setup")
	}
	return v.Leave(OrHome(page.LocalPath(to)))
}

func (v *visit) logout() error {
	if _, err := v.Owners.EndSession(v.R.Context(), v.Session.User.ID, v.Session.ID, v.Client); err != nil {
		return err
	}
	v.ClearSession()
	return v.Leave("/login")
}

type linkContent struct {
	Email, Name, Workspace string
	Other                  string // who is signed in at present, if it is somebody else
}

// linkPage asks before it signs anybody in: mail programs open links by themselves.
func (v *visit) linkPage() error {
	t, err := v.Owners.FindTicket(v.R.Context(), links.SignIn, v.R.PathValue("token"))
	if err != nil {
		return v.DeadLink(err)
	}
	c := linkContent{Email: t.Email, Name: t.Name}
	if v.Session != nil && v.Session.User.Email != t.Email {
		c.Other = v.Session.User.Email
	}
	if t.Purpose == identity.Invite {
		p, err := v.Cache.WorkspaceByID(v.R.Context(), t.WorkspaceID)
		if err != nil {
			return err
		}
		c.Workspace = p.Name
	}
	return v.Show(http.StatusOK, "link", "Sign in", c)
}

func (v *visit) useLink() error {
	a, err := v.Owners.SignInByTicket(v.R.Context(), v.R.PathValue("token"), v.Cookie(), v.Client)
	if err != nil {
		return v.DeadLink(err)
	}
	if a.GoesTo == "" && v.ToFiles && !a.HasWay { // the next link would be written to a file as well
		a.GoesTo = accountPath + "?done=no-way"
	}
	return v.arrive(a, a.GoesTo)
}
