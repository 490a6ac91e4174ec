package booking

import (
	"slices"
	"testing"
	"time"

	"slotd"
	"slotd/internal/money/ledger"
	"slotd/internal/store/testdb"
)

// kinds are what the booking's history says.
func (w *world) kinds(b *slotd.Booking) (all []string) {
	w.t.Helper()
	for _, e := range w.history(b) {
		all = append(all, e.Kind)
	}
	return all
}

// Mails, reminders and the entry in the host's calendar follow from the payment alone.
func TestHear_OnlyAPaymentConfirms(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, _ *published) {
		w.sell()
		b := w.mustHold("lesson", at("10:00"))
		w.wantJobs(b, "settle")
		w.hear(b, told(b, ledger.Authorized, paymentOf(b)))
		w.hear(b, ledger.Statement{Payment: paymentOf(b)})
		w.wantState(b, slotd.Held)
		w.wantJobs(b, "settle")
		w.hear(b, pays(b))
		w.wantState(b, slotd.Confirmed)
		w.wantJobs(b, "settle", "0.booked.attendee", "0.booked.host", "0.reminder.60", "0.write_back")
		w.clock.Set(b.HeldUntil) // which does not matter any more
		w.read()
		w.wantListed("paid", w.Service, at("10:00"), false)
		w.wantListed("paid", w.another(), at("10:00"), false)
	})
}

// Whatever is heard besides, how often and in which order: one payment, one confirmation.
func TestHear_AnyOrderAndAnyNumberIsTheSame(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		for i, order := range [][]ledger.Kind{
			{ledger.Paid, ledger.Paid, ledger.Paid},
			{ledger.Authorized, ledger.Paid, ledger.Authorized},
			{ledger.Paid, ledger.Authorized, ledger.Paid},
			{"closed", ledger.Paid, ledger.Paid},
			{ledger.Paid, "closed", "closed", ledger.Paid},
		} {
			b := w.mustHold("lesson", at("10:00").AddDate(0, 0, i))
			for _, kind := range order {
				heard := told(b, kind, paymentOf(b))
				if kind == "closed" {
					heard = ledger.Statement{Closed: true}
				}
				w.hear(b, heard)
			}
			w.wantState(b, slotd.Confirmed)
			if n := w.money(b).Ledger.Paid(); n != price {
				t.Errorf("%v: paid %d", order, n)
			}
			w.wantJobs(b, "settle", "0.booked.attendee", "0.booked.host", "0.reminder.60")
			said := w.kinds(b)
			if i := slices.Index(said, "paid"); i < 0 || slices.Contains(said[i+1:], "paid") {
				t.Errorf("%v: the history says %v", order, said)
			}
		}
		w.checkClaims(t.Fatalf)
	})
}

// Nobody can pay any more: the time is free, and who wanted it is forgotten. Until then they are not: a payment
// may still come.
func TestHear_WhoDidNotPayIsForgotten(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		w.must(w.Release(background, Attendee(w.actor.WorkspaceID), b.ID))
		if got := w.stored(b); got.State != slotd.Expired || got.Attendee != guest {
			t.Fatalf("released: %+v", got)
		}
		w.must(w.ForgetGuest(background, w.actor.WorkspaceID, b.ID))
		if got := w.stored(b); got.Attendee != guest {
			t.Fatalf("forgotten, and able to pay: %+v", got)
		}
		w.hear(b, ledger.Statement{Closed: true})
		w.must(w.ForgetGuest(background, w.actor.WorkspaceID, b.ID))
		if got := w.stored(b); got.Attendee.Name != "" || got.Attendee.Email != "" || got.Notes != "" {
			t.Errorf("closed: %+v %q", got.Attendee, got.Notes)
		}
	})
}

// A payment by a way that takes days, and whose money does not come.
func TestHear_APromiseThatIsBrokenLetsGo(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		w.hear(b, told(b, ledger.Authorized, paymentOf(b)))
		broken := told(b, ledger.Failed, paymentOf(b))
		broken.Closed = true
		w.hear(b, broken)
		w.wantState(b, slotd.Expired)
		w.wantLedger(b, ledger.Authorized, ledger.Failed)
		if m := w.money(b); m.Ledger.Balance() != 0 || !m.Closed {
			t.Errorf("sum %d, closed %v", m.Ledger.Balance(), m.Closed)
		}
		w.wantListed("broken", w.Service, at("10:00"), true)
	})
}

func TestHear_AForeignAmountChangesNothing(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		for _, e := range []ledger.Entry{
			{Kind: ledger.Paid, Amount: price, Currency: "usd", Reference: "pi_1"},
			{Kind: ledger.Paid, Amount: -1, Currency: "eur", Reference: "pi_1"},
			{Kind: ledger.Paid, Amount: price, Currency: "eur"},
		} {
			w.must(w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, ledger.Statement{Entries: []ledger.Entry{e}}))
		}
		w.wantState(b, slotd.Held)
		w.wantLedger(b)
	})
}

// The job that asks runs some time after the hold began, and at the latest when it ends.
func TestHold_IsLookedAtAfterSomeTime(t *testing.T) {
	for hold, want := range map[time.Duration]time.Duration{DefaultHold: askAfter, askAfter / 2: askAfter / 2} {
		w := newWorld(t, testdb.SQLite(t))
		w.sell()
		w.holdFor = hold
		b := w.mustHold("lesson", at("10:00"))
		if got := w.settleAt(b); !got.Equal(monday.Add(want)) {
			t.Errorf("a hold of %s is looked at after %s, want %s", hold, got.Sub(monday), want)
		}
		w.must(w.Release(background, w.actor, b.ID))
		if got := w.settleAt(b); !got.Equal(monday) {
			t.Errorf("a released hold of %s is looked at after %s", hold, got.Sub(monday))
		}
	}
}
