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

// SavedPasskey is a passkey of a user.
type SavedPasskey struct {
	ID         []byte // the credential id chosen by the device
	Name       string
	CreatedAt  time.Time
	LastUsedAt time.Time // zero if it was never used
}

// Passkeys lists a user's passkeys, oldest first.
func (s *Service) Passkeys(ctx context.Context, userID int64) ([]SavedPasskey, error) {
	rows, err := s.DB.Read().Passkeys(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list the passkeys: %w", err)
	}
	list := make([]SavedPasskey, len(rows))
	for i, row := range rows {
		list[i] = SavedPasskey{ID: row.ID, Name: row.Name, CreatedAt: fromMillis(row.CreatedAt)}
		if row.LastUsedAt != 0 {
			list[i].LastUsedAt = fromMillis(row.LastUsedAt)
		}
	}
	return list, nil
}

// RemovePasskey deletes one of the user's passkeys. canMail reports whether this server can mail sign-in links. Without
// mail and without a password, the last passkey cannot be removed.
func (s *Service) RemovePasskey(ctx context.Context, session *Session, id []byte, canMail bool,
	client Client) (found bool, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		hasPassword, passkeys, err := lockSignInMethods(ctx, tx, session.User.ID)
		if err != nil {
			return err
		}
		if len(passkeys) == 1 && bytes.Equal(passkeys[0].ID, id) && !hasPassword && !canMail {
			return slotd.Because(slotd.OnlyPasskey, slotd.Facts{})
		}
		n, err := tx.DeletePasskey(ctx, sqlcgen.DeletePasskeyParams{UserID: session.User.ID, ID: id})
		if found = n > 0; err != nil || !found {
			return err
		}
		return s.recordUserActivity(ctx, tx, session.User.ID, client, "passkey.removed", "")
	})
	return found, err
}

// lockSignInMethods returns the ways in which a user can sign in. It takes a lock, so that concurrent changes to them
// wait for each other.
func lockSignInMethods(ctx context.Context, tx *store.Tx, userID int64) (hasPassword bool, passkeys []sqlcgen.Passkey,
	err error) {
	if err := tx.LockKey(ctx, userID); err != nil {
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
