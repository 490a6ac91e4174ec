package slotd

import (
	"time"

	"slotd/internal/lib/say"
)

// Hold keeps a time for a guest while something is missing. It ends when that has happened, when it is released, or
// by itself.
type Hold struct {
	Reason HoldReason // empty: the booking never needed a hold
	Until  time.Time  // when the time becomes free again by itself
}

// IsOver reports whether the time of the hold is over.
func (h Hold) IsOver(now time.Time) bool { return !now.Before(h.Until) }

// HoldReason is what a held booking waits for.
type HoldReason string

// ForPayment holds a booking until it is paid for.
const ForPayment HoldReason = "payment"

// HoldInfo is what the program and the documentation know about one reason.
type HoldInfo struct {
	Reason      HoldReason
	ConfirmedBy Cause        // what makes the booking definite
	Confirmed   say.Sentence // the same, for the documentation
	EndedBy     ActorKind    // who is recorded as ending a hold whose time is over

	Began    say.Sentence // in the history, with the time that is held
	Missed   say.Sentence // in the history: the hold ended before the booking was confirmed
	Conflict say.Sentence // why another cannot have the time: until when it is held, and the booking
}

// HoldReasons lists all reasons.
var HoldReasons = []HoldInfo{
	{
		Reason: ForPayment, ConfirmedBy: ByPayment, Confirmed: "The payment arrives in time.", EndedBy: PaymentActor,
		Began: "Held for payment: %s", Missed: "Not paid in time",
		Conflict: "held until %s for a guest who is paying: %s",
	},
}

// Info returns what is known about a reason.
func (r HoldReason) Info() HoldInfo {
	for i := range HoldReasons {
		if HoldReasons[i].Reason == r {
			return HoldReasons[i]
		}
	}
	return HoldInfo{Reason: r}
}

// IsHeld reports whether the booking takes the host's time only until its hold ends.
func (b *Booking) IsHeld() bool { return b.State.IsOnHold() }

// IsHeldFor reports whether the booking is held for this reason.
func (b *Booking) IsHeldFor(reason HoldReason) bool { return b.IsHeld() && b.Hold.Reason == reason }
