// Package ledger decides what follows from what is heard about one booking's money. Entries are only ever
// added, each once, and what was heard in another order, twice or late leads to the same sum.
//
// It is pure: it knows no database and no payment service.
package ledger

import (
	"slices"
	"time"
)

// Kind is what an entry says.
type Kind string

const (
	Authorized      Kind = "authorised"       // the guest has agreed to pay, and the money is on its way
	Paid            Kind = "paid"             // it has come
	RefundRequested Kind = "refund_requested" // by us; all that there is goes back
	Refunded        Kind = "refunded"         // the payment service has taken a refund on
	Failed          Kind = "failed"           // a payment that never came, or a refund that came back
	Disputed        Kind = "disputed"         // the guest's bank has taken it back
	DisputeWon      Kind = "dispute_won"      // and has returned it
)

// Entry is one line. Its amount is never negative.
type Entry struct {
	Kind      Kind      `json:"kind"`
	Amount    int64     `json:"amount_cents"`
	Currency  string    `json:"currency"`
	Reference string    `json:"reference"` // the payment service's own name for it
	At        time.Time `json:"at"`
}

// Ledger is all that is known about one booking's money, in the order in which it became known.
type Ledger []Entry

// Hear is the ledger with one more entry, unless that says nothing new: it is known, or something that
// comes later in the life of the same thing is.
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

// Sum is what the host has of it at present.
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

// Due is what is still to be given back.
func (l Ledger) Due() int64 {
	if !l.RefundRequested() {
		return 0
	}
	return max(0, l.Balance())
}

// Requested reports whether the money is to go back.
func (l Ledger) RefundRequested() bool {
	return slices.ContainsFunc(l, func(e Entry) bool { return e.Kind == RefundRequested })
}

// RefundedAt is when money went back last, or was to.
func (l Ledger) RefundedAt() (at time.Time) {
	for _, e := range l {
		if e.Kind == RefundRequested || e.Kind == Refunded {
			at = e.At
		}
	}
	return at
}

// Paid is what has come, whatever became of it.
func (l Ledger) Paid() (paid int64) { return l.Total(Paid) }

// Payment is what the money came by; empty: it has not come.
func (l Ledger) Payment() string {
	for _, e := range l {
		if e.Kind == Paid {
			return e.Reference
		}
	}
	return ""
}

// FailedRefunds counts the refunds that came back, so that the next one is told from them.
func (l Ledger) FailedRefunds() (n int) {
	for _, e := range l {
		if e.Kind == Failed && e.Reference != l.Payment() {
			n++
		}
	}
	return n
}

// RefundAfter is when the next refund may be asked for. One that came back is tried again at once, and from the
// second on after a pause: to the payment service each try is a new refund.
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

// Refunded is what has gone back to the guest.
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

// Total adds up one kind of entries.
func (l Ledger) Total(kind Kind) (total int64) {
	for _, e := range l {
		if e.Kind == kind {
			total += e.Amount
		}
	}
	return total
}
