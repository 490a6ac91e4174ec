package owner

import (
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/workspace"
)

const membersPath = "/settings/members"

var memberRoutes = []route{
	{membersPath, fresh, (*visit).membersPage, (*visit).inviteMember},
	{membersPath + "/take-back", fresh, nil, (*visit).takeBack},
	{membersPath + "/remove", fresh, nil, (*visit).removeMember},
	{membersPath + "/leave", fresh, nil, (*visit).leaveWorkspace},
}

type membersContent struct {
	form
	Email, Name string // as they were typed
	Done        string // what was done a moment ago
	Members     []memberLine
	Waiting     []invitationLine
	Alone       bool // and so cannot leave
	Full        bool // nobody else can be invited
	Most        int
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

// memberDone are the sentences after a redirect: the address says which, and nothing of its own.
var memberDone = map[string]string{
	"invited":    "The invitation is on its way. Its link works once, within 7 days.",
	"taken-back": "The invitation was taken back: its link does not work any more.",
	"removed":    "Removed. Their next click shows them that this workspace is not theirs any more.",
}

func (v *visit) memberDone(what string) string {
	if what == "invited" && v.ToFiles {
		return "The invitation is made. This server sends no mail: the link lies in its outbox as a file. It works " +
			"once, within 7 days."
	}
	return memberDone[what]
}

func (v *visit) membersPage() error {
	return v.showMembers(http.StatusOK, &membersContent{form: v.newForm(""), Done: v.memberDone(v.value("done"))})
}

func (v *visit) showMembers(status int, c *membersContent) error {
	ctx, l := v.r.Context(), v.local()
	members, err := v.Owners.Members(ctx, v.snapshot.WorkspaceID)
	if err != nil {
		return err
	}
	waiting, err := v.Owners.Invitations(ctx, v.snapshot.WorkspaceID)
	if err != nil {
		return err
	}
	for _, m := range members {
		c.Members = append(c.Members, memberLine{m.ID, m.Name, m.Email, l.Day(m.JoinedAt), m.ID == v.session.User.ID})
	}
	for _, t := range waiting {
		c.Waiting = append(c.Waiting, invitationLine{t.ID.String(), t.Name, t.Email, l.ShortInstant(t.ExpiresAt)})
	}
	c.Alone, c.Most, c.ToFiles = len(members) == 1, identity.MaxMembers, v.ToFiles
	c.Full = len(members)+len(waiting) >= identity.MaxMembers
	return v.show(status, "members", "Members", c)
}

func (v *visit) inviteMember() error {
	c := &membersContent{form: v.newForm(""), Email: v.value("email"), Name: v.value("name")}
	c.wrong("email", sentence("The address", workspace.CheckEmail(c.Email)))
	if c.Name != "" {
		c.wrong("name", sentence("The name", workspace.CheckName(c.Name)))
	}
	if len(c.Problems) > 0 {
		return v.showMembers(http.StatusUnprocessableEntity, c)
	}
	_, err := v.Owners.Invite(v.r.Context(), v.snapshot.WorkspaceID, c.Email, c.Name, true, v.actor())
	if slotd.Is(err, slotd.InvalidArgument) {
		c.wrong("email", message(err))
		return v.showMembers(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return v.leave(membersPath + "?done=invited")
}

// takeBack of what somebody else took back, or of what was used, is no trouble: the page shows how it is.
func (v *visit) takeBack() error {
	found, err := v.Owners.RevokeInvitation(v.r.Context(), v.snapshot.WorkspaceID, v.value("invitation"), v.actor())
	if err != nil {
		return err
	}
	if !found {
		c := &membersContent{form: v.newForm("")}
		c.Trouble = "This invitation does not wait any more: it was accepted or taken back meanwhile."
		return v.showMembers(http.StatusConflict, c)
	}
	return v.leave(membersPath + "?done=taken-back")
}

func (v *visit) removeMember() error {
	id, err := strconv.ParseInt(v.value("member"), 10, 64)
	if err != nil {
		id = 0
	}
	if id == v.session.User.ID {
		return v.leaveWorkspace()
	}
	return v.remove(id, func() error { return v.leave(membersPath + "?done=removed") })
}

// leaveWorkspace shows another of the owner's workspaces afterwards, or how to make one.
func (v *visit) leaveWorkspace() error {
	return v.remove(v.session.User.ID, func() error {
		mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
		if err != nil {
			return err
		}
		if len(mine) == 0 {
			return v.leave("/setup")
		}
		if err := v.Owners.SwitchWorkspace(v.r.Context(), v.session, mine[0].ID); err != nil {
			return err
		}
		return v.leave("/settings")
	})
}

func (v *visit) remove(userID int64, then func() error) error {
	mine, err := v.Owners.IsMember(v.r.Context(), v.snapshot.WorkspaceID, userID)
	if err != nil {
		return err
	}
	c := &membersContent{form: v.newForm("")}
	if !mine {
		c.Trouble = "This is no owner of the workspace any more: somebody has removed them meanwhile, or they have " +
			"left."
		return v.showMembers(http.StatusConflict, c)
	}
	err = v.Owners.RemoveMember(v.r.Context(), v.snapshot.WorkspaceID, userID, v.actor())
	if c.explain(err, nil) {
		return v.showMembers(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return then()
}
