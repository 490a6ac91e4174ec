// Package money holds what is done with the payment service about one booking and needs no transaction: opening the page
// where a guest pays, and comparing what both sides know. The ledger decides what follows from a payment, accounts knows
// whose account it goes into, and stripe makes the requests.
package money

import (
	"context"
	"time"

	"slotd/internal/money/stripe"
)

// checkoutRetry is how long Stripe may take for a request that is still in progress.
const checkoutRetry = time.Second

// OpenCheckout opens the page where an order is paid. Calling it again for the same booking returns the same page. wait is
// time.Sleep, or what a test puts in its place.
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

// CheckoutEnds is when a checkout expires: a little after its hold, and no earlier than Stripe allows, which is half an
// hour after it received the request. For shorter holds a job closes the checkout.
func CheckoutEnds(heldUntil, created time.Time) time.Time {
	const atLeast, inTransit = 30 * time.Minute, 5 * time.Minute
	if earliest := created.Add(atLeast); heldUntil.Before(earliest) {
		heldUntil = earliest
	}
	return heldUntil.Add(inTransit)
}
