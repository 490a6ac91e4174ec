// Package stripe speaks to Stripe: it opens a checkout, asks what became of it, gives money back, and reads
// what Stripe tells by itself. It keeps nothing and decides nothing about bookings.
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

	"slotd/internal/money/ledger"
)

// Keys are an account's. They are never printed.
type Keys struct {
	Secret  string `json:"secret"`
	Webhook string `json:"webhook"` // what Stripe signs its events with
}

func (Keys) String() string   { return "(keys)" }
func (Keys) GoString() string { return "(keys)" }

// IsSecretKey and IsWebhookSecret know keys by their looks, so that one is not put in the other's place.
func IsSecretKey(s string) bool {
	return len(s) <= maxKey && (strings.HasPrefix(s, "sk_") || strings.HasPrefix(s, "rk_")) &&
		!strings.ContainsFunc(s, notInKey)
}

func IsWebhookSecret(s string) bool {
	return len(s) <= maxKey && strings.HasPrefix(s, "whsec_") && !strings.ContainsFunc(s, notInKey)
}

const maxKey = 500

// IsKey takes all that can be sent in a header.
func IsKey(s string) bool { return s != "" && len(s) <= maxKey && !strings.ContainsFunc(s, notInKey) }

func notInKey(r rune) bool { return r <= ' ' || r > '~' }

// DefaultAPI is Stripe's own, and CheckoutSite is where its guests pay.
const (
	DefaultAPI   = "https://api.stripe.com"
	CheckoutSite = "https://checkout.stripe.com"
)

// answersWithin bounds one request; a guest waits for it.
const answersWithin = 20 * time.Second

// Client acts for one account.
type Client struct {
	backend stripe.Backend // the library's own clients make the program 7 MB larger, or are deprecated
	secret  string
}

// New makes a client for the account that the key opens. The API is Stripe's own or stands in for it.
func New(api, secret string) *Client {
	backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: stripe.String(api),
		HTTPClient: &http.Client{Transport: bounded{http.DefaultTransport}, Timeout: answersWithin,
			CheckRedirect: stay},
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
		MaxNetworkRetries: stripe.Int64(0), // those who ask try again themselves, and others wait meanwhile
		EnableTelemetry:   stripe.Bool(false),
	})
	return &Client{backend, secret}
}

// stay does not carry the key to another address.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Booking says whose money something is about. Stripe keeps it with everything and tells it back.
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

// Order is what a guest is to pay for.
type Order struct {
	Booking
	Title      string
	When       string
	Amount     int64 // in the currency's smallest unit, as Stripe takes it
	Currency   string
	Email      string
	SuccessURL string
	CancelURL  string
	ExpiresAt  time.Time
}

// Status is where a checkout is in its life.
type Status string

const (
	Open     Status = "open"
	Complete Status = "complete" // the guest has done all that is to be done
	Expired  Status = "expired"
)

// Session is a checkout.
type Session struct {
	ID      string
	URL     string
	Status  Status
	Payment string // what the money comes by
	Entries []ledger.Entry
}

// Checkout opens the page where the guest pays. Asked again about the same booking, it is the same page.
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
		key += "-anonymous" // a key goes with what was sent first
	}
	params.SetIdempotencyKey(key)
	params.Context = ctx
	s := &stripe.CheckoutSession{}
	if err := c.backend.Call(http.MethodPost, "/v1/checkout/sessions", c.secret, params, s); err != nil {
		return nil, c.trouble("open a checkout", err, o.Email, o.SuccessURL, o.CancelURL)
	}
	if s.ID == "" || !strings.HasPrefix(s.URL, "https://") && !strings.HasPrefix(s.URL, "http://") {
		return nil, errors.New("open a checkout: the answer has no address to pay at")
	}
	return sessionOf(s), nil
}

// Session asks what became of a checkout.
func (c *Client) Session(ctx context.Context, id string) (*Session, error) {
	params, s := &stripe.CheckoutSessionParams{}, &stripe.CheckoutSession{}
	params.Context = ctx
	if err := c.backend.Call(http.MethodGet, stripe.FormatURLPath("/v1/checkout/sessions/%s", id), c.secret, params,
		s); err != nil {
		return nil, c.trouble("ask about a checkout", err)
	}
	return sessionOf(s), nil
}

// Expire closes a checkout that nobody has paid at. If somebody has, it is an error: ask about it.
func (c *Client) Expire(ctx context.Context, id string) (*Session, error) {
	params, s := &stripe.CheckoutSessionExpireParams{}, &stripe.CheckoutSession{}
	params.Context = ctx
	if err := c.backend.Call(http.MethodPost, stripe.FormatURLPath("/v1/checkout/sessions/%s/expire", id), c.secret,
		params, s); err != nil {
		return nil, c.trouble("close a checkout", err)
	}
	return sessionOf(s), nil
}

// Refund gives an amount back, which may be under way for days. Asked again for as much with the same number of
// failures before, it is the same refund. Another amount is another one: a part may have gone back by hand.
func (c *Client) Refund(ctx context.Context, b Booking, payment string, amount int64,
	failuresBefore int) (e ledger.Entry, underWay bool, err error) {
	params := &stripe.RefundParams{PaymentIntent: stripe.String(payment), Amount: stripe.Int64(amount),
		Metadata: b.metadata()}
	params.SetIdempotencyKey(fmt.Sprintf("slotd-refund-%s-%d-%d", b.ID, amount, failuresBefore))
	params.Context = ctx
	r := &stripe.Refund{}
	if err := c.backend.Call(http.MethodPost, "/v1/refunds", c.secret, params, r); err != nil {
		return e, false, c.trouble("refund a payment", err)
	}
	return refundEntry(r), isUnderWay(r), nil
}

func isUnderWay(r *stripe.Refund) bool {
	return r.Status == stripe.RefundStatusPending || r.Status == stripe.RefundStatusRequiresAction
}

// Returned is what has gone back of a payment, by whoever asked for it, and whether some of it is still under way.
func (c *Client) Refunds(ctx context.Context, payment string) (news []ledger.Entry, underWay bool, err error) {
	refunds := &stripe.RefundList{}
	if err := c.list(ctx, "/v1/refunds", payment, refunds); err != nil {
		return nil, false, c.trouble("ask about refunds", err)
	}
	for _, r := range refunds.Data {
		if r != nil && intentID(r.PaymentIntent) == payment {
			news, underWay = append(news, refundEntry(r)), underWay || isUnderWay(r)
		}
	}
	disputes := &stripe.DisputeList{}
	if err := c.list(ctx, "/v1/disputes", payment, disputes); err != nil {
		return nil, false, c.trouble("ask about disputes", err)
	}
	for _, d := range disputes.Data {
		if d != nil && intentID(d.PaymentIntent) == payment {
			news = append(news, disputeEntries(d)...)
		}
	}
	if refunds.HasMore || disputes.HasMore {
		return nil, false, &Error{doing: "ask about refunds", reason: "there are more than can be looked at"}
	}
	return news, underWay, nil
}

// list reads one page: no payment has as many.
func (c *Client) list(ctx context.Context, path, payment string, into stripe.LastResponseSetter) error {
	query := url.Values{"payment_intent": {payment}, "limit": {"100"}}
	return c.backend.CallRaw(http.MethodGet, path, c.secret, []byte(query.Encode()), &stripe.Params{Context: ctx}, into)
}
