package page

import (
	"net/http"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
)

// checkAccess reports an error, or redirects, unless the visitor meets the route's need. Visitors who first have to
// sign in or set up a workspace are sent there.
func (v *Visit) checkAccess() error {
	posted := v.R.Method == http.MethodPost
	within := identity.FreshFor
	if posted {
		within *= 2 // the form may have been open for a while
	}
	switch {
	case v.need == Anyone:
		return nil
	case v.Session == nil && posted:
		return v.askToSignIn(say.T("You are signed out"), say.T("Nothing was changed."), "/login")
	case v.Session == nil:
		return v.Redirect("/login?to=" + Escape(v.R.URL.RequestURI()))
	case v.need == SignedIn:
		return nil
	case v.Snapshot == nil && posted:
		return Refuse(slotd.Unauthorized, say.T("You don't have a workspace yet."))
	case v.Snapshot == nil:
		return v.Redirect("/setup")
	case v.need == Fresh && !v.Session.Fresh(v.Now, within) && posted:
		return v.askToSignIn(say.T("Please sign in again"),
			say.T("Nothing was changed. This page controls who has access, and you signed in a while ago."), "/login/again")
	case v.need == Fresh && !v.Session.Fresh(v.Now, within):
		return v.Redirect("/login/again?to=" + Escape(v.R.URL.RequestURI()))
	case posted && v.R.PostFormValue("workspace") != v.Snapshot.Slug:
		return v.otherWorkspace(v.R.PostFormValue("workspace"))
	}
	return nil
}

// askToSignIn tells the visitor to sign in in another window, so that the form they filled in is still one step back.
func (v *Visit) askToSignIn(title, why, path string) error {
	return v.ShowMessage(http.StatusForbidden, MessageContent{
		Title: title, Message: why + " " + say.T("Sign in using a new window, then return to this one, use your browser's "+
			"back button and send the form again. What you typed is still there."),
		Link: path, Text: say.T("Sign in using a new window"), NewWindow: true,
	})
}

// otherWorkspace answers a form that was opened before the owner switched workspaces. It offers to switch back only if
// the form's workspace is one of theirs.
func (v *Visit) otherWorkspace(slug string) error {
	mine, err := v.Owners.Workspaces(v.R.Context(), v.Session.User.ID)
	if err != nil {
		return err
	}
	c := MessageContent{
		Title: say.T("This form belongs to another workspace"),
		Message: say.T("You switched to %s in another window. Nothing was changed. Please open the page again.",
			v.Snapshot.Name),
		Link: "/settings", Text: say.T("Go to settings"),
	}
	for _, w := range mine {
		if w.Slug == slug {
			c.Back = &WorkspaceLink{w.Slug, w.Name}
			c.Message = say.T("You switched to %s in another window. Nothing was changed. Switch back, then use your browser's "+
				"back button, which keeps what you typed, and send the form again.", v.Snapshot.Name)
		}
	}
	return v.ShowMessage(http.StatusConflict, c)
}
