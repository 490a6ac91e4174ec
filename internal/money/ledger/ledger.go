// Package ledger decides what follows from the reports about one booking's money. Entries are only ever added, each
// once, so reports that come in another order, twice or late lead to the same balance.
//
// It is pure: it knows no database and no payment service.
package ledger

import (
	"slices"
	"time"
)

// Kind says what an entry records.
type Kind string

const (
	Authorized      Kind = "authorised"       // the guest has agreed to pay, and the money is on its way
	Paid            Kind = "paid"             // the money has arrived
	RefundRequested Kind = "refund_requested" // by us; the whole balance is refunded
	Refunded        Kind = "refunded"         // the payment service has accepted a refund
	Failed          Kind = "failed"           // a payment that never arrived, or a refund that was returned
	Disputed        Kind = "disputed"         // the guest's bank has taken the money back
	DisputeWon      Kind = "dispute_won"      // the bank has returned it
)

// Entry is one line of the ledger. Its amount is never negative.
type Entry struct {
	Kind      Kind      `json:"kind"`
	Amount    int64     `json:"amount_cents"`
	Currency  string    `json:"currency"`
	Reference string    `json:"reference"` // the payment service's own id
	At        time.Time `json:"at"`
}

// Ledger is everything known about one booking's money, in the order in which it became known.
type Ledger []Entry

// Post returns the ledger with e added, unless e is not new: either the ledger has it already, or the ledger has a
// later entry about the same payment or refund.
func (l Ledger) Post(e Entry) (after Ledger, isNew bool) {
	if l.has(e.Kind, e.Reference) || e.Kind == Refunded && l.has(Failed, e.Reference) || e.Kind == Authorized &&
		len(l) > 0 {
		return l, false
	}
	return append(slices.Clip(l), e), true
}

func (l Ledger) has(kind Kind, reference string) bool {
	return slices.ContainsFunc(l, func(e Entry) bool { return e.Kind == kind && e.Reference == reference })
}

// Balance returns what the host has of the money at present.
func (l Ledger) Balance() (sum int64) {
	for _, e := range l {
		switch e.Kind {
		case Paid:
			sum += e.Amount
		case Refunded:
			sum -= e.Amount
		case Failed:
			if l.has(Refunded, e.Reference) {
				sum += e.Amount
			}
		case Disputed:
			if !l.has(DisputeWon, e.Reference) {
				sum -= e.Amount
			}
		}
	}
	return sum
}

// Due returns what still has to be refunded.
func (l Ledger) Due() int64 {
	if !l.RefundRequested() {
		return 0
	}
	return max(0, l.Balance())
}

// RefundRequested reports whether a refund was requested.
func (l Ledger) RefundRequested() bool {
	return slices.ContainsFunc(l, func(e Entry) bool { return e.Kind == RefundRequested })
}

// RefundedAt returns when the last refund was made or requested.
func (l Ledger) RefundedAt() (at time.Time) {
	for _, e := range l {
		if e.Kind == RefundRequested || e.Kind == Refunded {
			at = e.At
		}
	}
	return at
}

// Paid returns the amount that was paid, whatever happened to it later.
func (l Ledger) Paid() (paid int64) { return l.Total(Paid) }

// Payment returns the payment service's id of the payment, or "" if nothing was paid.
func (l Ledger) Payment() string {
	for _, e := range l {
		if e.Kind == Paid {
			return e.Reference
		}
	}
	return ""
}

// FailedRefunds counts the refunds that failed, so that the next one can be distinguished from them.
func (l Ledger) FailedRefunds() (n int) {
	for _, e := range l {
		if e.Kind == Failed && e.Reference != l.Payment() {
			n++
		}
	}
	return n
}

// RefundAfter returns the earliest time for the next refund. The first refund that fails is retried at once, later
// ones after a pause, because the payment service counts each try as a new refund.
func (l Ledger) RefundAfter(pause time.Duration) (at time.Time) {
	if l.FailedRefunds() < 2 {
		return at
	}
	for _, e := range l {
		if e.Kind == Failed {
			at = e.At.Add(pause)
		}
	}
	return at
}

// Refunded returns the amount that was refunded to the guest.
func (l Ledger) Refunded() (refunded int64) {
	for _, e := range l {
		if e.Kind == Refunded && !l.has(Failed, e.Reference) {
			refunded += e.Amount
		}
	}
	return refunded
}

// IsDisputed reports whether a bank has taken money back and kept it.
func (l Ledger) IsDisputed() bool {
	return slices.ContainsFunc(l, func(e Entry) bool { return e.Kind == Disputed && !l.has(DisputeWon, e.Reference) })
}

// Total adds up the entries of one kind.
func (l Ledger) Total(kind Kind) (total int64) {
	for _, e := range l {
		if e.Kind == kind {
			total += e.Amount
		}
	}
	return total
}
