// Package accounts knows into which account a workspace's money goes: its own, or the operator's. What was paid
// into one is given back from that one.
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
	"slotd/internal/workspace"
)

// The accounts, as a checkout remembers them.
const (
	Operator = "operator"
	Own      = "workspace"
)

// Service opens accounts.
type Service struct {
	DB       *store.DB
	Keys     *seal.Keys  // of what workspaces keep
	Operator stripe.Keys // zero: there is none
	API      string      // of the payment service
}

// ErrNoAccount means that there is no such account, or no longer. ErrNoAnswer means that Stripe took too long.
var (
	ErrNoAccount = errors.New("payments are not set up: there is no Stripe key")
	ErrNoAnswer  = errors.New("Stripe took too long to answer")
)

// Account is where a workspace's guests pay; empty: they cannot.
func (s *Service) Account(c *snapshot.Config) string {
	switch {
	case c.OwnAccount:
		return Own
	case s.Operator.Secret != "":
		return Operator
	}
	return ""
}

// Sites are where a workspace's guests are sent to for paying, as far as that is known beforehand: an account
// may have its checkout under a name of its own.
func (s *Service) CheckoutSites(c *snapshot.Config) []string {
	switch {
	case s.Account(c) == "":
		return nil
	case s.API == stripe.DefaultAPI:
		return []string{stripe.CheckoutSite}
	}
	return []string{stripe.CheckoutSite, s.API}
}

// IsSite reports whether an address is at one of the sites.
func (s *Service) IsCheckoutSite(c *snapshot.Config, address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(s.CheckoutSites(c), u.Scheme+"://"+u.Host)
}

// Client acts for an account.
func (s *Service) Client(ctx context.Context, workspaceID int64, account string) (*stripe.Client, error) {
	keys := s.Operator
	if account == Own {
		var err error
		if keys, err = workspace.Account(ctx, s.DB.Read(), s.Keys, workspaceID); err != nil {
			return nil, err
		}
	}
	if keys.Secret == "" {
		return nil, ErrNoAccount
	}
	return stripe.New(s.API, keys.Secret), nil
}

// WebhookSecret is what the events of a workspace's own account are signed with; of 0, the operator's.
func (s *Service) WebhookSecret(ctx context.Context, workspaceID int64) (string, error) {
	if workspaceID == 0 {
		return s.Operator.Webhook, nil
	}
	keys, err := workspace.Account(ctx, s.DB.Read(), s.Keys, workspaceID)
	return keys.Webhook, err
}
