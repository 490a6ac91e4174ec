package ledger

import "slices"

// Account is where one booking's money stands, and what the booking is meanwhile.
type Account struct {
	Stage   Stage
	Ledger  Ledger
	Payment string // what the money comes by; empty: it is not known yet
	Closed  bool   // nobody can pay any more
	Known   bool   // who wanted it is not forgotten
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
type Heard struct {
	News    []Entry `json:"news,omitempty"`
	Payment string  `json:"payment,omitempty"` // what the money comes by
	Closed  bool    `json:"closed,omitempty"`  // nobody can pay any more
}

// Paid reports whether the money has come.
func (h *Heard) Paid() bool {
	return slices.ContainsFunc(h.News, func(e Entry) bool { return e.Kind == Paid })
}

// Hear takes in what is new, and returns the entries that are.
func (a *Account) Hear(h Heard) (added []Entry) {
	for _, e := range h.News {
		after, isNew := a.Ledger.Hear(e)
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
type Consequence int

const (
	Nothing  Consequence = iota
	Confirm              // it is paid for, and its time is its own
	Recheck              // it is paid for, and its time may be another's: confirm it, or give the money back
	LetGo                // it will not be paid for: its time is free
	GiveBack             // money is still due
)

// Follows says which. A hold may have ended by the clock before anybody has written that down.
func (a *Account) Follows(holdEnded bool) Consequence {
	paid, waiting := a.Ledger.Payment() != "", a.Stage == Held || a.Stage == Expired
	switch {
	case paid && waiting && (holdEnded || a.Stage == Expired):
		return Recheck
	case paid && waiting:
		return Confirm
	case a.Ledger.Due() > 0:
		return GiveBack
	case a.Closed && waiting:
		return LetGo
	}
	return Nothing
}

// Open is what is left to be done with the payment service.
type Open int

const (
	Settled Open = iota
	EndHold      // the hold is over
	Abandon      // the guest was never told where to pay, and will not be
	Await        // the guest is being sent there
	Ask          // whether it was paid
	Close        // the guest must not be able to pay any more
	Refund       // money is due
	LookAt       // whether the refund has arrived
	Forget       // who wanted it
)

// Left says which. A checkout that is opened is one that the guest can pay at.
func (a *Account) Left(holdEnded, opened bool) Open {
	switch {
	case a.Stage == Held && holdEnded:
		return EndHold
	case a.Ledger.Due() > 0:
		return Refund
	case a.Ledger.Requested():
		return LookAt
	case a.Closed && a.Stage == Expired && a.Known:
		return Forget
	case a.Closed:
		return Settled
	case opened && a.Stage == Held:
		return Ask
	case opened:
		return Close
	case a.Stage == Held:
		return Await
	}
	return Abandon
}
