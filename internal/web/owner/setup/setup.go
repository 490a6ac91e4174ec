package setup

import (
	"context"
	"net/http"
	"strings"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/store"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// Setting up takes four screens and ends on the booking page. Each keeps what it asked for, so that it can be left and
// gone on with.
var setupRoutes = []page.Route[visit]{
	page.At("/setup", page.SignedIn, (*visit).resume, nil),
	page.At("/setup/{token}", page.Anyone, (*visit).youPage, (*visit).you),
	page.At("/setup/workspace", page.SignedIn, (*visit).workspacePage, (*visit).workspace),
	page.At("/setup/hours", page.Member, (*visit).firstHoursPage, (*visit).firstHours),
	page.At("/setup/event-type", page.Member, (*visit).firstEventTypePage, (*visit).firstEventType),
}

// resume goes on where it was left.
func (v *visit) resume() error {
	mine, err := v.Owners.Workspaces(v.R.Context(), v.Session.User.ID)
	switch {
	case err != nil:
		return err
	case v.Snapshot == nil && len(mine) > 0: // the one they looked at is theirs no longer
		return v.Leave("/settings/workspaces")
	case v.Snapshot == nil:
		return v.Leave("/setup/workspace")
	case v.isSetUp():
		return v.Leave("/settings")
	}
	return v.Leave("/setup/hours")
}

// isSetUp: from the first event type on, the settings are the place for changes. The screens know less than they.
func (v *visit) isSetUp() bool { return len(v.Snapshot.EventTypes) > 0 }

type youContent struct {
	page.Form
	Name, Email string
	ToFiles     bool
}

// youPage asks the first owner who they are.
func (v *visit) youPage() error {
	if err := v.Owners.CheckSetupLink(v.R.Context(), v.R.PathValue("token")); err != nil {
		return v.DeadLink(err)
	}
	return v.showYou(http.StatusOK, &youContent{})
}

func (v *visit) showYou(status int, c *youContent) error {
	c.ToFiles = v.ToFiles
	return v.Show(status, "setup_you", "Set up slotd", c)
}

func (v *visit) you() error {
	if err := v.Owners.CheckSetupLink(v.R.Context(), v.R.PathValue("token")); err != nil {
		return v.DeadLink(err)
	}
	c := &youContent{Name: v.Value("name"), Email: v.Value("email")}
	password := v.R.PostFormValue("password")
	c.AddProblem("name", page.Sentence("Your name", workspace.CheckName(c.Name)))
	c.AddProblem("email", page.Sentence("Your address", workspace.CheckEmail(c.Email)))
	if password != "" || v.ToFiles {
		c.AddProblem("password", page.Sentence("The password", identity.CheckPassword(password, c.Email)))
	}
	if len(c.Problems) > 0 {
		return v.showYou(http.StatusUnprocessableEntity, c)
	}
	a, err := v.Owners.SetUp(v.R.Context(), v.R.PathValue("token"), c.Name, c.Email, password, v.Cookie(), v.Client)
	if err != nil {
		return v.DeadLink(err)
	}
	v.SetSession(a)
	return v.Leave("/setup/workspace")
}

type workspaceContent struct {
	page.Form
	Name, Slug, Zone string
	First            bool // of this owner
	BaseURL          string
}

func (v *visit) workspacePage() error {
	if err := v.mayCreate(); err != nil {
		return err
	}
	c := &workspaceContent{Zone: v.BrowserZone()}
	return v.showWorkspace(http.StatusOK, c)
}

func (v *visit) showWorkspace(status int, c *workspaceContent) error {
	c.First, c.BaseURL = v.Snapshot == nil, v.BaseURL
	c.Reword("slug", "is a path of the server itself; any other slug is right",
		"is a word of the server itself; choose another address")
	return v.Show(status, "setup_workspace", "Your workspace", c)
}

// maxWorkspaces of one owner.
const maxWorkspaces = 50

func (v *visit) workspace() error {
	c := &workspaceContent{Name: v.Value("name"), Slug: v.Value("slug"), Zone: v.Value("zone")}
	if c.Slug == "" {
		c.Slug = page.Slugify(c.Name)
	}
	if z, ok := page.FindZone(c.Zone); ok {
		c.Zone = z
	}
	if v.Snapshot != nil && v.Snapshot.Slug == c.Slug && v.Snapshot.Name == c.Name && !v.isSetUp() { // sent twice
		return v.Leave("/setup/hours")
	}
	if err := v.mayCreate(); err != nil {
		return err
	}
	w := v.newWorkspace(c)
	if problems := workspace.Validate(w); len(problems) > 0 {
		c.AddProblems(&workspace.Invalid{Problems: problems}, workspaceField)
		return v.showWorkspace(http.StatusUnprocessableEntity, c)
	}
	id, err := v.create(w)
	if c.AddProblems(err, workspaceField) {
		return v.showWorkspace(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	if err := v.Owners.SwitchWorkspace(v.R.Context(), v.Session, id); err != nil {
		return err
	}
	return v.Leave("/setup/hours")
}

// mayCreate: where strangers cannot sign up, somebody who was removed everywhere is a stranger too.
func (v *visit) mayCreate() error {
	ctx := v.R.Context()
	mine, err := v.Owners.Workspaces(ctx, v.Session.User.ID)
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
	if any, err := v.Owners.HasWorkspaces(ctx); err != nil || !any {
		return err
	}
	return slotd.Errorf(slotd.Unauthorized,
		"You have no workspace here at present. One of its owners can invite you to theirs.")
}

// newWorkspace is one with ordinary hours and nothing to book yet.
func (v *visit) newWorkspace(c *workspaceContent) *slotd.Workspace {
	name := v.Session.User.Name
	if name == "" {
		name, _, _ = strings.Cut(v.Session.User.Email, "@")
	}
	return &slotd.Workspace{
		Slug: c.Slug, Name: c.Name, TimeZone: c.Zone, Host: slotd.Host{Name: name, Email: v.Session.User.Email},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: page.DefaultWeek()}},
	}
}

// create makes the workspace and its first owner in one transaction. One that is there already stays whose it is.
func (v *visit) create(w *slotd.Workspace) (id int64, err error) {
	_, err = v.Workspaces.Put(v.R.Context(), workspace.Change{Desired: w, New: true, Now: v.Now,
		Then: func(ctx context.Context, tx *store.Tx, workspaceID int64, _ workspace.Previous,
			_ *slotd.Workspace) error {
			id = workspaceID
			if err := v.Owners.AddMember(ctx, tx, workspaceID, v.Session.User.ID); err != nil {
				return err
			}
			return identity.RecordActivity(ctx, tx, workspaceID, v.Actor(), "workspace.created", w.Slug, v.Now)
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
