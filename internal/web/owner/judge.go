package owner

import (
	"net/http"

	"slotd"
	"slotd/internal/identity"
)

// judge lets in who may come, and shows the others where to go first.
func (v *visit) judge() error {
	posted := v.r.Method == http.MethodPost
	within := identity.FreshFor
	if posted {
		within *= 2 // the form may have been open for a while
	}
	switch {
	case v.need == anyone:
		return nil
	case v.session == nil && posted:
		return v.signInAside("You are signed out", "Nothing was changed.", "/login")
	case v.session == nil:
		return v.leave("/login?to=" + escape(v.r.URL.RequestURI()))
	case v.need == signedIn:
		return nil
	case v.snapshot == nil && posted:
		return slotd.Errorf(slotd.Unauthorized, "You have no workspace.")
	case v.snapshot == nil:
		return v.leave("/setup")
	case v.need == fresh && !v.session.Fresh(v.now, within) && posted:
		return v.signInAside("Please sign in once more",
			"Nothing was changed. This touches who and what may get in, and you signed in a while ago.", "/login/again")
	case v.need == fresh && !v.session.Fresh(v.now, within):
		return v.leave("/login/again?to=" + escape(v.r.URL.RequestURI()))
	case posted && v.r.PostFormValue("workspace") != v.snapshot.Slug:
		return v.otherWorkspace(v.r.PostFormValue("workspace"))
	}
	return nil
}

// signInAside keeps the form within reach: it is one step back.
func (v *visit) signInAside(title, why, path string) error {
	return v.tell(http.StatusForbidden, messageContent{
		Title: title, Message: why + " Sign in again in another window, then come back to this one, go back by the " +
			"browser’s button and send the form once more: what you typed is still there.",
		Link: path, Text: "Sign in in another window", Aside: true,
	})
}

// otherWorkspace answers a form that was opened before the owner switched. Only an own workspace has a way back to it.
func (v *visit) otherWorkspace(slug string) error {
	mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
	if err != nil {
		return err
	}
	c := messageContent{
		Title: "This form is about another workspace",
		Message: "You have switched to " + v.snapshot.Name +
			" in another window. Nothing was changed. Please open the page anew.",
		Link: "/settings", Text: "Go to the settings",
	}
	for _, w := range mine {
		if w.Slug == slug {
			c.Back = &workspaceLine{w.Slug, w.Name}
			c.Message = "You have switched to " + v.snapshot.Name +
				" in another window. Nothing was changed. Switch back, then go back to the form by the browser’s " +
				"button, which keeps what you typed, and send it once more."
		}
	}
	return v.tell(http.StatusConflict, c)
}
