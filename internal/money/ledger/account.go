package ledger

import (
	"slices"

	"slotd"
)

// Account is one booking's money, together with the booking's state.
type Account struct {
	State      slotd.State
	Ledger     Ledger
	Payment    string // the payment service's id of the payment; empty while unknown
	Closed     bool   // nobody can pay anymore
	GuestKnown bool   // the guest's data is not erased yet
}

// Statement is what the payment service reports about one booking. Reports may come late, repeatedly, or in another
// order than the events they report.
type Statement struct {
	Entries []Entry `json:"news,omitempty"`
	Payment string  `json:"payment,omitempty"` // the payment service's id of the payment
	Closed  bool    `json:"closed,omitempty"`  // nobody can pay anymore
}

// Paid reports whether the statement contains a payment.
func (s *Statement) Paid() bool {
	return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Kind == Paid })
}

// Post adds the entries of the statement that are new, and returns them.
func (a *Account) Post(s Statement) (added []Entry) {
	for _, e := range s.Entries {
		after, isNew := a.Ledger.Post(e)
		if !isNew {
			continue
		}
		a.Ledger, added = after, append(added, e)
		if e.Kind == Paid {
			s.Payment, s.Closed = e.Reference, true
		}
	}
	if a.Payment == "" {
		a.Payment = s.Payment
	}
	a.Closed = a.Closed || s.Closed
	return added
}

// Effect is what has to happen to the booking in the same transaction.
type Effect int

const (
	NoEffect    Effect = iota
	Confirm            // it is paid, and its time is still held
	Recheck            // it is paid, but somebody else may have booked its time: confirm it or refund the payment
	ReleaseHold        // it will not be paid: its time is free again
	StartRefund        // a refund is due
)

// Effect returns what has to happen to the booking. A hold may have ended by the clock before anybody has recorded
// that.
func (a *Account) Effect(holdEnded bool) Effect {
	paid, waiting := a.Ledger.Payment() != "", a.State.Allows(slotd.ByPayment)
	switch {
	case paid && waiting && (holdEnded || !a.State.IsOnHold()):
		return Recheck
	case paid && waiting:
		return Confirm
	case a.Ledger.Due() > 0:
		return StartRefund
	case a.Closed && waiting:
		return ReleaseHold
	}
	return NoEffect
}

// Step is the next thing to do with the payment service.
type Step int

const (
	Done        Step = iota
	EndHold          // the hold is over
	Abandon          // the guest was never sent to the checkout, and will not be
	Await            // the guest is being sent to the checkout
	Ask              // ask whether it was paid
	Close            // the guest must not be able to pay anymore
	Refund           // a refund is due
	WatchRefund      // ask whether the refund has arrived
	Forget           // erase the guest's data
)

// NextStep returns the next thing to do with the payment service. An opened checkout is one at which the guest can
// pay.
func (a *Account) NextStep(holdEnded, opened bool) Step {
	switch {
	case a.State == slotd.Held && holdEnded:
		return EndHold
	case a.Ledger.Due() > 0:
		return Refund
	case a.Ledger.RefundRequested():
		return WatchRefund
	case a.Closed && a.State == slotd.Expired && a.GuestKnown:
		return Forget
	case a.Closed:
		return Done
	case opened && a.State == slotd.Held:
		return Ask
	case opened:
		return Close
	case a.State == slotd.Held:
		return Await
	}
	return Abandon
}
