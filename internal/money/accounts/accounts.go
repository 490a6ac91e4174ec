// Package accounts decides which Stripe account a workspace's guests pay into: the workspace's own or the operator's. A
// payment is always refunded from the account that received it. The keys of a workspace's own account are stored
// sealed.
package accounts

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/seal"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
)

// The accounts, as they are stored with a checkout.
const (
	Operator = "operator"
	Own      = "workspace"
)

// Service gives access to the accounts.
type Service struct {
	DB           *store.DB
	Keys         *seal.Keys  // unseal the keys of workspaces' own accounts
	OperatorKeys stripe.Keys // zero: the operator has no account
	API          string      // base URL of the payment service
}

// ErrNoAccount means that the account does not exist, or no longer exists. ErrNoAnswer means that Stripe took too long.
var (
	ErrNoAccount = errors.New("payments are not set up: there is no Stripe key")
	ErrNoAnswer  = errors.New("no answer from Stripe in time")
)

// Account returns the account that a workspace's guests pay into, or "" if they cannot pay.
func (s *Service) Account(c *snapshot.Config) string {
	switch {
	case c.OwnAccount:
		return Own
	case s.OperatorKeys.Secret != "":
		return Operator
	}
	return ""
}

// CheckoutSites returns the origins that a workspace's guests are sent to for paying, as far as they are known
// beforehand: an account may serve its checkout from a domain of its own.
func (s *Service) CheckoutSites(c *snapshot.Config) []string {
	switch {
	case s.Account(c) == "":
		return nil
	case s.API == stripe.DefaultAPI:
		return []string{stripe.CheckoutSite}
	}
	return []string{stripe.CheckoutSite, s.API}
}

// IsCheckoutSite reports whether an address is at one of the CheckoutSites.
func (s *Service) IsCheckoutSite(c *snapshot.Config, address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(s.CheckoutSites(c), u.Scheme+"://"+u.Host)
}

// Client returns a client that acts for an account. It returns ErrNoAccount if the account has no key.
func (s *Service) Client(ctx context.Context, workspaceID int64, account string) (*stripe.Client, error) {
	keys := s.OperatorKeys
	if account == Own {
		var err error
		if keys, err = s.OwnKeys(ctx, workspaceID); err != nil {
			return nil, err
		}
	}
	if keys.Secret == "" {
		return nil, ErrNoAccount
	}
	return stripe.New(s.API, keys.Secret), nil
}

// WebhookSecret returns the secret that signs the events of a workspace's own account. With workspaceID 0, it returns
// the operator's.
func (s *Service) WebhookSecret(ctx context.Context, workspaceID int64) (string, error) {
	if workspaceID == 0 {
		return s.OperatorKeys.Webhook, nil
	}
	keys, err := s.OwnKeys(ctx, workspaceID)
	return keys.Webhook, err
}
