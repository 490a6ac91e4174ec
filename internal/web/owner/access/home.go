package access

import (
	"net/http"
	"net/url"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

var homeRoutes = []page.Route[visit]{
	page.At("/settings", page.Member, (*visit).home, nil),
	page.At("/settings/workspaces", page.SignedIn, (*visit).workspacesPage, (*visit).switchWorkspace),
	page.At("/settings/{page}", page.Anyone, (*visit).notFound, nil),
	page.At("/settings/{page}/{rest...}", page.Anyone, (*visit).notFound, nil),
}

func (v *visit) home() error { return v.Redirect(page.Sections[0].Path) }

// notFound answers unknown addresses with an error page that has the menu. An address with a trailing slash redirects
// to the one without.
func (v *visit) notFound() error {
	path := v.R.URL.Path
	if short := strings.TrimRight(path, "/"); short != path {
		v.Protect(&kit.Page{})
		http.Redirect(v.W, v.R, (&url.URL{Path: short, RawQuery: v.R.URL.RawQuery}).String(),
			http.StatusPermanentRedirect)
		return nil
	}
	if v.Session == nil {
		return v.Redirect("/login?to=" + page.Escape(v.R.URL.RequestURI()))
	}
	return slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{})
}

type workspacesContent struct {
	Current    string
	Workspaces []page.WorkspaceLink
}

// workspacesPage lists the owner's own workspaces.
func (v *visit) workspacesPage() error {
	mine, err := v.Owners.Workspaces(v.R.Context(), v.Session.User.ID)
	if err != nil {
		return err
	}
	c := workspacesContent{}
	if v.Snapshot != nil {
		c.Current = v.Snapshot.Slug
	}
	for _, w := range mine {
		c.Workspaces = append(c.Workspaces, page.WorkspaceLink{Slug: w.Slug, Name: w.Name})
	}
	return v.Show(200, "workspaces", say.T("Workspaces"), c)
}

func (v *visit) switchWorkspace() error {
	mine, err := v.Owners.Workspaces(v.R.Context(), v.Session.User.ID)
	if err != nil {
		return err
	}
	for _, w := range mine {
		if w.Slug == v.Value("to") {
			if err := v.Owners.SwitchWorkspace(v.R.Context(), v.Session, w.ID); err != nil {
				return err
			}
			return v.Redirect("/settings")
		}
	}
	return slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{})
}
