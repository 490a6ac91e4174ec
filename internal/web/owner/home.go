package owner

import (
	"slotd"
)

var homeDoors = []door{
	{"/settings", member, (*visit).home, nil},
	{"/settings/workspaces", signedIn, (*visit).workspacesPage, (*visit).switchWorkspace},
}

func (v *visit) home() error { return v.leave(sections[0].Path) }

type workspacesContent struct {
	Current    string
	Workspaces []workspaceLine
}

type workspaceLine struct{ Slug, Name string }

// workspacesPage lists what is the owner's own.
func (v *visit) workspacesPage() error {
	mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
	if err != nil {
		return err
	}
	c := workspacesContent{}
	if v.picture != nil {
		c.Current = v.picture.Slug
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
			if err := v.Owners.Choose(v.r.Context(), v.session, w.ID); err != nil {
				return err
			}
			return v.leave("/settings")
		}
	}
	return slotd.Errorf(slotd.WorkspaceNotFound, "not yours")
}
