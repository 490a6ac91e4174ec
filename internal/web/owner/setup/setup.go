package setup

import (
	"context"
	"net/http"
	"strings"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// The setup has four screens and ends on the booking page. Each screen saves its answers, so that an owner can leave
// and resume later.
var setupRoutes = []page.Route[visit]{
	page.At("/setup", page.SignedIn, (*visit).resume, nil),
	page.At("/setup/{token}", page.Anyone, (*visit).ownerPage, (*visit).createOwner),
	page.At("/setup/workspace", page.SignedIn, (*visit).workspacePage, (*visit).createWorkspace),
	page.At("/setup/hours", page.Member, (*visit).firstHoursPage, (*visit).firstHours),
	page.At("/setup/event-type", page.Member, (*visit).firstEventTypePage, (*visit).firstEventType),
}

// resume continues where the owner left off.
func (v *visit) resume() error {
	mine, err := v.Owners.Workspaces(v.R.Context(), v.Session.User.ID)
	switch {
	case err != nil:
		return err
	case v.Snapshot == nil && len(mine) > 0: // they were removed from the workspace that the session showed
		return v.Redirect("/settings/workspaces")
	case v.Snapshot == nil:
		return v.Redirect("/setup/workspace")
	case v.isSetUp():
		return v.Redirect("/settings")
	}
	return v.Redirect("/setup/hours")
}

// isSetUp reports whether there is an event type. From then on the owner changes things in the settings, which know
// more than these screens.
func (v *visit) isSetUp() bool { return len(v.Snapshot.EventTypes) > 0 }

type ownerContent struct {
	page.Form
	Name, Email string
	ToFiles     bool
}

// ownerPage asks the first owner for their name and address.
func (v *visit) ownerPage() error {
	if err := v.Owners.CheckSetupLink(v.R.Context(), v.R.PathValue("token")); err != nil {
		return v.DeadLink(err)
	}
	return v.showOwner(http.StatusOK, &ownerContent{})
}

func (v *visit) showOwner(status int, c *ownerContent) error {
	c.ToFiles = v.ToFiles
	return v.Show(status, "owner", say.T("Set up slotd"), c)
}

func (v *visit) createOwner() error {
	if err := v.Owners.CheckSetupLink(v.R.Context(), v.R.PathValue("token")); err != nil {
		return v.DeadLink(err)
	}
	c := &ownerContent{Name: v.Value("name"), Email: v.Value("email")}
	password := v.R.PostFormValue("password")
	c.AddProblem("name", page.Sentence(say.T("Your name"), workspace.CheckName(c.Name)))
	c.AddProblem("email", page.Sentence(say.T("Your email"), workspace.CheckEmail(c.Email)))
	if password != "" || v.ToFiles {
		c.AddProblem("password", page.Sentence(say.T("The password"), identity.CheckPassword(password, c.Email)))
	}
	if len(c.Problems) > 0 {
		return v.showOwner(http.StatusUnprocessableEntity, c)
	}
	a, err := v.Owners.SetUp(v.R.Context(), v.R.PathValue("token"), c.Name, c.Email, password, v.Cookie(), v.Client)
	if err != nil {
		return v.DeadLink(err)
	}
	v.SetSession(a)
	return v.Redirect("/setup/workspace")
}

// workspaceForm has the inputs of a new workspace.
var workspaceForm = inputs.New(workspace.Parts(workspace.Fields, "workspace"), nil)

type workspaceContent struct {
	inputs.Filled
	First   bool // the owner's first workspace
	BaseURL string
}

func (v *visit) workspacePage() error {
	if err := v.mayCreate(); err != nil {
		return err
	}
	typed := workspaceForm.Show(&slotd.Workspace{TimeZone: v.BrowserZone()})
	return v.showWorkspace(http.StatusOK, &workspaceContent{Filled: workspaceForm.Fill(page.Form{}, typed)})
}

func (v *visit) showWorkspace(status int, c *workspaceContent) error {
	c.First, c.BaseURL = v.Snapshot == nil, v.BaseURL
	return v.Show(status, "workspace", say.T("Your workspace"), c)
}

// maxWorkspaces is the limit for one owner.
const maxWorkspaces = 50

func (v *visit) createWorkspace() error {
	c := &workspaceContent{Filled: workspaceForm.Fill(page.Form{}, workspaceForm.Typed(v.Visit))}
	if c.Typed["slug"] == "" {
		c.Typed["slug"] = page.Slugify(c.Typed["name"])
	}
	w := v.newWorkspace(c.Typed)
	if v.Snapshot != nil && v.Snapshot.Slug == w.Slug && v.Snapshot.Name == w.Name && !v.isSetUp() { // sent twice
		return v.Redirect("/setup/hours")
	}
	if err := v.mayCreate(); err != nil {
		return err
	}
	field := func(path string) (field, subject string) { return workspaceForm.Field(path, c.Typed) }
	if problems := workspace.Validate(w); len(problems) > 0 {
		c.AddProblems(&workspace.ValidationError{Problems: problems}, field)
		return v.showWorkspace(http.StatusUnprocessableEntity, c)
	}
	id, err := v.putWorkspace(w)
	if c.AddProblems(err, field) {
		return v.showWorkspace(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	if err := v.Owners.SwitchWorkspace(v.R.Context(), v.Session, id); err != nil {
		return err
	}
	return v.Redirect("/setup/hours")
}

// mayCreate returns an error unless the owner may create a workspace. Where strangers cannot sign up, somebody who was
// removed from all workspaces counts as a stranger too.
func (v *visit) mayCreate() error {
	ctx := v.R.Context()
	mine, err := v.Owners.Workspaces(ctx, v.Session.User.ID)
	if err != nil {
		return err
	}
	if len(mine) >= maxWorkspaces {
		return page.Refuse(slotd.InvalidArgument, say.N(len(mine), "You have %d workspace, the most an owner can have.",
			"You have %d workspaces, the most an owner can have."))
	}
	if len(mine) > 0 || v.Owners.OpenSignUp {
		return nil
	}
	if exists, err := v.Owners.HasWorkspaces(ctx); err != nil || !exists {
		return err
	}
	return page.Refuse(slotd.Unauthorized,
		say.T("You don't have a workspace here. An owner of one can invite you to theirs."))
}

// newWorkspace returns a workspace with ordinary hours and no event types.
func (v *visit) newWorkspace(typed inputs.Values) *slotd.Workspace {
	name := v.Session.User.Name
	if name == "" {
		name, _, _ = strings.Cut(v.Session.User.Email, "@")
	}
	w := &slotd.Workspace{
		Host:      slotd.Host{Name: name, Email: v.Session.User.Email},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: page.DefaultWeek()}},
	}
	workspaceForm.Read(w, typed)
	return w
}

// putWorkspace creates the workspace and adds its first owner in one transaction. It fails if the workspace already
// exists.
func (v *visit) putWorkspace(w *slotd.Workspace) (id int64, err error) {
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
