package cli

import (
	"context"
	"database/sql"
	"errors"

	"slotd/internal/store"
)

// Settings that serve stores at its start, for other commands.
const (
	BaseURLSetting  = "base_url"
	NetworksSetting = "allow_networks"
	PaymentsSetting = "payments" // not empty if the operator has an account
)

// StoredSetting returns a setting, or "" if it was never stored.
func StoredSetting(ctx context.Context, db *store.DB, name string) (string, error) {
	value, err := db.Read().Setting(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}
