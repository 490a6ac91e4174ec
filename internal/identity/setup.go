package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"slotd"
	"slotd/internal/identity/links"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// SetupLink returns the path of the link for the very first owner. Each start of the server makes a new one. The path
// is empty if there is already a user or a workspace.
func (s *Service) SetupLink(ctx context.Context) (path string, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if empty, err := lockIfEmpty(ctx, tx); err != nil || !empty {
			return err
		}
		if err := tx.UseTicketsOf(ctx,
			sqlcgen.UseTicketsOfParams{Email: "", Purpose: string(Setup), UsedAt: s.Now().UnixMilli()}); err != nil {
			return fmt.Errorf("end the setup links before: %w", err)
		}
		t, err := s.issueTicket(ctx, tx, Ticket{Kind: Setup}, setupLifetime)
		path = s.Path(t)
		return err
	})
	return path, err
}

// lockIfEmpty is isEmpty with a lock, for callers that are about to change the result. Servers that start together then
// agree on it.
func lockIfEmpty(ctx context.Context, tx *store.Tx) (bool, error) {
	if err := tx.LockSettings(ctx); err != nil {
		return false, err
	}
	return isEmpty(ctx, tx.Queries)
}

func isEmpty(ctx context.Context, q *sqlcgen.Queries) (bool, error) {
	_, err := q.AnyUser(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = q.AnyWorkspace(ctx)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	} else if err != nil {
		return false, fmt.Errorf("look whether the database is empty: %w", err)
	}
	return false, nil
}

// IsEmpty reports whether the database has neither users nor workspaces.
func (s *Service) IsEmpty(ctx context.Context) (bool, error) { return isEmpty(ctx, s.DB.Read()) }

// CheckSetupLink returns an error if a setup link is not valid. It changes nothing.
func (s *Service) CheckSetupLink(ctx context.Context, token string) error {
	_, err := s.FindTicket(ctx, links.Setup, token)
	if err == nil {
		var empty bool
		if empty, err = isEmpty(ctx, s.DB.Read()); err == nil && !empty {
			err = errAlreadySetUp()
		}
	}
	if slotd.Is(err, slotd.Unauthorized) {
		s.Log.Warn("a setup was refused", "why", "a link that is made up, used or too old")
	}
	return err
}

func errAlreadySetUp() error {
	return slotd.Because(slotd.AlreadySetUp, slotd.Facts{})
}

// SetUp creates the first owner and signs them in. The password may be empty.
func (s *Service) SetUp(ctx context.Context, token, name, email, password, oldCookie string,
	client Client) (signedIn *SignedIn, err error) {
	_, id, ok := s.Links.Verify(links.Setup, token)
	if !ok {
		if err := s.countAttempt(client, nil, ""); err != nil {
			return nil, err
		}
		s.Log.Warn("a setup was refused", "why", "a link that is made up")
		return nil, errInvalidLink()
	}
	stored := ""
	if password != "" {
		stored = s.hashPassword(password)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if empty, err := lockIfEmpty(ctx, tx); err != nil {
			return err
		} else if !empty {
			return errAlreadySetUp()
		}
		if _, err := s.useTicket(ctx, tx, id, Setup); err != nil {
			return err
		}
		user, err := findOrCreateUser(ctx, tx, email, name, s.Now())
		if err != nil {
			return err
		}
		if err := tx.SetPassword(ctx, sqlcgen.SetPasswordParams{ID: user.ID, Password: stored}); err != nil {
			return fmt.Errorf("keep the password: %w", err)
		}
		signedIn, err = s.signInTx(ctx, tx, user, 0, oldCookie, client)
		return err
	})
	if slotd.Is(err, slotd.Unauthorized) {
		s.Log.Warn("a setup was refused", "why", "a link that is used or too old")
	}
	return signedIn, err
}

// HasWorkspaces reports whether the server has any workspace.
func (s *Service) HasWorkspaces(ctx context.Context) (bool, error) {
	_, err := s.DB.Read().AnyWorkspace(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("look for workspaces: %w", err)
	}
	return true, nil
}
