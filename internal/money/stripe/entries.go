package stripe

import (
	"strings"

	"github.com/stripe/stripe-go/v86"

	"slotd/internal/money/ledger"
)

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
		entry.Kind = ledger.Authorized
	default:
		entry.Kind = ledger.Paid
	}
	made.Entries = []ledger.Entry{entry}
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
