package workspace

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/identity"
	"slotd/internal/lib/seal"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// AccountChange says which workspace's payment account to change, and who changes it.
type AccountChange struct {
	Slug   string
	Seen   string         // the AccountVersion that the decision was based on; empty to skip the comparison
	By     identity.Actor // as recorded in the activity
	Detail string         // additional text for the activity
	Now    time.Time
}

// ErrAccountChanged means that the account changed after the caller read it.
var ErrAccountChanged = errors.New("the payment account was changed meanwhile")

// PutAccount sets a workspace's own payment account. From then on, its guests pay into that account.
func PutAccount(ctx context.Context, db *store.DB, keys *seal.Keys, c AccountChange, account stripe.Keys) error {
	if reason := checkAccount(account); reason != "" {
		return slotd.Errorf(slotd.InvalidArgument, "%s", reason)
	}
	return c.apply(ctx, db, "payments.connected", func(ctx context.Context, tx *store.Tx, id int64) error {
		sealed, err := keys.Seal([]byte(encode(account)), accountIdentity(id))
		if err != nil {
			return err
		}
		return tx.PutPaymentAccount(ctx,
			sqlcgen.PutPaymentAccountParams{WorkspaceID: id, Sealed: sealed, CreatedAt: c.Now.UnixMilli()})
	})
}

// DropAccount deletes a workspace's own payment account. Payments into it can no longer be refunded from here, so force
// is required while payments are open.
func DropAccount(ctx context.Context, db *store.DB, c AccountChange, force bool) error {
	return c.apply(ctx, db, "payments.disconnected", func(ctx context.Context, tx *store.Tx, id int64) error {
		if open, err := OpenPayments(ctx, tx.Queries, id); err != nil {
			return err
		} else if open > 0 && !force {
			return slotd.Errorf(slotd.InvalidArgument,
				"guests of %q are paying, or money is due to them (%d): without the account nobody would hear of it; "+
					"see slotd payments list, or use --force", c.Slug, open)
		}
		n, err := tx.DeletePaymentAccount(ctx, id)
		if err == nil && n == 0 {
			err = slotd.Errorf(slotd.InvalidArgument, "workspace %q has no payment account of its own", c.Slug)
		}
		return err
	})
}

// AccountVersion returns a version string for the workspace's account, or for having none. It is derived from the
// sealed bytes and reveals nothing about the keys.
func AccountVersion(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (string, error) {
	sealed, err := q.PaymentAccount(ctx, workspaceID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("load the payment account of workspace %d: %w", workspaceID, err)
	}
	return Version("payment account", sealed), nil
}

// OpenPayments counts the guests who may be paying into a workspace's own account, or who are owed a refund from it.
func OpenPayments(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (int, error) {
	open, err := q.CountOpenOwnCheckouts(ctx, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("count the open checkouts of workspace %d: %w", workspaceID, err)
	}
	rows, err := q.OwnPayments(ctx, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("load the payments of workspace %d: %w", workspaceID, err)
	}
	return int(open) + countRefundsDue(rows), nil
}

// countRefundsDue counts the bookings with a refund that is still due.
func countRefundsDue(rows []sqlcgen.OwnPaymentsRow) (due int) {
	ledgers := map[string]ledger.Ledger{}
	for _, row := range rows {
		ledgers[row.BookingID] = append(ledgers[row.BookingID],
			ledger.Entry{Kind: ledger.Kind(row.Kind), Amount: row.AmountCents, Reference: row.Reference})
	}
	for _, l := range ledgers {
		if l.Due() > 0 {
			due++
		}
	}
	return due
}

func (c *AccountChange) apply(ctx context.Context, db *store.DB, kind string,
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
		_, err = tx.Bump(ctx, id)
		return err
	})
}

func (c *AccountChange) checkVersion(ctx context.Context, tx *store.Tx, id int64) error {
	if c.Seen == "" {
		return nil
	}
	current, err := AccountVersion(ctx, tx.Queries, id)
	if err == nil && current != c.Seen {
		err = ErrAccountChanged
	}
	return err
}

// Account returns a workspace's own account, or the zero value if it has none.
func Account(ctx context.Context, q *sqlcgen.Queries, keys *seal.Keys, workspaceID int64) (account stripe.Keys,
	err error) {
	sealed, err := q.PaymentAccount(ctx, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return account, nil
	} else if err != nil {
		return account, fmt.Errorf("load the payment account of workspace %d: %w", workspaceID, err)
	}
	return openAccount(keys, workspaceID, sealed)
}

func openAccount(keys *seal.Keys, workspaceID int64, sealed []byte) (account stripe.Keys, err error) {
	if keys == nil {
		return account, seal.ErrOtherKey
	}
	plain, err := keys.Open(sealed, accountIdentity(workspaceID))
	if err != nil {
		return account, err
	}
	return account, json.Unmarshal(plain, &account)
}

func accountIdentity(workspaceID int64) string { return fmt.Sprintf("payment account %d", workspaceID) }

// checkAccount returns what is wrong with the keys, without repeating them.
func checkAccount(k stripe.Keys) string {
	switch {
	case !stripe.IsSecretKey(k.Secret):
		return "the Stripe key must be a secret or restricted one, such as sk_live_… or rk_live_…"
	case !stripe.IsWebhookSecret(k.Webhook):
		return "the webhook secret must be the one that Stripe shows for the endpoint, such as whsec_…"
	}
	return ""
}

// resealAccounts is Reseal for payment accounts.
func resealAccounts(ctx context.Context, tx *store.Tx, keys *seal.Keys) (resealed int, locked []string, err error) {
	rows, err := tx.SealedPaymentAccounts(ctx)
	if err != nil {
		return 0, nil, fmt.Errorf("list the payment accounts: %w", err)
	}
	for _, row := range rows {
		account, err := openAccount(keys, row.WorkspaceID, row.Sealed)
		if err != nil {
			locked = append(locked, accountIdentity(row.WorkspaceID))
			continue
		}
		newSealed, err := keys.Seal([]byte(encode(account)), accountIdentity(row.WorkspaceID))
		if err != nil {
			return 0, nil, err
		}
		n, err := tx.SealPaymentAccount(ctx,
			sqlcgen.SealPaymentAccountParams{WorkspaceID: row.WorkspaceID, Sealed: newSealed, Sealed_2: row.Sealed})
		if err == nil && n == 0 {
			err = errors.New("it was changed meanwhile: try again")
		}
		if err != nil {
			return 0, nil, fmt.Errorf("reseal the payment account of workspace %d: %w", row.WorkspaceID, err)
		}
		resealed++
	}
	return resealed, locked, nil
}

// LockedAccounts returns the workspaces whose payment accounts cannot be opened with the keys.
func LockedAccounts(ctx context.Context, db *store.DB, keys *seal.Keys) (locked []int64, err error) {
	rows, err := db.Read().SealedPaymentAccounts(ctx)
	for _, row := range rows {
		if _, err := openAccount(keys, row.WorkspaceID, row.Sealed); err != nil {
			locked = append(locked, row.WorkspaceID)
		}
	}
	return locked, err
}
