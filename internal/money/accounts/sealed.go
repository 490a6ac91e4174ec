package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

func sealAccount(keys *seal.Keys, workspaceID int64, account stripe.Keys) ([]byte, error) {
	plain, err := json.Marshal(account)
	if err != nil {
		return nil, err
	}
	return keys.Seal(plain, sealIdentity(workspaceID))
}

func openAccount(keys *seal.Keys, workspaceID int64, sealed []byte) (account stripe.Keys, err error) {
	if keys == nil {
		return account, seal.ErrOtherKey
	}
	plain, err := keys.Open(sealed, sealIdentity(workspaceID))
	if err != nil {
		return account, err
	}
	return account, json.Unmarshal(plain, &account)
}

// sealIdentity names what an account is sealed for, so that it cannot be opened in another workspace's row.
func sealIdentity(workspaceID int64) string {
	return strings.Join([]string{"payment account", strconv.FormatInt(workspaceID, 10)}, " ")
}

// Reseal seals every workspace's own account again. It leaves alone what the keys cannot open, and names it in locked.
func Reseal(ctx context.Context, tx *store.Tx, keys *seal.Keys) (resealed int, locked []string, err error) {
	rows, err := tx.SealedPaymentAccounts(ctx)
	if err != nil {
		return 0, nil, fmt.Errorf("list the payment accounts: %w", err)
	}
	for _, row := range rows {
		account, err := openAccount(keys, row.WorkspaceID, row.Sealed)
		if err != nil {
			locked = append(locked, say.T("payment account %d", row.WorkspaceID))
			continue
		}
		newSealed, err := sealAccount(keys, row.WorkspaceID, account)
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

// Locked returns the workspaces whose own accounts cannot be opened with the service's keys.
func (s *Service) Locked(ctx context.Context) (locked []int64, err error) {
	rows, err := s.DB.Read().SealedPaymentAccounts(ctx)
	for _, row := range rows {
		if _, err := openAccount(s.Keys, row.WorkspaceID, row.Sealed); err != nil {
			locked = append(locked, row.WorkspaceID)
		}
	}
	return locked, err
}
