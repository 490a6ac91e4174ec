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

// FirstLink is the link of the very first owner, new at every start. It is empty where there is a user or a workspace
// already.
func (s *Service) SetupLink(ctx context.Context) (path string, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if empty, err := lockIfEmpty(ctx, tx); err != nil || !empty {
			return err
		}
		if err := tx.UseTicketsOf(ctx,
			sqlcgen.UseTicketsOfParams{Email: "", Purpose: string(Setup), UsedAt: s.Now().UnixMilli()}); err != nil {
			return fmt.Errorf("end the setup links before: %w", err)
		}
		t, err := s.issue(ctx, tx, Ticket{Purpose: Setup}, setupLives)
		path = s.Path(t)
		return err
	})
	return path, err
}

// lockIfEmpty is isEmpty for those who are about to change it: servers that start together agree about it.
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

// IsEmpty reports whether nobody and nothing is here yet.
func (s *Service) IsEmpty(ctx context.Context) (bool, error) { return isEmpty(ctx, s.DB.Read()) }

// LookFirst says whether a setup link is good, and changes nothing.
func (s *Service) CheckSetupLink(ctx context.Context, token string) error {
	_, err := s.FindTicket(ctx, links.Setup, token)
	if err == nil {
		var empty bool
		if empty, err = isEmpty(ctx, s.DB.Read()); err == nil && !empty {
			err = errSetUp()
		}
	}
	if slotd.Is(err, slotd.Unauthorized) {
		s.Log.Warn("a setup was refused", "why", "a link that is made up, used or too old")
	}
	return err
}

func errSetUp() error {
	return slotd.Errorf(slotd.Unauthorized, "This server is set up already. Its owners sign in.")
}

// First makes the first owner and signs them in. The password may be empty.
func (s *Service) SetUp(ctx context.Context, token, name, email, password, old string, client Client) (a *SignedIn,
	err error) {
	_, id, ok := s.Links.Verify(links.Setup, token)
	if !ok {
		if err := s.count(client, nil, ""); err != nil {
			return nil, err
		}
		s.Log.Warn("a setup was refused", "why", "a link that is made up")
		return nil, errNoTicket()
	}
	stored := ""
	if password != "" {
		stored = s.hash(password)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if empty, err := lockIfEmpty(ctx, tx); err != nil {
			return err
		} else if !empty {
			return errSetUp()
		}
		if _, err := s.use(ctx, tx, id, Setup); err != nil {
			return err
		}
		user, err := ensure(ctx, tx, email, name, s.Now())
		if err != nil {
			return err
		}
		if err := tx.SetPassword(ctx, sqlcgen.SetPasswordParams{ID: user.ID, Password: stored}); err != nil {
			return fmt.Errorf("keep the password: %w", err)
		}
		a, err = s.arriveIn(ctx, tx, user, 0, old, client)
		return err
	})
	if slotd.Is(err, slotd.Unauthorized) {
		s.Log.Warn("a setup was refused", "why", "a link that is used or too old")
	}
	return a, err
}
