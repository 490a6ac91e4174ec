package access

import (
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

const membersPath = "/settings/members"

var memberRoutes = []page.Route[visit]{
	page.At(membersPath, page.Fresh, (*visit).membersPage, (*visit).inviteMember),
	page.At(membersPath+"/take-back", page.Fresh, nil, (*visit).revokeInvitation),
	page.At(membersPath+"/remove", page.Fresh, nil, (*visit).removeMember),
	page.At(membersPath+"/leave", page.Fresh, nil, (*visit).leaveWorkspace),
}

type membersContent struct {
	page.Form
	Email, Name string       // as typed
	Done        say.Sentence // what was just done
	Members     []memberLine
	Waiting     []invitationLine
	Alone       bool // the only owner, who cannot leave
	Full        bool // nobody else can be invited
	Max         int
	ToFiles     bool
}

type memberLine struct {
	ID                  int64
	Name, Email, Joined string
	You                 bool
}

type invitationLine struct {
	ID                  string
	Name, Email, Expiry string
}

// memberNotices are the messages after a redirect. The address can only choose one of them.
var memberNotices = map[string]say.Sentence{
	"invited":    "The invitation was sent. Its link works once, within 7 days.",
	"taken-back": "The invitation was revoked. Its link no longer works.",
	"removed":    "The owner was removed and no longer has access to this workspace.",
}

func (v *visit) memberNotice(what string) say.Sentence {
	if what == "invited" && v.ToFiles {
		return "The invitation was created. This server doesn't send email: the link is in a file in its outbox. It works " +
			"once, within 7 days."
	}
	return memberNotices[what]
}

func (v *visit) membersPage() error {
	return v.showMembers(http.StatusOK, &membersContent{Form: v.NewForm(""), Done: v.memberNotice(v.Value("done"))})
}

func (v *visit) showMembers(status int, c *membersContent) error {
	ctx, l := v.R.Context(), v.Local()
	members, err := v.Owners.Members(ctx, v.Snapshot.WorkspaceID)
	if err != nil {
		return err
	}
	waiting, err := v.Owners.Invitations(ctx, v.Snapshot.WorkspaceID)
	if err != nil {
		return err
	}
	for _, m := range members {
		c.Members = append(c.Members, memberLine{m.ID, m.Name, m.Email, l.Day(m.JoinedAt), m.ID == v.Session.User.ID})
	}
	for _, t := range waiting {
		c.Waiting = append(c.Waiting, invitationLine{t.ID.String(), t.Name, t.Email, l.ShortInstant(t.ExpiresAt)})
	}
	c.Alone, c.Max, c.ToFiles = len(members) == 1, identity.MaxMembers, v.ToFiles
	c.Full = len(members)+len(waiting) >= identity.MaxMembers
	return v.Show(status, "members", say.T("Members"), c)
}

func (v *visit) inviteMember() error {
	c := &membersContent{Form: v.NewForm(""), Email: v.Value("email"), Name: v.Value("name")}
	c.AddProblem("email", page.Sentence(say.T("The address"), workspace.CheckEmail(c.Email)))
	if c.Name != "" {
		c.AddProblem("name", page.Sentence(say.T("The name"), workspace.CheckName(c.Name)))
	}
	if len(c.Problems) > 0 {
		return v.showMembers(http.StatusUnprocessableEntity, c)
	}
	_, err := v.Owners.Invite(v.R.Context(), v.Snapshot.WorkspaceID, c.Email, c.Name, true, v.Actor())
	if slotd.Is(err, slotd.InvalidArgument) {
		c.AddProblem("email", page.ErrorText(err))
		return v.showMembers(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return v.Redirect(membersPath + "?done=invited")
}

// revokeInvitation revokes an invitation. If it was accepted or revoked in the meantime, the page says so.
func (v *visit) revokeInvitation() error {
	found, err := v.Owners.RevokeInvitation(v.R.Context(), v.Snapshot.WorkspaceID, v.Value("invitation"), v.Actor())
	if err != nil {
		return err
	}
	if !found {
		c := &membersContent{Form: v.NewForm("")}
		c.Trouble = say.T("This invitation is no longer pending: it was accepted or revoked in the meantime.")
		return v.showMembers(http.StatusConflict, c)
	}
	return v.Redirect(membersPath + "?done=taken-back")
}

func (v *visit) removeMember() error {
	id, err := strconv.ParseInt(v.Value("member"), 10, 64)
	if err != nil {
		id = 0
	}
	if id == v.Session.User.ID {
		return v.leaveWorkspace()
	}
	return v.remove(id, func() error { return v.Redirect(membersPath + "?done=removed") })
}

// leaveWorkspace shows another of the owner's workspaces afterwards, or the setup if there is none.
func (v *visit) leaveWorkspace() error {
	return v.remove(v.Session.User.ID, func() error {
		mine, err := v.Owners.Workspaces(v.R.Context(), v.Session.User.ID)
		if err != nil {
			return err
		}
		if len(mine) == 0 {
			return v.Redirect("/setup")
		}
		if err := v.Owners.SwitchWorkspace(v.R.Context(), v.Session, mine[0].ID); err != nil {
			return err
		}
		return v.Redirect("/settings")
	})
}

func (v *visit) remove(userID int64, then func() error) error {
	isMember, err := v.Owners.IsMember(v.R.Context(), v.Snapshot.WorkspaceID, userID)
	if err != nil {
		return err
	}
	c := &membersContent{Form: v.NewForm("")}
	if !isMember {
		c.Trouble = say.T("This person is no longer an owner: they left, or someone else removed them.")
		return v.showMembers(http.StatusConflict, c)
	}
	err = v.Owners.RemoveMember(v.R.Context(), v.Snapshot.WorkspaceID, userID, v.Actor())
	if c.AddProblems(err, nil) {
		return v.showMembers(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return then()
}
