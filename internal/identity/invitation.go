package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// MaxMembers limits a workspace's owners and pending invitations together.
const MaxMembers = 50

// Invite issues a link that makes its holder an owner of the workspace, and mails it if sendMail is set. A mailed
// invitation replaces earlier ones to the same address, and inviting an existing owner by mail is an error. Without
// mail, as the operator does it, an existing owner gets a link that signs them in.
func (s *Service) Invite(ctx context.Context, workspaceID int64, email, name string, sendMail bool, by slotd.Actor) (t Ticket,
	err error) {
	email = NormalizeEmail(email)
	if sendMail {
		if err := s.limitInvitations(email, by); err != nil {
			return t, err
		}
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		isOwner, err := s.prepareInvite(ctx, tx, workspaceID, email, sendMail)
		if err != nil {
			return err
		}
		kind := "member.invited"
		t = Ticket{Kind: Invite, Email: email, Name: name, WorkspaceID: workspaceID, Detail: actorUserID(by)}
		if isOwner { // already an owner: not a pending invitation
			t.Kind, t.Detail, kind = SignIn, "", "member.link"
		}
		if t, err = s.issueTicket(ctx, tx, t, inviteLifetime); err != nil {
			return err
		}
		if err := RecordActivity(ctx, tx, workspaceID, by, kind, email, s.Now()); err != nil || !sendMail {
			return err
		}
		return s.enqueueLinkMail(ctx, tx, t)
	})
	s.wake()
	return t, err
}

// actorUserID returns the user ID of the owner who acts, or "" if the actor is not an owner.
func actorUserID(by slotd.Actor) string {
	if by.Kind != slotd.UserActor {
		return ""
	}
	return by.ID
}

// Inviter returns the user who sent an invitation. It returns nil if the operator sent it, or if the user no longer
// exists.
func (s *Service) Inviter(ctx context.Context, t *Ticket) (*User, error) {
	id, err := strconv.ParseInt(t.Detail, 10, 64)
	if t.Kind != Invite || err != nil {
		return nil, nil
	}
	row, err := s.DB.Read().User(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look for who invites: %w", err)
	}
	return userFromRow(row), nil
}

// limitInvitations protects one address from a flood of mails, and stops one owner from mailing many addresses: owners
// choose the text of an invitation.
func (s *Service) limitInvitations(email string, by slotd.Actor) error {
	retryAfter := s.Limits.Mails.Take(attempt{account: email}, s.Now())
	if retryAfter == 0 {
		retryAfter = s.Limits.Invitations.Take(by.String(), s.Now())
	}
	if retryAfter == 0 {
		return nil
	}
	return slotd.NewError(slotd.RateLimited, slotd.Facts{RetryAfter: retryAfter})
}

func (s *Service) prepareInvite(ctx context.Context, tx *store.Tx, workspaceID int64, email string,
	sendMail bool) (isOwner bool, err error) {
	if err := tx.LockKey(ctx, workspaceID); err != nil { // concurrent invitations must see each other's count
		return false, err
	}
	members, err := tx.Members(ctx, workspaceID)
	if err != nil {
		return false, fmt.Errorf("list the owners: %w", err)
	}
	if slices.ContainsFunc(members, func(m sqlcgen.MembersRow) bool { return m.Email == email }) {
		if sendMail {
			return true, slotd.Because(slotd.AlreadyOwner, slotd.Facts{Name: email})
		}
		return true, nil
	}
	if sendMail {
		if err := tx.DropInvitationsOf(ctx,
			sqlcgen.DropInvitationsOfParams{WorkspaceID: workspaceID, Email: email}); err != nil {
			return false, fmt.Errorf("drop earlier invitations: %w", err)
		}
	}
	pending, err := tx.Invitations(ctx,
		sqlcgen.InvitationsParams{WorkspaceID: workspaceID, ExpiresAt: s.Now().UnixMilli()})
	if err != nil {
		return false, fmt.Errorf("list the invitations: %w", err)
	}
	if len(members)+len(pending) >= MaxMembers {
		return false, slotd.Because(slotd.TooManyOwners, slotd.Facts{Count: MaxMembers})
	}
	return false, nil
}

// Invitations lists a workspace's pending invitations, oldest first.
func (s *Service) Invitations(ctx context.Context, workspaceID int64) ([]Ticket, error) {
	rows, err := s.DB.Read().Invitations(ctx,
		sqlcgen.InvitationsParams{WorkspaceID: workspaceID, ExpiresAt: s.Now().UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("list the invitations: %w", err)
	}
	pending := make([]Ticket, len(rows))
	for i, row := range rows {
		pending[i] = *ticketFromRow(row)
	}
	return pending, nil
}

// RevokeInvitation invalidates an invitation's link. It reports whether the invitation existed.
func (s *Service) RevokeInvitation(ctx context.Context, workspaceID int64, id string, by slotd.Actor) (found bool,
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
