package stripe

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v86"

	"slotd/internal/money/stripe/stripetest"
)

var background = context.Background()

var booking = Booking{WorkspaceID: 7, ID: uuid.MustParse("11111111-2222-4333-8444-555555555555")}

// desk is a payment service and a client with its key.
type desk struct {
	t testing.TB
	*Client
	stripe *stripetest.Stripe
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	stripe := stripetest.Start(t)
	return &desk{t, New(stripe.URL, stripe.Key), stripe}
}

func (d *desk) order() Order {
	return Order{
		Booking: booking, Title: "Consulting", When: "Monday, 1 February, 10:00–11:00", Amount: 5000, Currency: "usd",
		Email:      "grace@guest.example",
		SuccessURL: "https://book.example/b/secret-link", CancelURL: "https://book.example/u/secret-link",
		ExpiresAt: d.stripe.Now().Add(time.Hour),
	}
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// paid is a checkout that somebody has paid at.
func (d *desk) paid() *Session {
	d.t.Helper()
	s, err := d.Checkout(background, d.order())
	d.must(err)
	d.must(d.stripe.Pay(s.ID))
	s, err = d.Session(background, s.ID)
	d.must(err)
	return s
}

// caller is what the client sends its requests with.
func caller(c *Client) *http.Client { return c.backend.(*stripe.BackendImplementation).HTTPClient }
