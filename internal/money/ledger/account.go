package ledger

import "slices"

// Account is where one booking's money stands, and what the booking is meanwhile.
type Account struct {
	Stage      Stage
	Ledger     Ledger
	Payment    string // what the money comes by; empty: it is not known yet
	Closed     bool   // nobody can pay any more
	GuestKnown bool   // who wanted it is not forgotten
}

// Stage is how far a booking has come. What it is called elsewhere is its state.
type Stage string

const (
	Held      Stage = "held"
	Confirmed Stage = "confirmed"
	Canceled  Stage = "canceled"
	Expired   Stage = "expired"
)

// Heard is what the payment service says about one booking. It may say so late, again, or in another order
// than it happened.
type Statement struct {
	Entries []Entry `json:"news,omitempty"`
	Payment string  `json:"payment,omitempty"` // what the money comes by
	Closed  bool    `json:"closed,omitempty"`  // nobody can pay any more
}

// Paid reports whether the money has come.
func (h *Statement) Paid() bool {
	return slices.ContainsFunc(h.Entries, func(e Entry) bool { return e.Kind == Paid })
}

// Hear takes in what is new, and returns the entries that are.
func (a *Account) Post(h Statement) (added []Entry) {
	for _, e := range h.Entries {
		after, isNew := a.Ledger.Post(e)
		if !isNew {
			continue
		}
		a.Ledger, added = after, append(added, e)
		if e.Kind == Paid {
			h.Payment, h.Closed = e.Reference, true
		}
	}
	if a.Payment == "" {
		a.Payment = h.Payment
	}
	a.Closed = a.Closed || h.Closed
	return added
}

// Consequence is what has to become of the booking, in the same transaction.
type Effect int

const (
	NoEffect    Effect = iota
	Confirm            // it is paid for, and its time is its own
	Recheck            // it is paid for, and its time may be another's: confirm it, or give the money back
	ReleaseHold        // it will not be paid for: its time is free
	StartRefund        // money is still due
)

// Follows says which. A hold may have ended by the clock before anybody has written that down.
func (a *Account) Effect(holdEnded bool) Effect {
	paid, waiting := a.Ledger.Payment() != "", a.Stage == Held || a.Stage == Expired
	switch {
	case paid && waiting && (holdEnded || a.Stage == Expired):
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

// Open is what is left to be done with the payment service.
type Step int

const (
	Done        Step = iota
	EndHold          // the hold is over
	Abandon          // the guest was never told where to pay, and will not be
	Await            // the guest is being sent there
	Ask              // whether it was paid
	Close            // the guest must not be able to pay any more
	Refund           // money is due
	WatchRefund      // whether the refund has arrived
	Forget           // who wanted it
)

// Left says which. A checkout that is opened is one that the guest can pay at.
func (a *Account) NextStep(holdEnded, opened bool) Step {
	switch {
	case a.Stage == Held && holdEnded:
		return EndHold
	case a.Ledger.Due() > 0:
		return Refund
	case a.Ledger.RefundRequested():
		return WatchRefund
	case a.Closed && a.Stage == Expired && a.GuestKnown:
		return Forget
	case a.Closed:
		return Done
	case opened && a.Stage == Held:
		return Ask
	case opened:
		return Close
	case a.Stage == Held:
		return Await
	}
	return Abandon
}
