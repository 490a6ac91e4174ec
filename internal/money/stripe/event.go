package stripe

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v86"
	"github.com/stripe/stripe-go/v86/webhook"

	"slotd/internal/money/ledger"
)

// Event is an event from Stripe, without personal data.
type Event struct {
	ID      string
	Kind    string
	Booking Booking // zero if the event does not name one
	Session string  // empty if the event is not about a checkout
	Expired bool    // nobody can pay there anymore
	Payment string  // empty if the event does not name one
	Entries []ledger.Entry
}

// ErrForeign is returned for an event of an account that is connected to ours. We have none.
var ErrForeign = errors.New("the event belongs to another account")

// ReadEvent checks who sent an event and how old it is, and parses it.
func ReadEvent(body []byte, signature, secret string) (*Event, error) {
	if secret == "" { // an empty secret would produce valid signatures too
		return nil, errors.New("there is no webhook secret")
	}
	e, err := webhook.ConstructEventWithOptions(body, signature, secret,
		webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true})
	if err != nil {
		return nil, errors.New(truncate(err.Error()))
	}
	if e.ID == "" || e.Data == nil {
		return nil, errors.New("the event has no id or no data")
	}
	if e.Account != "" {
		return nil, ErrForeign
	}
	event := &Event{ID: e.ID, Kind: string(e.Type)}
	if err := event.read(e.Type, e.Data.Raw); err != nil {
		return nil, fmt.Errorf("read the event %s: %s", e.Type, truncate(err.Error()))
	}
	if !event.hasValidNames() {
		return nil, errors.New("the event has names that are not Stripe's")
	}
	return event, nil
}

// hasValidNames reports whether all names look like Stripe's. The owner of an account can sign anything, and names go
// into the log and the database.
func (e *Event) hasValidNames() bool {
	names := []string{e.ID, e.Kind, e.Session, e.Payment}
	for _, n := range e.Entries {
		names = append(names, n.Reference, n.Currency)
	}
	return !slices.ContainsFunc(names, func(name string) bool { return name != "" && !IsKey(name) })
}

func (e *Event) read(kind stripe.EventType, raw json.RawMessage) error {
	switch kind {
	case stripe.EventTypeCheckoutSessionCompleted, stripe.EventTypeCheckoutSessionAsyncPaymentSucceeded,
		stripe.EventTypeCheckoutSessionAsyncPaymentFailed, stripe.EventTypeCheckoutSessionExpired:
		return e.readSession(kind, raw)
	case stripe.EventTypeRefundCreated, stripe.EventTypeRefundUpdated, stripe.EventTypeRefundFailed,
		stripe.EventTypeChargeRefundUpdated:
		return e.readRefund(raw)
	case stripe.EventTypeChargeRefunded:
		return e.readCharge(raw)
	case stripe.EventTypeChargeDisputeCreated, stripe.EventTypeChargeDisputeUpdated,
		stripe.EventTypeChargeDisputeClosed,
		stripe.EventTypeChargeDisputeFundsWithdrawn, stripe.EventTypeChargeDisputeFundsReinstated:
		return e.readDispute(kind, raw)
	}
	return nil // nothing that concerns us
}

func (e *Event) readSession(kind stripe.EventType, raw json.RawMessage) error {
	var s stripe.CheckoutSession
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	switch kind { // the object need not contain what the event says by its name
	case stripe.EventTypeCheckoutSessionExpired:
		s.Status = stripe.CheckoutSessionStatusExpired
	default:
		s.Status = stripe.CheckoutSessionStatusComplete
	}
	if kind == stripe.EventTypeCheckoutSessionAsyncPaymentSucceeded {
		s.PaymentStatus = stripe.CheckoutSessionPaymentStatusPaid
	}
	session := newSession(&s)
	e.Session, e.Payment, e.Entries = session.ID, session.Payment, session.Entries
	e.Expired = session.Status == Expired
	e.Booking = bookingFromMetadata(s.Metadata)
	if kind == stripe.EventTypeCheckoutSessionAsyncPaymentFailed {
		e.Entries[0].Kind, e.Expired = ledger.Failed, true
	}
	return nil
}

func (e *Event) readRefund(raw json.RawMessage) error {
	var r stripe.Refund
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	e.Booking = bookingFromMetadata(r.Metadata)
	e.Payment = intentID(r.PaymentIntent)
	e.Entries = []ledger.Entry{refundEntry(&r)}
	return nil
}

// readCharge takes the refunds that come with a charge. Newer versions of the API leave them out and send an event
// for each refund.
func (e *Event) readCharge(raw json.RawMessage) error {
	var c stripe.Charge
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	e.Booking = bookingFromMetadata(c.Metadata)
	e.Payment = intentID(c.PaymentIntent)
	if c.Refunds != nil {
		for _, r := range c.Refunds.Data {
			if r != nil {
				e.Entries = append(e.Entries, refundEntry(r))
			}
		}
	}
	return nil
}

func (e *Event) readDispute(kind stripe.EventType, raw json.RawMessage) error {
	var d stripe.Dispute
	if err := json.Unmarshal(raw, &d); err != nil {
		return err
	}
	e.Booking = bookingFromMetadata(d.Metadata)
	e.Payment = intentID(d.PaymentIntent)
	e.Entries = disputeEntries(&d)
	return nil
}

func intentID(p *stripe.PaymentIntent) string {
	if p == nil {
		return ""
	}
	return p.ID
}

// bookingFromMetadata returns the zero Booking if the metadata is not ours.
func bookingFromMetadata(metadata map[string]string) Booking {
	workspaceID, err := strconv.ParseInt(metadata[workspaceKey], 10, 64)
	id, idErr := uuid.Parse(metadata[bookingKey])
	if err != nil || idErr != nil {
		return Booking{}
	}
	return Booking{workspaceID, id}
}
