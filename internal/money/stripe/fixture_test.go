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

// fixture is a payment service and a client with its key.
type fixture struct {
	t testing.TB
	*Client
	stripe *stripetest.Stripe
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	stripe := stripetest.Start(t)
	return &fixture{t, New(stripe.URL, stripe.Key), stripe}
}

func (d *fixture) order() Order {
	return Order{
		Booking: booking, Title: "Consulting", When: "Monday, 1 February, 10:00–11:00", Amount: 5000, Currency: "usd",
		Email:      "grace@guest.example",
		SuccessURL: "https://book.example/b/secret-link", CancelURL: "https://book.example/u/secret-link",
		ExpiresAt: d.stripe.Now().Add(time.Hour),
	}
}

func (d *fixture) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// paidSession returns a checkout that somebody has paid.
func (d *fixture) paidSession() *Session {
	d.t.Helper()
	s, err := d.Checkout(background, d.order())
	d.must(err)
	d.must(d.stripe.Pay(s.ID))
	s, err = d.Session(background, s.ID)
	d.must(err)
	return s
}

// httpClient returns the client that c sends its requests with.
func httpClient(c *Client) *http.Client { return c.backend.(*stripe.BackendImplementation).HTTPClient }
