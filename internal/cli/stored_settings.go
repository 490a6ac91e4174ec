package cli

import (
	"context"
	"database/sql"
	"errors"

	"slotd/internal/store"
)

// Settings that serve stores, so that other commands know what it was last started with.
const (
	BaseURLSetting  = "base_url"
	NetworksSetting = "allow_networks"
	PaymentsSetting = "payments" // not empty: the operator has an account
)

// StoredSetting returns a setting; "" if it was never stored.
func StoredSetting(ctx context.Context, db *store.DB, name string) (string, error) {
	value, err := db.Read().Setting(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}
