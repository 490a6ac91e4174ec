package owner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/store"
	"slotd/internal/workspace"
)

// Setting up takes four screens and ends on the booking page. Each keeps what it asked for, so that it can be left and
// gone on with.
var setupRoutes = []route{
	{"/setup", signedIn, (*visit).resume, nil},
	{"/setup/{token}", anyone, (*visit).youPage, (*visit).you},
	{"/setup/workspace", signedIn, (*visit).workspacePage, (*visit).workspace},
	{"/setup/hours", member, (*visit).firstHoursPage, (*visit).firstHours},
	{"/setup/event-type", member, (*visit).firstEventTypePage, (*visit).firstEventType},
}

// resume goes on where it was left.
func (v *visit) resume() error {
	mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
	switch {
	case err != nil:
		return err
	case v.snapshot == nil && len(mine) > 0: // the one they looked at is theirs no longer
		return v.leave("/settings/workspaces")
	case v.snapshot == nil:
		return v.leave("/setup/workspace")
	case v.isSetUp():
		return v.leave("/settings")
	}
	return v.leave("/setup/hours")
}

// isSetUp: from the first event type on, the settings are the place for changes. The screens know less than they.
func (v *visit) isSetUp() bool { return len(v.snapshot.EventTypes) > 0 }

type youContent struct {
	form
	Name, Email string
	ToFiles     bool
}

// youPage asks the first owner who they are.
func (v *visit) youPage() error {
	if err := v.Owners.CheckSetupLink(v.r.Context(), v.r.PathValue("token")); err != nil {
		return v.deadLink(err)
	}
	return v.showYou(http.StatusOK, &youContent{})
}

func (v *visit) showYou(status int, c *youContent) error {
	c.ToFiles = v.ToFiles
	return v.show(status, "setup_you", "Set up slotd", c)
}

func (v *visit) you() error {
	if err := v.Owners.CheckSetupLink(v.r.Context(), v.r.PathValue("token")); err != nil {
		return v.deadLink(err)
	}
	c := &youContent{Name: v.value("name"), Email: v.value("email")}
	password := v.r.PostFormValue("password")
	c.wrong("name", sentence("Your name", workspace.CheckName(c.Name)))
	c.wrong("email", sentence("Your address", workspace.CheckEmail(c.Email)))
	if password != "" || v.ToFiles {
		c.wrong("password", sentence("The password", identity.CheckPassword(password, c.Email)))
	}
	if len(c.Problems) > 0 {
		return v.showYou(http.StatusUnprocessableEntity, c)
	}
	a, err := v.Owners.SetUp(v.r.Context(), v.r.PathValue("token"), c.Name, c.Email, password, v.cookie(), v.client)
	if err != nil {
		return v.deadLink(err)
	}
	v.welcome(a)
	return v.leave("/setup/workspace")
}

type workspaceContent struct {
	form
	Name, Slug, Zone string
	First            bool // of this owner
	BaseURL          string
}

func (v *visit) workspacePage() error {
	if err := v.mayCreate(); err != nil {
		return err
	}
	c := &workspaceContent{Zone: v.browserZone()}
	return v.showWorkspace(http.StatusOK, c)
}

func (v *visit) showWorkspace(status int, c *workspaceContent) error {
	c.First, c.BaseURL = v.snapshot == nil, v.BaseURL
	c.reword("slug", "is a path of the server itself; any other slug is right",
		"is a word of the server itself; choose another address")
	return v.show(status, "setup_workspace", "Your workspace", c)
}

// maxWorkspaces of one owner.
const maxWorkspaces = 50

func (v *visit) workspace() error {
	c := &workspaceContent{Name: v.value("name"), Slug: v.value("slug"), Zone: v.value("zone")}
	if c.Slug == "" {
		c.Slug = slugOf(c.Name)
	}
	if z, ok := findZone(c.Zone); ok {
		c.Zone = z
	}
	if v.snapshot != nil && v.snapshot.Slug == c.Slug && v.snapshot.Name == c.Name && !v.isSetUp() { // sent twice
		return v.leave("/setup/hours")
	}
	if err := v.mayCreate(); err != nil {
		return err
	}
	w := v.newWorkspace(c)
	if problems := workspace.Validate(w); len(problems) > 0 {
		c.explain(&workspace.Invalid{Problems: problems}, workspaceField)
		return v.showWorkspace(http.StatusUnprocessableEntity, c)
	}
	id, err := v.create(w)
	if c.explain(err, workspaceField) {
		return v.showWorkspace(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	if err := v.Owners.SwitchWorkspace(v.r.Context(), v.session, id); err != nil {
		return err
	}
	return v.leave("/setup/hours")
}

// mayCreate: where strangers cannot sign up, somebody who was removed everywhere is a stranger too.
func (v *visit) mayCreate() error {
	ctx := v.r.Context()
	mine, err := v.Owners.Workspaces(ctx, v.session.User.ID)
	if err != nil {
		return err
	}
	if len(mine) >= maxWorkspaces {
		return slotd.Errorf(slotd.InvalidArgument, "You have %d workspaces, which is the most one owner can have.",
			len(mine))
	}
	if len(mine) > 0 || v.Owners.OpenSignUp {
		return nil
	}
	_, err = v.DB.Read().AnyWorkspace(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return fmt.Errorf("look for workspaces: %w", err)
	}
	return slotd.Errorf(slotd.Unauthorized,
		"You have no workspace here at present. One of its owners can invite you to theirs.")
}

// newWorkspace is one with ordinary hours and nothing to book yet.
func (v *visit) newWorkspace(c *workspaceContent) *slotd.Workspace {
	name := v.session.User.Name
	if name == "" {
		name, _, _ = strings.Cut(v.session.User.Email, "@")
	}
	return &slotd.Workspace{
		Slug: c.Slug, Name: c.Name, TimeZone: c.Zone, Host: slotd.Host{Name: name, Email: v.session.User.Email},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: ordinaryWeek()}},
	}
}

// create makes the workspace and its first owner in one transaction. One that is there already stays whose it is.
func (v *visit) create(w *slotd.Workspace) (id int64, err error) {
	_, err = workspace.Put(v.r.Context(), v.DB, workspace.Change{Desired: w, New: true, Now: v.now,
		Then: func(ctx context.Context, tx *store.Tx, workspaceID int64, _ workspace.Previous,
			_ *slotd.Workspace) error {
			id = workspaceID
			if err := v.Owners.AddMember(ctx, tx, workspaceID, v.session.User.ID); err != nil {
				return err
			}
			return identity.RecordActivity(ctx, tx, workspaceID, v.actor(), "workspace.created", w.Slug, v.now)
		}})
	return id, err
}

func workspaceField(path string) (field, subject string) {
	switch path {
	case "workspace.name":
		return "name", "The name"
	case "workspace.slug":
		return "slug", "The address"
	case "workspace.time_zone":
		return "zone", "The time zone:"
	}
	return "name", path
}
