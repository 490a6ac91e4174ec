package identity

import (
	"context"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Workspace is a workspace that a user owns.
type Workspace struct {
	ID         int64
	Slug, Name string
}

// Workspaces lists the workspaces of a user, oldest membership first.
func (s *Service) Workspaces(ctx context.Context, userID int64) ([]Workspace, error) {
	rows, err := s.DB.Read().WorkspacesOfUser(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list a user's workspaces: %w", err)
	}
	workspaces := make([]Workspace, len(rows))
	for i, row := range rows {
		workspaces[i] = Workspace(row)
	}
	return workspaces, nil
}

// Member is an owner of a workspace.
type Member struct {
	User
	JoinedAt time.Time
}

// Members lists a workspace's owners, oldest first.
func (s *Service) Members(ctx context.Context, workspaceID int64) ([]Member, error) {
	rows, err := s.DB.Read().Members(ctx, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list the owners: %w", err)
	}
	members := make([]Member, len(rows))
	for i, row := range rows {
		members[i] = Member{User{ID: row.ID, Email: row.Email, Name: row.Name}, fromMillis(row.JoinedAt)}
	}
	return members, nil
}

// AddMember makes a user an owner of a workspace, in the transaction that creates the workspace.
func (s *Service) AddMember(ctx context.Context, tx *store.Tx, workspaceID, userID int64) error {
	_, err := tx.InsertMember(ctx,
		sqlcgen.InsertMemberParams{WorkspaceID: workspaceID, UserID: userID, JoinedAt: s.Now().UnixMilli()})
	if err != nil {
		return fmt.Errorf("add an owner: %w", err)
	}
	return nil
}

func (s *Service) addInvitedMember(ctx context.Context, tx *store.Tx, workspaceID int64, user *User,
	client Client) error {
	n, err := tx.InsertMember(ctx,
		sqlcgen.InsertMemberParams{WorkspaceID: workspaceID, UserID: user.ID, JoinedAt: s.Now().UnixMilli()})
	if err != nil {
		return fmt.Errorf("add an owner: %w", err)
	}
	if n == 0 {
		return nil
	}
	return RecordActivity(ctx, tx, workspaceID, slotd.NewUserActor(user.ID, client.AddressText()), "member.joined", "", s.Now())
}

// IsMember reports whether the user owns the workspace.
func (s *Service) IsMember(ctx context.Context, workspaceID, userID int64) (bool, error) {
	if workspaceID == 0 {
		return false, nil
	}
	isMember, err := s.DB.Read().IsMember(ctx, sqlcgen.IsMemberParams{WorkspaceID: workspaceID, UserID: userID})
	if err != nil {
		return false, fmt.Errorf("look for an owner: %w", err)
	}
	return isMember, nil
}

// RemoveMember removes an owner from a workspace. The last owner cannot be removed.
func (s *Service) RemoveMember(ctx context.Context, workspaceID, userID int64, by slotd.Actor) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Two owners who leave at the same time must see each other.
		if err := tx.LockKey(ctx, workspaceID); err != nil {
			return err
		}
		members, err := tx.Members(ctx, workspaceID)
		if err != nil {
			return fmt.Errorf("list the owners: %w", err)
		}
		if len(members) == 1 && members[0].ID == userID {
			return slotd.Because(slotd.LastOwner, slotd.Facts{})
		}
		n, err := tx.DeleteMember(ctx, sqlcgen.DeleteMemberParams{WorkspaceID: workspaceID, UserID: userID})
		if err != nil || n == 0 {
			return err
		}
		if err := dropInvitations(ctx, tx, workspaceID, members, userID); err != nil {
			return err
		}
		return RecordActivity(ctx, tx, workspaceID, by, "member.removed", fmt.Sprintf("user:%d", userID), s.Now())
	})
}

// dropInvitations deletes the invitations that a removed owner could still use to come back.
func dropInvitations(ctx context.Context, tx *store.Tx, workspaceID int64, members []sqlcgen.MembersRow,
	userID int64) error {
	for _, m := range members {
		if m.ID != userID {
			continue
		}
		if err := tx.DropInvitationsOf(ctx,
			sqlcgen.DropInvitationsOfParams{WorkspaceID: workspaceID, Email: m.Email}); err != nil {
			return fmt.Errorf("drop invitations: %w", err)
		}
	}
	return nil
}
