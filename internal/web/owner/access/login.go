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
	"slotd/internal/lib/say"
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
	To       string // where to go after signing in
	Again    bool   // they are signed in, but have to sign in again
	Passkeys bool   // this host supports passkeys
	SignUp   bool   // strangers may sign up
	ToFiles  bool   // mails are not sent
	Trouble  string
	Sent     bool // a link was sent, if the address is known
}

// loginPage asks for an address and a password, or for an address alone. Visitors who are signed in already are
// redirected.
func (v *visit) loginPage() error {
	to := page.LocalPath(v.Value("to"))
	if v.Session != nil {
		return v.Redirect(OrHome(to))
	}
	if empty, err := v.Owners.IsEmpty(v.R.Context()); err != nil {
		return err
	} else if empty {
		return v.ShowMessage(http.StatusOK, page.MessageContent{Title: say.T("This server isn't set up yet"),
			Message: say.T("Open the setup link that slotd serve printed when it started.")})
	}
	return v.showLogin(http.StatusOK, loginContent{To: to})
}

// againPage asks an owner to sign in again.
func (v *visit) againPage() error {
	return v.showLogin(http.StatusOK,
		loginContent{To: page.LocalPath(v.Value("to")), Again: true, Email: v.Session.User.Email})
}

func (v *visit) showLogin(status int, c loginContent) error {
	c.Passkeys, c.SignUp, c.ToFiles = v.passkeysSupported(), v.Owners.OpenSignUp, v.ToFiles
	return v.Show(status, "login", say.T("Sign in"), c)
}

// OrHome returns the path, or that of the settings if it is empty.
func OrHome(to string) string {
	if to == "" {
		return "/settings"
	}
	return to
}

// minLinkTime is how long a request for a link takes at least, so that the response time does not reveal whether the
// address is known.
const minLinkTime = 500 * time.Millisecond

// minRefusalTime hides the time that it takes to record a wrong password of a known address in the workspace's
// activity.
const minRefusalTime = 500 * time.Millisecond

// login signs in by password, or sends a link.
func (v *visit) login() error {
	c := loginContent{Email: v.Value("email"), To: page.LocalPath(v.Value("to"))}
	if err := workspace.CheckEmail(c.Email); err != nil {
		c.Trouble = page.Sentence(say.T("The address"), err)
		return v.showLogin(http.StatusUnprocessableEntity, c)
	}
	if v.Value("way") == "link" {
		return v.sendLink(c)
	}
	a, err := v.Owners.SignInByPassword(v.R.Context(), c.Email, v.R.PostFormValue("password"), v.Cookie(), v.Client)
	if slotd.Is(err, slotd.Unauthorized) {
		v.Wait(minRefusalTime - v.Clock().Sub(v.Now))
		c.Trouble = page.ErrorText(err)
		return v.showLogin(http.StatusForbidden, c)
	} else if err != nil {
		return v.tooMany(c, err, say.T("You can also sign in with a link: choose “Email me a link”."))
	}
	return v.finishSignIn(a, c.To)
}

// tooMany asks somebody who tried too often to wait, and keeps the address in the form.
func (v *visit) tooMany(c loginContent, err error, instead string) error {
	var e *slotd.Error
	if !errors.As(err, &e) || e.Code != slotd.RateLimited {
		return err
	}
	seconds := limit.Seconds(e.RetryAfter)
	wait := say.N(seconds, "Too many attempts. Please wait %d second.", "Too many attempts. Please wait %d seconds.")
	if seconds > 90 {
		wait = say.N((seconds+59)/60, "Too many attempts. Please wait %d minute.",
			"Too many attempts. Please wait %d minutes.")
	}
	v.W.Header().Set("Retry-After", strconv.Itoa(seconds))
	c.Trouble = wait + " " + instead
	return v.showLogin(http.StatusTooManyRequests, c)
}

func (v *visit) sendLink(c loginContent) error {
	began := v.Now
	if err := v.Owners.SendLink(v.R.Context(), c.Email, c.To, v.Client); err != nil {
		return v.tooMany(c, err, say.T("A link that we emailed earlier may still work."))
	}
	v.Wait(minLinkTime - v.Clock().Sub(began))
	c.Sent = true
	return v.showLogin(http.StatusOK, c)
}

// finishSignIn sets the session and redirects.
func (v *visit) finishSignIn(a *identity.SignedIn, to string) error {
	v.SetSession(a)
	if a.WorkspaceID == 0 {
		return v.Redirect("/setup")
	}
	return v.Redirect(OrHome(page.LocalPath(to)))
}

func (v *visit) logout() error {
	if _, err := v.Owners.EndSession(v.R.Context(), v.Session.User.ID, v.Session.ID, v.Client); err != nil {
		return err
	}
	v.ClearSession()
	return v.Redirect("/login")
}

type linkContent struct {
	Email, Name, Workspace string
	Other                  string // the user who is signed in at present, if it is somebody else
}

// linkPage asks before it signs anybody in, because mail programs open links on their own.
func (v *visit) linkPage() error {
	t, err := v.Owners.FindTicket(v.R.Context(), links.SignIn, v.R.PathValue("token"))
	if err != nil {
		return v.DeadLink(err)
	}
	c := linkContent{Email: t.Email, Name: t.Name}
	if v.Session != nil && v.Session.User.Email != t.Email {
		c.Other = v.Session.User.Email
	}
	if t.Kind == identity.Invite {
		p, err := v.Cache.WorkspaceByID(v.R.Context(), t.WorkspaceID)
		if err != nil {
			return err
		}
		c.Workspace = p.Name
	}
	return v.Show(http.StatusOK, "link", say.T("Sign in"), c)
}

func (v *visit) useLink() error {
	a, err := v.Owners.SignInByTicket(v.R.Context(), v.R.PathValue("token"), v.Cookie(), v.Client)
	if err != nil {
		return v.DeadLink(err)
	}
	if a.RedirectPath == "" && v.ToFiles && !a.CanSignInAgain { // the next link would go to a file as well
		a.RedirectPath = accountPath + "?done=no-way"
	}
	return v.finishSignIn(a, a.RedirectPath)
}
