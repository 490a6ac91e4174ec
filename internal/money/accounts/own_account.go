package accounts

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/identity"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Change says which workspace's own account to change, and who changes it.
type Change struct {
	Slug   string
	Seen   string      // the Version that the decision was based on; empty to skip the comparison
	By     slotd.Actor // as recorded in the activity
	Detail string      // additional text for the activity
	Now    time.Time
}

// ErrChanged means that the account changed after the caller read it.
var ErrChanged = errors.New("the payment account was changed meanwhile")

// Connect sets a workspace's own account. From then on, its guests pay into that account.
func (s *Service) Connect(ctx context.Context, c Change, account stripe.Keys) error {
	if err := checkKeys(account); err != nil {
		return err
	}
	return c.apply(ctx, s.DB, "payments.connected", func(ctx context.Context, tx *store.Tx, id int64) error {
		sealed, err := sealAccount(s.Keys, id, account)
		if err != nil {
			return err
		}
		return tx.PutPaymentAccount(ctx,
			sqlcgen.PutPaymentAccountParams{WorkspaceID: id, Sealed: sealed, CreatedAt: c.Now.UnixMilli()})
	})
}

// Disconnect deletes a workspace's own account. Payments into it can no longer be refunded from here, so force is
// required while payments are open.
func (s *Service) Disconnect(ctx context.Context, c Change, force bool) error {
	return c.apply(ctx, s.DB, "payments.disconnected", func(ctx context.Context, tx *store.Tx, id int64) error {
		if open, err := openPayments(ctx, tx.Queries, id); err != nil {
			return err
		} else if open > 0 && !force {
			return slotd.Because(slotd.PaymentsOpen, slotd.Facts{Name: c.Slug, Count: open})
		}
		n, err := tx.DeletePaymentAccount(ctx, id)
		if err == nil && n == 0 {
			err = slotd.Because(slotd.NoAccount, slotd.Facts{Name: c.Slug})
		}
		return err
	})
}

func (c *Change) apply(ctx context.Context, db *store.DB, kind string,
	change func(ctx context.Context, tx *store.Tx, id int64) error) error {
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		id, err := tx.WorkspaceIDBySlug(ctx, c.Slug)
		if errors.Is(err, sql.ErrNoRows) {
			return snapshot.WorkspaceNotFound(c.Slug)
		} else if err != nil {
			return fmt.Errorf("find workspace %s: %w", c.Slug, err)
		}
		// This comes first because it locks the row: of two concurrent changes, the second sees the result of the
		// first.
		if err := tx.BumpConfigVersion(ctx, id); err != nil {
			return fmt.Errorf("count the change: %w", err)
		}
		if err := c.checkVersion(ctx, tx, id); err != nil {
			return err
		}
		if err := change(ctx, tx, id); err != nil {
			return fmt.Errorf("change the payment account of %s: %w", c.Slug, err)
		}
		if err := identity.RecordActivity(ctx, tx, id, c.By, kind, c.Detail, c.Now); err != nil {
			return err
		}
		_, err = tx.BumpVersion(ctx, id)
		return err
	})
}

func (c *Change) checkVersion(ctx context.Context, tx *store.Tx, id int64) error {
	if c.Seen == "" {
		return nil
	}
	current, err := version(ctx, tx.Queries, id)
	if err == nil && current != c.Seen {
		err = ErrChanged
	}
	return err
}

// checkKeys returns what is wrong with the keys, without repeating them.
func checkKeys(k stripe.Keys) error {
	switch {
	case !stripe.IsSecretKey(k.Secret):
		return slotd.Because(slotd.NotAStripeKey, slotd.Facts{})
	case !stripe.IsWebhookSecret(k.Webhook):
		return slotd.Because(slotd.NotAStripeSecret, slotd.Facts{})
	}
	return nil
}

// OwnKeys returns the keys of a workspace's own account, or the zero value if it has none.
func (s *Service) OwnKeys(ctx context.Context, workspaceID int64) (account stripe.Keys, err error) {
	sealed, err := s.DB.Read().PaymentAccount(ctx, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return account, nil
	} else if err != nil {
		return account, fmt.Errorf("load the payment account of workspace %d: %w", workspaceID, err)
	}
	return openAccount(s.Keys, workspaceID, sealed)
}

// Version returns a version string for a workspace's own account, or for having none. It is derived from the sealed
// bytes and reveals nothing about the keys.
func (s *Service) Version(ctx context.Context, workspaceID int64) (string, error) {
	return version(ctx, s.DB.Read(), workspaceID)
}

func version(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (string, error) {
	sealed, err := q.PaymentAccount(ctx, workspaceID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("load the payment account of workspace %d: %w", workspaceID, err)
	}
	text, err := json.Marshal([]any{"payment account", sealed})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
}
