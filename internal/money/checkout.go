// Package money opens the page where a guest pays for a booking, and compares our ledger with the payment service's
// records. It never writes to the database. Package ledger decides what follows from a payment, package accounts
// chooses the account that it goes into, and package stripe makes the requests.
package money

import (
	"context"
	"time"

	"slotd/internal/money/stripe"
)

// checkoutRetry is how long to wait for an identical request that Stripe is still processing.
const checkoutRetry = time.Second

// OpenCheckout opens the page where an order is paid. Calling it again for the same booking returns the same page. wait
// is time.Sleep, or a fake in tests.
func OpenCheckout(ctx context.Context, client *stripe.Client, order stripe.Order,
	wait func(time.Duration)) (*stripe.Session, error) {
	s, err := client.Checkout(ctx, order)
	if stripe.IsRefused(err) { // Stripe may reject the email address; without one it asks the guest itself
		order.Email = ""
		s, err = client.Checkout(ctx, order)
	}
	if stripe.IsInProgress(err) { // the guest has pressed the button twice
		wait(checkoutRetry)
		s, err = client.Checkout(ctx, order)
	}
	return s, err
}

// CheckoutExpiry returns when a checkout expires: a little after its hold, and no earlier than Stripe allows, which is
// half an hour after it received the request. For shorter holds a job closes the checkout.
func CheckoutExpiry(heldUntil, created time.Time) time.Time {
	const minLifetime, margin = 30 * time.Minute, 5 * time.Minute
	if earliest := created.Add(minLifetime); heldUntil.Before(earliest) {
		heldUntil = earliest
	}
	return heldUntil.Add(margin)
}
