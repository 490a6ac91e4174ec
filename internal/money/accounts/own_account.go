package accounts

import (
	"context"
	"time"

	"slotd/internal/money/stripe"
	"slotd/internal/workspace"
)

// OwnKeys returns the keys of a workspace's own account, or zero Keys if it has none.
func (s *Service) OwnKeys(ctx context.Context, workspaceID int64) (stripe.Keys, error) {
	return workspace.Account(ctx, s.DB.Read(), s.Keys, workspaceID)
}

// Version returns a version that changes whenever a workspace's own account changes.
func (s *Service) Version(ctx context.Context, workspaceID int64) (string, error) {
	return workspace.AccountVersion(ctx, s.DB.Read(), workspaceID)
}

// OpenPayments counts the payments that still need the workspace's own account.
func (s *Service) OpenPayments(ctx context.Context, workspaceID int64) (int, error) {
	return workspace.OpenPayments(ctx, s.DB.Read(), workspaceID)
}

// Connect stores the keys of a workspace's own account.
func (s *Service) Connect(ctx context.Context, c workspace.AccountChange, keys stripe.Keys) error {
	return workspace.PutAccount(ctx, s.DB, s.Keys, c, keys)
}

// Disconnect deletes the keys of a workspace's own account. With force, it does so even if payments still need it.
func (s *Service) Disconnect(ctx context.Context, c workspace.AccountChange, force bool) error {
	return workspace.DropAccount(ctx, s.DB, c, force)
}

// missingCheckout does not exist at Stripe. With a working key, Stripe answers that it is missing.
const missingCheckout = "cs_test_slotd_asks_whether_the_key_works"

// checkTimeout limits how long a person waits for Stripe's answer about a key.
const checkTimeout = 20 * time.Second

// CheckKey asks Stripe whether a secret key works, and returns nil if it does. It changes nothing there.
func (s *Service) CheckKey(ctx context.Context, secret string) error {
	return checkClient(ctx, stripe.New(s.API, secret))
}

// Check asks Stripe whether the account that a workspace's guests pay into works.
func (s *Service) Check(ctx context.Context, workspaceID int64, account string) error {
	client, err := s.Client(ctx, workspaceID, account)
	if err != nil {
		return err
	}
	return checkClient(ctx, client)
}

func checkClient(ctx context.Context, client *stripe.Client) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTimeout, ErrNoAnswer)
	defer cancel()
	_, err := client.Session(ctx, missingCheckout)
	if err != nil && context.Cause(ctx) == ErrNoAnswer {
		return ErrNoAnswer
	}
	if stripe.IsMissing(err) {
		return nil
	}
	return err
}
