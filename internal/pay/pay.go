// Package pay speaks to Stripe: it opens a checkout, asks what became of it, gives money back, and reads
// what Stripe tells by itself. It keeps nothing and decides nothing about bookings.
package pay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v86"
	"github.com/stripe/stripe-go/v86/checkout/session"
	"github.com/stripe/stripe-go/v86/dispute"
	"github.com/stripe/stripe-go/v86/refund"

	"slotd/internal/ledger"
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
	return len(s) <= maxKey && (strings.HasPrefix(s, "sk_") || strings.HasPrefix(s, "rk_")) && !strings.ContainsFunc(s, notInKey)
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
	sessions session.Client
	refunds  refund.Client
	disputes dispute.Client
	secret   string
}

// New makes a client for the account that the key opens. The API is Stripe's own or stands in for it.
func New(api, secret string) *Client {
	backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL:               stripe.String(api),
		HTTPClient:        &http.Client{Timeout: answersWithin, CheckRedirect: stay},
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
		MaxNetworkRetries: stripe.Int64(0), // those who ask try again themselves, and others wait meanwhile
		EnableTelemetry:   stripe.Bool(false),
	})
	return &Client{session.Client{B: backend, Key: secret}, refund.Client{B: backend, Key: secret}, dispute.Client{B: backend, Key: secret}, secret}
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
	News    []ledger.Entry
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
		PaymentIntentData: &stripe.CheckoutSessionPaymentIntentDataParams{Metadata: o.metadata(), Description: stripe.String(o.Title + ", " + o.When)},
		LineItems: []*stripe.CheckoutSessionLineItemParams{{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionLineItemPriceDataParams{
				Currency: stripe.String(o.Currency), UnitAmount: stripe.Int64(o.Amount),
				ProductData: &stripe.CheckoutSessionLineItemPriceDataProductDataParams{Name: stripe.String(o.Title), Description: stripe.String(o.When)},
			},
		}},
	}
	if o.Email != "" {
		params.CustomerEmail = stripe.String(o.Email)
	}
	params.Context = ctx
	params.SetIdempotencyKey("slotd-checkout-" + o.ID.String())
	s, err := c.sessions.New(params)
	if err != nil {
		return nil, c.trouble("open a checkout", err)
	}
	if s.ID == "" || !strings.HasPrefix(s.URL, "https://") && !strings.HasPrefix(s.URL, "http://") {
		return nil, errors.New("open a checkout: the answer has no address to pay at")
	}
	return sessionOf(s), nil
}

// Session asks what became of a checkout.
func (c *Client) Session(ctx context.Context, id string) (*Session, error) {
	params := &stripe.CheckoutSessionParams{}
	params.Context = ctx
	s, err := c.sessions.Get(id, params)
	if err != nil {
		return nil, c.trouble("ask about a checkout", err)
	}
	return sessionOf(s), nil
}

// Expire closes a checkout that nobody has paid at. If somebody has, it is an error: ask about it.
func (c *Client) Expire(ctx context.Context, id string) (*Session, error) {
	params := &stripe.CheckoutSessionExpireParams{}
	params.Context = ctx
	s, err := c.sessions.Expire(id, params)
	if err != nil {
		return nil, c.trouble("close a checkout", err)
	}
	return sessionOf(s), nil
}

// Refund gives an amount back, which may be under way for days. Asked again with the same number of failures
// before, it is the same refund.
func (c *Client) Refund(ctx context.Context, b Booking, payment string, amount int64, failuresBefore int) (e ledger.Entry, underWay bool, err error) {
	params := &stripe.RefundParams{PaymentIntent: stripe.String(payment), Amount: stripe.Int64(amount), Metadata: b.metadata()}
	params.Context = ctx
	key := "slotd-refund-" + b.ID.String()
	if failuresBefore > 0 {
		key += fmt.Sprintf("-%d", failuresBefore)
	}
	params.SetIdempotencyKey(key)
	r, err := c.refunds.New(params)
	if err != nil {
		return e, false, c.trouble("refund a payment", err)
	}
	return refundEntry(r), isUnderWay(r), nil
}

func isUnderWay(r *stripe.Refund) bool {
	return r.Status == stripe.RefundStatusPending || r.Status == stripe.RefundStatusRequiresAction
}

// Returned is what has gone back of a payment, by whoever asked for it, and whether some of it is still under way.
func (c *Client) Returned(ctx context.Context, payment string) (news []ledger.Entry, underWay bool, err error) {
	params := &stripe.RefundListParams{PaymentIntent: stripe.String(payment)}
	params.Context = ctx
	all := c.refunds.List(params)
	for all.Next() {
		r := all.Refund()
		if intentID(r.PaymentIntent) == payment {
			news, underWay = append(news, refundEntry(r)), underWay || isUnderWay(r)
		}
	}
	if err := all.Err(); err != nil {
		return nil, false, c.trouble("ask about refunds", err)
	}
	disputes := &stripe.DisputeListParams{PaymentIntent: stripe.String(payment)}
	disputes.Context = ctx
	list := c.disputes.List(disputes)
	for list.Next() {
		if d := list.Dispute(); intentID(d.PaymentIntent) == payment {
			news = append(news, disputeEntries(d)...)
		}
	}
	if err := list.Err(); err != nil {
		return nil, false, c.trouble("ask about disputes", err)
	}
	return news, underWay, nil
}

func sessionOf(s *stripe.CheckoutSession) *Session {
	made := &Session{ID: s.ID, URL: s.URL, Status: Status(s.Status)}
	if s.PaymentIntent != nil {
		made.Payment = s.PaymentIntent.ID
	}
	entry := ledger.Entry{Amount: s.AmountTotal, Currency: string(s.Currency), Reference: firstOf(made.Payment, s.ID)}
	switch {
	case s.Status != stripe.CheckoutSessionStatusComplete:
		return made
	case s.PaymentStatus == stripe.CheckoutSessionPaymentStatusUnpaid:
		entry.Kind = ledger.Authorised
	default:
		entry.Kind = ledger.Paid
	}
	made.News = []ledger.Entry{entry}
	return made
}

func refundEntry(r *stripe.Refund) ledger.Entry {
	kind := ledger.Refunded
	if r.Status == stripe.RefundStatusFailed || r.Status == stripe.RefundStatusCanceled {
		kind = ledger.Failed
	}
	return ledger.Entry{Kind: kind, Amount: r.Amount, Currency: string(r.Currency), Reference: r.ID}
}

// disputeEntries says nothing of an inquiry, which takes no money.
func disputeEntries(d *stripe.Dispute) []ledger.Entry {
	if strings.HasPrefix(string(d.Status), "warning_") || d.Status == stripe.DisputeStatusPrevented {
		return nil
	}
	entry := ledger.Entry{Kind: ledger.Disputed, Amount: d.Amount, Currency: string(d.Currency), Reference: d.ID}
	news := []ledger.Entry{entry}
	if d.Status == stripe.DisputeStatusWon {
		entry.Kind = ledger.DisputeWon
		news = append(news, entry)
	}
	return news
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
