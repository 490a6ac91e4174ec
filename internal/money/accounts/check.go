package accounts

import (
	"context"
	"fmt"
	"time"

	"slotd/internal/money/stripe"
)

// missingCheckout does not exist at Stripe. A key that works gets the answer that it is missing.
const missingCheckout = "cs_test_slotd_asks_whether_the_key_works"

// checkTimeout is how long somebody waits for Stripe's answer about a key.
const checkTimeout = 20 * time.Second

// CheckKey asks Stripe whether a secret key works, and changes nothing there. It returns nil if it does.
func (s *Service) CheckKey(ctx context.Context, secret string) error {
	return checkClient(ctx, stripe.New(s.API, secret))
}

// Check asks Stripe whether the account that a workspace's guests pay into works. answer is nil if it does; err says why
// Stripe was not asked.
func (s *Service) Check(ctx context.Context, workspaceID int64, account string) (answer, err error) {
	client, err := s.Client(ctx, workspaceID, account)
	if err != nil {
		return nil, err
	}
	return checkClient(ctx, client), nil
}

func checkClient(ctx context.Context, client *stripe.Client) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTimeout, ErrNoAnswer)
	defer cancel()
	_, err := client.Session(ctx, missingCheckout)
	if stripe.IsMissing(err) {
		return nil
	}
	if err != nil && context.Cause(ctx) == ErrNoAnswer {
		return fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	return err
}
