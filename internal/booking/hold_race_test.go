package booking

import (
	"fmt"
	"testing"

	"slotd"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/test/worlds"
)

// countWinners counts the clients that got the slot. All others must have got SlotUnavailable.
func countWinners(t *testing.T, errs []error) (n int) {
	t.Helper()
	for _, err := range errs {
		if err == nil {
			n++
		} else if !slotd.Is(err, slotd.SlotUnavailable) {
			t.Error(err)
		}
	}
	return n
}

func TestRace_FiftyHoldsOfOneSlot(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		servers := []*Service{w.Service, w.secondServer()}
		var guests []func() error
		for i := range 50 {
			guests = append(guests, func() error {
				who := slotd.Attendee{Name: "Guest", Email: fmt.Sprintf("g%d@guest.example", i), TimeZone: "UTC"}
				_, err := servers[i%2].Hold(background, w.actor,
					Request{EventType: "lesson", StartsAt: at("10:00"), Attendee: who}, accounts.Operator)
				return err
			})
		}
		if n := countWinners(t, worlds.AtOnce(guests...)); n != 1 {
			t.Errorf("%d guests hold the slot", n)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// The last hold of the slot has ended, but nobody has recorded that, so each client has to end it first.
func TestRace_EveryEntryPointAtTheEndOfAHold(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		for day := range 3 {
			start := at("10:00").AddDate(0, 0, day)
			ended := w.mustHold("lesson", start)
			moved := w.mustCreate("intro", at("14:00").AddDate(0, 0, day))
			w.Clock.Set(ended.Hold.Until)
			n := countWinners(t, worlds.AtOnce(
				func() error { _, err := w.hold("coaching", start); return err },
				func() error { _, err := w.hold("lesson", start); return err },
				func() error { _, err := w.create("intro", start); return err },
				func() error { _, err := w.Reschedule(background, w.actor, moved.ID, start); return err },
			))
			if n != 1 {
				t.Errorf("day %d: %d have the slot", day, n)
			}
			w.WantState(ended, slotd.Expired)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// wantOneOwner checks that either the payment confirmed the booking, or the other guest has the slot and the payment
// is refunded.
func (w *world) wantOneOwner(paid *slotd.Booking, err error) {
	w.T.Helper()
	switch b := w.stored(paid); {
	case b.State == slotd.Confirmed && slotd.Is(err, slotd.SlotUnavailable):
		w.WantLedger(b, ledger.Paid)
	case b.State == slotd.Canceled && err == nil:
		w.WantLedger(b, ledger.Paid, ledger.RefundRequested)
	default:
		w.T.Errorf("the paid booking is %s, and the other guest got %v", b.State, err)
	}
	w.CheckClaims(w.actor.WorkspaceID, w.T.Fatalf)
}

// paying returns a function that reports the payment of a booking.
func (w *world) paying(b *slotd.Booking) func() error {
	return func() error {
		return w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, worlds.PaidStatement(b))
	}
}

func TestRace_PaidAtTheEndWhileAnotherBooks(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		for day := range 4 {
			b := w.mustHold("lesson", at("10:00").AddDate(0, 0, day))
			w.Clock.Set(b.Hold.Until)
			book := func() error { _, err := w.create("intro", b.StartsAt); return err }
			pay := w.paying(b)
			var err error
			switch day {
			case 0: // the payment first
				w.Must(pay())
				err = book()
				w.WantState(b, slotd.Confirmed)
			case 1: // the other guest first
				err = book()
				w.Must(pay())
				w.WantState(b, slotd.Canceled)
			default:
				errs := worlds.AtOnce(book, pay)
				err = errs[0]
				w.Must(errs[1])
			}
			w.wantOneOwner(b, err)
		}
	})
}

// A guest who has paid keeps the slot, even if a click on "back" arrives at the same time.
func TestRace_ReleasedAndPaidAtOnce(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		for day := range 3 {
			b := w.mustHold("lesson", at("10:00").AddDate(0, 0, day))
			pay := w.paying(b)
			release := func() error { return w.Release(background, Attendee(w.actor.WorkspaceID), b.ID) }
			for _, err := range worlds.AtOnce(pay, release, pay) {
				w.Must(err)
			}
			w.WantState(b, slotd.Confirmed)
			w.WantLedger(b, ledger.Paid)
			w.wantJobs(b, "0.booked.attendee", "0.booked.host", "0.reminder.60", "settle")
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}
