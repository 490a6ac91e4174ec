package identity

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// SavedPasskey is a passkey of a user's.
type SavedPasskey struct {
	ID         []byte // its device's own name for it
	Name       string
	CreatedAt  time.Time
	LastUsedAt time.Time // zero: never
}

// Passkeys lists a user's own, the oldest first.
func (s *Service) Passkeys(ctx context.Context, userID int64) ([]SavedPasskey, error) {
	rows, err := s.DB.Read().Passkeys(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list the passkeys: %w", err)
	}
	list := make([]SavedPasskey, len(rows))
	for i, row := range rows {
		list[i] = SavedPasskey{ID: row.ID, Name: row.Name, CreatedAt: timeOf(row.CreatedAt)}
		if row.LastUsedAt != 0 {
			list[i].LastUsedAt = timeOf(row.LastUsedAt)
		}
	}
	return list, nil
}

// RemovePasskey takes one of the user's own away. mailed says whether links reach people: without them, and without a
// password, the last one stays.
func (s *Service) RemovePasskey(ctx context.Context, session *Session, id []byte, mailed bool,
	client Client) (found bool, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		hasPassword, passkeys, err := lockWays(ctx, tx, session.User.ID)
		if err != nil {
			return err
		}
		if len(passkeys) == 1 && bytes.Equal(passkeys[0].ID, id) && !hasPassword && !mailed {
			return slotd.Errorf(slotd.InvalidArgument,
				"This passkey is the only way you can sign in: this server sends no mail, and you have no password. "+
					"Set a password first.")
		}
		n, err := tx.DeletePasskey(ctx, sqlcgen.DeletePasskeyParams{UserID: session.User.ID, ID: id})
		if found = n > 0; err != nil || !found {
			return err
		}
		return s.note(ctx, tx, session.User.ID, client, "passkey.removed", "")
	})
	return found, err
}

// lockWays reads how a user can sign in. Whoever is about to take one of them away, or to add one, waits for the
// others.
func lockWays(ctx context.Context, tx *store.Tx, userID int64) (hasPassword bool, passkeys []sqlcgen.Passkey,
	err error) {
	if err := tx.LockNumber(ctx, userID); err != nil {
		return false, nil, err
	}
	row, err := tx.User(ctx, userID)
	if err != nil {
		return false, nil, fmt.Errorf("look for a user: %w", err)
	}
	if passkeys, err = tx.Passkeys(ctx, userID); err != nil {
		return false, nil, fmt.Errorf("list the passkeys: %w", err)
	}
	return row.Password != "", passkeys, nil
}
