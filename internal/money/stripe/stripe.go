// Package stripe talks to Stripe: it opens checkouts, asks about them, refunds payments and reads Stripe's events. It
// stores nothing and decides nothing about bookings.
package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v86"

	"slotd/internal/lib/say"
	"slotd/internal/money/ledger"
)

// Keys are the keys of an account. They are never printed.
type Keys struct {
	Secret  string `json:"secret"`
	Webhook string `json:"webhook"` // signs Stripe's events
}

func (Keys) String() string   { return "(keys)" }
func (Keys) GoString() string { return "(keys)" }

// IsSecretKey reports whether s looks like a secret key. Together with IsWebhookSecret it detects keys that were
// swapped.
func IsSecretKey(s string) bool {
	return len(s) <= maxKey && (strings.HasPrefix(s, "sk_") || strings.HasPrefix(s, "rk_")) &&
		!strings.ContainsFunc(s, notInKey)
}

// IsWebhookSecret reports whether s looks like a webhook secret.
func IsWebhookSecret(s string) bool {
	return len(s) <= maxKey && strings.HasPrefix(s, "whsec_") && !strings.ContainsFunc(s, notInKey)
}

const maxKey = 500

// IsKey reports whether s can be sent in a header.
func IsKey(s string) bool { return s != "" && len(s) <= maxKey && !strings.ContainsFunc(s, notInKey) }

func notInKey(r rune) bool { return r <= ' ' || r > '~' }

// DefaultAPI is Stripe's own API, and CheckoutSite is where guests pay.
const (
	DefaultAPI   = "https://api.stripe.com"
	CheckoutSite = "https://checkout.stripe.com"
)

// requestTimeout bounds one request; a guest waits for it.
const requestTimeout = 20 * time.Second

// Client makes requests for one account.
type Client struct {
	backend stripe.Backend // the library's own clients make the program 7 MB larger, or are deprecated
	secret  string
}

// New returns a client for the account of the secret key. The API is Stripe's own or a test server.
func New(api, secret string) *Client {
	backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: stripe.String(api),
		HTTPClient: &http.Client{Transport: limitedTransport{http.DefaultTransport}, Timeout: requestTimeout,
			CheckRedirect: noRedirect},
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
		MaxNetworkRetries: stripe.Int64(0), // callers retry themselves, and other work waits meanwhile
		EnableTelemetry:   stripe.Bool(false),
	})
	return &Client{backend, secret}
}

// noRedirect makes sure that the key is not sent to another address.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Booking identifies the booking that a payment is for. Stripe stores it with every object and returns it.
type Booking struct {
	WorkspaceID int64
	ID          uuid.UUID
}

const (
	workspaceKey = "slotd_workspace"
	bookingKey   = "slotd_booking"
)

func (b Booking) metadata() map[string]string {
	return map[string]string{workspaceKey: fmt.Sprint(b.WorkspaceID), bookingKey: b.ID.String()}
}

// Order is what a guest pays for.
type Order struct {
	Booking
	Title      string
	When       string
	Amount     int64 // in the currency's smallest unit, as Stripe expects it
	Currency   string
	Email      string
	SuccessURL string
	CancelURL  string
	ExpiresAt  time.Time
}

// Status is the state of a checkout.
type Status string

const (
	Open     Status = "open"
	Complete Status = "complete" // the guest has done everything that is needed
	Expired  Status = "expired"
)

// Session is a checkout.
type Session struct {
	ID      string
	URL     string
	Status  Status
	Payment string // Stripe's id of the payment
	Entries []ledger.Entry
}

// Checkout opens the page where the guest pays. Calling it again for the same booking returns the same page.
func (c *Client) Checkout(ctx context.Context, o Order) (*Session, error) {
	params := &stripe.CheckoutSessionParams{
		Mode:              stripe.String(string(stripe.CheckoutSessionModePayment)),
		ClientReferenceID: stripe.String(o.ID.String()),
		SuccessURL:        stripe.String(o.SuccessURL),
		CancelURL:         stripe.String(o.CancelURL),
		ExpiresAt:         stripe.Int64(o.ExpiresAt.Unix()),
		Metadata:          o.metadata(),
		PaymentIntentData: &stripe.CheckoutSessionPaymentIntentDataParams{Metadata: o.metadata(),
			Description: stripe.String(o.Title + ", " + o.When)},
		LineItems: []*stripe.CheckoutSessionLineItemParams{{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionLineItemPriceDataParams{
				Currency: stripe.String(o.Currency), UnitAmount: stripe.Int64(o.Amount),
				ProductData: &stripe.CheckoutSessionLineItemPriceDataProductDataParams{Name: stripe.String(o.Title),
					Description: stripe.String(o.When)},
			},
		}},
	}
	key := "slotd-checkout-" + o.ID.String()
	if o.Email != "" {
		params.CustomerEmail = stripe.String(o.Email)
	} else {
		key += "-anonymous" // an idempotency key belongs to the parameters first sent with it
	}
	params.SetIdempotencyKey(key)
	params.Context = ctx
	s := &stripe.CheckoutSession{}
	if err := c.backend.Call(http.MethodPost, "/v1/checkout/sessions", c.secret, params, s); err != nil {
		return nil, c.newError("open a checkout", err, o.Email, o.SuccessURL, o.CancelURL)
	}
	if s.ID == "" || !strings.HasPrefix(s.URL, "https://") && !strings.HasPrefix(s.URL, "http://") {
		return nil, errors.New("open a checkout: the answer has no address to pay at")
	}
	return newSession(s), nil
}

// Session returns the current state of a checkout.
func (c *Client) Session(ctx context.Context, id string) (*Session, error) {
	params, s := &stripe.CheckoutSessionParams{}, &stripe.CheckoutSession{}
	params.Context = ctx
	if err := c.backend.Call(http.MethodGet, stripe.FormatURLPath("/v1/checkout/sessions/%s", id), c.secret, params,
		s); err != nil {
		return nil, c.newError("ask about a checkout", err)
	}
	return newSession(s), nil
}

// Expire closes a checkout that nobody has paid. If somebody has, it returns an error: call Session then.
func (c *Client) Expire(ctx context.Context, id string) (*Session, error) {
	params, s := &stripe.CheckoutSessionExpireParams{}, &stripe.CheckoutSession{}
	params.Context = ctx
	if err := c.backend.Call(http.MethodPost, stripe.FormatURLPath("/v1/checkout/sessions/%s/expire", id), c.secret,
		params, s); err != nil {
		return nil, c.newError("close a checkout", err)
	}
	return newSession(s), nil
}

// Refund refunds an amount, which may be pending for days. Calling it again with the same amount and the same number
// of earlier failures returns the same refund. Another amount makes another refund: a part may have been refunded by
// hand.
func (c *Client) Refund(ctx context.Context, b Booking, payment string, amount int64,
	failuresBefore int) (e ledger.Entry, pending bool, err error) {
	params := &stripe.RefundParams{PaymentIntent: stripe.String(payment), Amount: stripe.Int64(amount),
		Metadata: b.metadata()}
	params.SetIdempotencyKey(fmt.Sprintf("slotd-refund-%s-%d-%d", b.ID, amount, failuresBefore))
	params.Context = ctx
	r := &stripe.Refund{}
	if err := c.backend.Call(http.MethodPost, "/v1/refunds", c.secret, params, r); err != nil {
		return e, false, c.newError("refund a payment", err)
	}
	return refundEntry(r), isPending(r), nil
}

func isPending(r *stripe.Refund) bool {
	return r.Status == stripe.RefundStatusPending || r.Status == stripe.RefundStatusRequiresAction
}

// Refunds returns the refunds and disputes of a payment, whoever requested them, and whether a refund is still
// pending.
func (c *Client) Refunds(ctx context.Context, payment string) (entries []ledger.Entry, pending bool, err error) {
	refunds := &stripe.RefundList{}
	if err := c.list(ctx, "/v1/refunds", payment, refunds); err != nil {
		return nil, false, c.newError("ask about refunds", err)
	}
	for _, r := range refunds.Data {
		if r != nil && intentID(r.PaymentIntent) == payment {
			entries, pending = append(entries, refundEntry(r)), pending || isPending(r)
		}
	}
	disputes := &stripe.DisputeList{}
	if err := c.list(ctx, "/v1/disputes", payment, disputes); err != nil {
		return nil, false, c.newError("ask about disputes", err)
	}
	for _, d := range disputes.Data {
		if d != nil && intentID(d.PaymentIntent) == payment {
			entries = append(entries, disputeEntries(d)...)
		}
	}
	if refunds.HasMore || disputes.HasMore {
		return nil, false, &Error{action: "ask about refunds", reason: say.T("there are too many of them")}
	}
	return entries, pending, nil
}

// list reads one page: no payment has more refunds or disputes than fit on it.
func (c *Client) list(ctx context.Context, path, payment string, into stripe.LastResponseSetter) error {
	query := url.Values{"payment_intent": {payment}, "limit": {"100"}}
	return c.backend.CallRaw(http.MethodGet, path, c.secret, []byte(query.Encode()), &stripe.Params{Context: ctx}, into)
}
