package stripe

import (
	"strings"

	"github.com/stripe/stripe-go/v86"

	"slotd/internal/money/ledger"
)

func newSession(s *stripe.CheckoutSession) *Session {
	session := &Session{ID: s.ID, URL: s.URL, Status: Status(s.Status)}
	if s.PaymentIntent != nil {
		session.Payment = s.PaymentIntent.ID
	}
	entry := ledger.Entry{Amount: s.AmountTotal, Currency: string(s.Currency),
		Reference: firstNonEmpty(session.Payment, s.ID)}
	switch {
	case s.Status != stripe.CheckoutSessionStatusComplete:
		return session
	case s.PaymentStatus == stripe.CheckoutSessionPaymentStatusUnpaid:
		entry.Kind = ledger.Authorized
	default:
		entry.Kind = ledger.Paid
	}
	session.Entries = []ledger.Entry{entry}
	return session
}

func refundEntry(r *stripe.Refund) ledger.Entry {
	kind := ledger.Refunded
	if r.Status == stripe.RefundStatusFailed || r.Status == stripe.RefundStatusCanceled {
		kind = ledger.Failed
	}
	return ledger.Entry{Kind: kind, Amount: r.Amount, Currency: string(r.Currency), Reference: r.ID}
}

// disputeEntries returns nothing for an inquiry, which takes no money.
func disputeEntries(d *stripe.Dispute) []ledger.Entry {
	if strings.HasPrefix(string(d.Status), "warning_") || d.Status == stripe.DisputeStatusPrevented {
		return nil
	}
	entry := ledger.Entry{Kind: ledger.Disputed, Amount: d.Amount, Currency: string(d.Currency), Reference: d.ID}
	entries := []ledger.Entry{entry}
	if d.Status == stripe.DisputeStatusWon {
		entry.Kind = ledger.DisputeWon
		entries = append(entries, entry)
	}
	return entries
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
