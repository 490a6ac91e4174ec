package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// MaxMembers bounds a workspace's owners and those who are invited.
const MaxMembers = 50

// Invite makes a link that makes its holder an owner of the workspace, and has it mailed if it is to be. A mailed one
// takes the place of those before, and nobody is mailed who is an owner already; the operator's link lets such a one
// in.
func (s *Service) Invite(ctx context.Context, workspaceID int64, email, name string, mailed bool, by Actor) (t Ticket,
	err error) {
	email = NormalizeEmail(email)
	if mailed {
		if err := s.countInvitation(email, by); err != nil {
			return t, err
		}
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		isOwner, err := s.mayInvite(ctx, tx, workspaceID, email, mailed)
		if err != nil {
			return err
		}
		kind := "member.invited"
		t = Ticket{Purpose: Invite, Email: email, Name: name, WorkspaceID: workspaceID, Detail: userIn(by)}
		if isOwner { // nobody waits for them
			t.Purpose, t.Detail, kind = SignIn, "", "member.link"
		}
		if t, err = s.issue(ctx, tx, t, inviteLives); err != nil {
			return err
		}
		if err := RecordActivity(ctx, tx, workspaceID, by, kind, email, s.Now()); err != nil || !mailed {
			return err
		}
		return s.post(ctx, tx, t)
	})
	s.wake()
	return t, err
}

// userIn is the id of the owner who acts; empty: it is somebody else.
func userIn(by Actor) string {
	id, ok := strings.CutPrefix(by.Name, "user:")
	if !ok {
		return ""
	}
	return id
}

// Inviter is who has sent an invitation; nil where it was the operator, or somebody who is gone.
func (s *Service) Inviter(ctx context.Context, t *Ticket) (*User, error) {
	id, err := strconv.ParseInt(t.Detail, 10, 64)
	if t.Purpose != Invite || err != nil {
		return nil, nil
	}
	row, err := s.DB.Read().User(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look for who invites: %w", err)
	}
	return userOf(row), nil
}

// countInvitation keeps one address from being flooded, and one owner from flooding many: an invitation's words are
// theirs.
func (s *Service) countInvitation(email string, by Actor) error {
	wait := s.Limits.Mails.Take(try{account: email}, s.Now())
	if wait == 0 {
		wait = s.Limits.Invitations.Take(by.Name, s.Now())
	}
	if wait == 0 {
		return nil
	}
	no := slotd.Errorf(slotd.RateLimited, "Too many invitations.")
	no.RetryAfter = wait
	return no
}

func (s *Service) mayInvite(ctx context.Context, tx *store.Tx, workspaceID int64, email string,
	mailed bool) (isOwner bool, err error) {
	if err := tx.LockNumber(ctx, workspaceID); err != nil { // two who invite the last one at once must see each other
		return false, err
	}
	members, err := tx.Members(ctx, workspaceID)
	if err != nil {
		return false, fmt.Errorf("list the owners: %w", err)
	}
	if slices.ContainsFunc(members, func(m sqlcgen.MembersRow) bool { return m.Email == email }) {
		if mailed {
			return true, slotd.Errorf(slotd.InvalidArgument, "%s is an owner of this workspace already.", email)
		}
		return true, nil
	}
	if mailed {
		if err := tx.DropInvitationsOf(ctx,
			sqlcgen.DropInvitationsOfParams{WorkspaceID: workspaceID, Email: email}); err != nil {
			return false, fmt.Errorf("drop earlier invitations: %w", err)
		}
	}
	waiting, err := tx.Invitations(ctx,
		sqlcgen.InvitationsParams{WorkspaceID: workspaceID, ExpiresAt: s.Now().UnixMilli()})
	if err != nil {
		return false, fmt.Errorf("list the invitations: %w", err)
	}
	if len(members)+len(waiting) >= MaxMembers {
		return false, slotd.Errorf(slotd.InvalidArgument,
			"A workspace has at most %d owners, those included who are invited. Remove one, or take an invitation back.", MaxMembers)
	}
	return false, nil
}

// Invitations lists a workspace's that wait, the oldest first.
func (s *Service) Invitations(ctx context.Context, workspaceID int64) ([]Ticket, error) {
	rows, err := s.DB.Read().Invitations(ctx,
		sqlcgen.InvitationsParams{WorkspaceID: workspaceID, ExpiresAt: s.Now().UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("list the invitations: %w", err)
	}
	waiting := make([]Ticket, len(rows))
	for i, row := range rows {
		waiting[i] = *ticketOf(row)
	}
	return waiting, nil
}

// TakeBack makes an invitation's link worth nothing. It reports whether there was one.
func (s *Service) RevokeInvitation(ctx context.Context, workspaceID int64, id string, by Actor) (found bool,
	err error) {
	if uuid.Validate(id) != nil {
		return false, nil
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DropInvitation(ctx, sqlcgen.DropInvitationParams{WorkspaceID: workspaceID, ID: id})
		if found = n > 0; err != nil || !found {
			return err
		}
		return RecordActivity(ctx, tx, workspaceID, by, "member.invitation.canceled", "", s.Now())
	})
	if err != nil {
		return false, fmt.Errorf("take an invitation back: %w", err)
	}
	return found, nil
}
