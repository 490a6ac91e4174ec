package owner

import (
	"net/http"
	"net/url"
	"strings"

	"slotd"
	"slotd/internal/web/kit"
)

var homeRoutes = []route{
	{"/settings", member, (*visit).home, nil},
	{"/settings/workspaces", signedIn, (*visit).workspacesPage, (*visit).switchWorkspace},
	{"/settings/{page}", anyone, (*visit).noPage, nil},
	{"/settings/{page}/{rest...}", anyone, (*visit).noPage, nil},
}

func (v *visit) home() error { return v.leave(sections[0].Path) }

// noPage answers where there is none with the menu of what there is. An address with a slash too many leads to the page
// without it.
func (v *visit) noPage() error {
	path := v.r.URL.Path
	if short := strings.TrimRight(path, "/"); short != path {
		v.protect(&kit.Page{})
		http.Redirect(v.w, v.r, (&url.URL{Path: short, RawQuery: v.r.URL.RawQuery}).String(),
			http.StatusPermanentRedirect)
		return nil
	}
	if v.session == nil {
		return v.leave("/login?to=" + escape(v.r.URL.RequestURI()))
	}
	return slotd.Errorf(slotd.WorkspaceNotFound, "no such page")
}

type workspacesContent struct {
	Current    string
	Workspaces []workspaceLine
}

// workspacesPage lists what is the owner's own.
func (v *visit) workspacesPage() error {
	mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
	if err != nil {
		return err
	}
	c := workspacesContent{}
	if v.snapshot != nil {
		c.Current = v.snapshot.Slug
	}
	for _, w := range mine {
		c.Workspaces = append(c.Workspaces, workspaceLine{w.Slug, w.Name})
	}
	return v.show(200, "workspaces", "Workspaces", c)
}

func (v *visit) switchWorkspace() error {
	mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
	if err != nil {
		return err
	}
	for _, w := range mine {
		if w.Slug == v.value("to") {
			if err := v.Owners.SwitchWorkspace(v.r.Context(), v.session, w.ID); err != nil {
				return err
			}
			return v.leave("/settings")
		}
	}
	return slotd.Errorf(slotd.WorkspaceNotFound, "not yours")
}
