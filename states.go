package slotd

import (
	"fmt"
	"slices"

	"slotd/internal/lib/say"
)

// State is a booking's stage in its life cycle. What each one means stands in States, and how a booking gets from one
// to another in Transitions.
type State string

const (
	Held      State = "held"
	Confirmed State = "confirmed"
	Canceled  State = "canceled"
	Expired   State = "expired"
)

// HostTime says whether a booking takes the host's time.
type HostTime int

const (
	Free   HostTime = iota // others can book the time
	OnHold                 // nobody else can book the time until the booking's hold ends
	Taken                  // nobody else can book the time
)

// StateInfo is what the program and the documentation know about one state.
type StateInfo struct {
	State    State
	Meaning  say.Sentence // for the documentation
	HostTime HostTime
	Visible  bool // guests, hosts and tools see the booking: on lists, by its links and by its id
}

// States lists all states. The check of the column bookings.state has the same ones, so a new one needs a migration.
var States = []StateInfo{
	{Held, "The guest has chosen the time, and the booking waits for what it is held for.", OnHold, false},
	{Confirmed, "The booking is definite.", Taken, true},
	{Canceled, "The guest or the host has canceled it, or it was paid for when its time was taken already.", Free, true},
	{Expired, "The hold ended before the booking was confirmed.", Free, false},
}

// info returns what is known about a state. A state that is not listed takes no time, and nobody sees its bookings.
func (s State) info() StateInfo {
	for i := range States {
		if States[i].State == s {
			return States[i]
		}
	}
	return StateInfo{State: s}
}

// TakesTime reports whether a booking in this state takes the host's time, for good or until its hold ends.
func (s State) TakesTime() bool { return s.info().HostTime != Free }

// IsOnHold reports whether a booking in this state takes the host's time only until its hold ends.
func (s State) IsOnHold() bool { return s.info().HostTime == OnHold }

// IsVisible reports whether people and tools see a booking in this state.
func (s State) IsVisible() bool { return s.info().Visible }

// Cause is what makes a booking change its state. The booking's history records it under this name.
type Cause string

const (
	ByBooking     Cause = "created"       // somebody has booked what needs nothing more
	ByHold        Cause = "held"          // somebody has chosen a time, and something is missing
	ByPayment     Cause = "paid"          // the payment has arrived
	ByHoldEnd     Cause = "expired"       // the hold was released or its time is over
	ByLatePayment Cause = "paid_too_late" // the payment has arrived, and the time is another's by now
	ByCancel      Cause = "canceled"      // the guest or the host has canceled
)

// Transition is a step from one state to another.
type Transition struct {
	From State // empty for a new booking
	To   State
	By   Cause
	Of   HoldReason   // if set, only bookings that are or were held for this reason take the step
	When say.Sentence // for the documentation
}

// Transitions lists all steps. There is no other way for a booking to change its state.
var Transitions = slices.Concat([]Transition{
	{"", Confirmed, ByBooking, "", "It is booked, and nothing more is needed."},
	{"", Held, ByHold, "", "A guest chooses a time, and something is needed before the booking is definite."},
}, confirmations(), []Transition{
	{Held, Expired, ByHoldEnd, "", "The guest gives the time back, or the hold is over."},
	{Expired, Confirmed, ByPayment, ForPayment, "The payment arrives late, and the time is still free."},
	{Expired, Canceled, ByLatePayment, ForPayment, "The payment arrives late, and the time is taken: it is refunded."},
	{Confirmed, Canceled, ByCancel, "", "The guest or the host cancels."},
})

// confirmations returns one step for each reason to hold a booking: what it waits for has happened.
func confirmations() (all []Transition) {
	for _, h := range HoldReasons {
		all = append(all, Transition{Held, Confirmed, h.ConfirmedBy, h.Reason, h.Confirmed})
	}
	return all
}

// Next returns the state that a cause leads to from the booking's present one. It returns an error if Transitions has
// no such step.
func (b *Booking) Next(by Cause) (State, error) {
	for _, t := range Transitions {
		if t.From == b.State && t.By == by && (t.Of == "" || t.Of == b.Hold.Reason) {
			return t.To, nil
		}
	}
	return b.State, fmt.Errorf("a booking in the state %q, with the hold reason %q, cannot be %s", b.State,
		b.Hold.Reason, by)
}

// Allows reports whether a cause leads to another state from this one, for some bookings at least.
func (s State) Allows(by Cause) bool {
	return slices.ContainsFunc(Transitions, func(t Transition) bool { return t.From == s && t.By == by })
}
