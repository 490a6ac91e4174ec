package booking

import (
	"slices"
	"testing"
	"time"

	"slotd"
	"slotd/internal/money/ledger"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

// historyKinds returns the kinds of the events in the booking's history.
func (w *world) historyKinds(b *slotd.Booking) (all []string) {
	w.T.Helper()
	for _, e := range w.history(b) {
		all = append(all, e.Kind)
	}
	return all
}

// Only the payment creates the mails, the reminders and the entry in the host's calendar.
func TestApplyPayment_OnlyAPaymentConfirms(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, _ *worlds.Feed) {
		w.addPaidEventTypes()
		b := w.mustHold("lesson", at("10:00"))
		w.wantJobs(b, "settle")
		w.applyPayment(b, worlds.StatementOf(b, ledger.Authorized, worlds.PaymentOf(b)))
		w.applyPayment(b, ledger.Statement{Payment: worlds.PaymentOf(b)})
		w.WantState(b, slotd.Held)
		w.wantJobs(b, "settle")
		w.applyPayment(b, worlds.PaidStatement(b))
		w.WantState(b, slotd.Confirmed)
		w.wantJobs(b, "settle", "0.booked.attendee", "0.booked.host", "0.reminder.60", "0.write_back")
		w.Clock.Set(b.Hold.Until) // the end of the hold does not matter anymore
		w.ReadCalendars("acme")
		w.wantListed("paid", w.Service, at("10:00"), false)
		w.wantListed("paid", w.secondServer(), at("10:00"), false)
	})
}

// One payment leads to one confirmation, whatever else is reported, how often and in which order.
func TestApplyPayment_AnyOrderAndAnyNumberIsTheSame(t *testing.T) {
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
				statement := worlds.StatementOf(b, kind, worlds.PaymentOf(b))
				if kind == "closed" {
					statement = ledger.Statement{Closed: true}
				}
				w.applyPayment(b, statement)
			}
			w.WantState(b, slotd.Confirmed)
			if n := w.money(b).Ledger.Paid(); n != price {
				t.Errorf("%v: paid %d", order, n)
			}
			w.wantJobs(b, "settle", "0.booked.attendee", "0.booked.host", "0.reminder.60")
			kinds := w.historyKinds(b)
			if i := slices.Index(kinds, "paid"); i < 0 || slices.Contains(kinds[i+1:], "paid") {
				t.Errorf("%v: the history says %v", order, kinds)
			}
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// When nobody can pay anymore, the time is free and the guest is erased. Until then the guest's data stays: a payment
// may still arrive.
func TestApplyPayment_WhoDidNotPayIsForgotten(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		w.Must(w.Release(background, Attendee(w.actor.WorkspaceID), b.ID))
		if got := w.stored(b); got.State != slotd.Expired || got.Attendee != guest {
			t.Fatalf("released: %+v", got)
		}
		w.Must(w.ForgetGuest(background, w.actor.WorkspaceID, b.ID))
		if got := w.stored(b); got.Attendee != guest {
			t.Fatalf("forgotten, and able to pay: %+v", got)
		}
		w.applyPayment(b, ledger.Statement{Closed: true})
		for _, state := range []slotd.State{slotd.Confirmed, slotd.Expired} {
			if got := w.stored(b); got.Attendee != guest {
				t.Fatalf("forgotten before it was %s: %+v", state, got)
			}
			_, err := w.Raw.Exec(`UPDATE bookings SET state = $1`, string(state))
			w.Must(err)
			w.Must(w.ForgetGuest(background, w.actor.WorkspaceID, b.ID))
		}
		if got := w.stored(b); got.Attendee != (slotd.Attendee{TimeZone: guest.TimeZone}) || got.Notes != "" {
			t.Errorf("closed: %+v %q", got.Attendee, got.Notes)
		}
	})
}

// The payment method takes days, and the payment fails in the end.
func TestApplyPayment_ABrokenPromiseReleasesTheHold(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		w.applyPayment(b, worlds.StatementOf(b, ledger.Authorized, worlds.PaymentOf(b)))
		broken := worlds.StatementOf(b, ledger.Failed, worlds.PaymentOf(b))
		broken.Closed = true
		w.applyPayment(b, broken)
		w.WantState(b, slotd.Expired)
		w.WantLedger(b, ledger.Authorized, ledger.Failed)
		if m := w.money(b); m.Ledger.Balance() != 0 || !m.Closed {
			t.Errorf("sum %d, closed %v", m.Ledger.Balance(), m.Closed)
		}
		w.wantListed("broken", w.Service, at("10:00"), true)
	})
}

func TestApplyPayment_AForeignAmountChangesNothing(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		for _, e := range []ledger.Entry{
			{Kind: ledger.Paid, Amount: price, Currency: "usd", Reference: "pi_1"},
			{Kind: ledger.Paid, Amount: -1, Currency: "eur", Reference: "pi_1"},
			{Kind: ledger.Paid, Amount: price, Currency: "eur"},
		} {
			w.Must(w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, ledger.Statement{Entries: []ledger.Entry{e}}))
		}
		w.WantState(b, slotd.Held)
		w.WantLedger(b)
	})
}

// The settle job runs some time after the hold began, and at the latest when the hold ends.
func TestHold_IsLookedAtAfterSomeTime(t *testing.T) {
	for hold, want := range map[time.Duration]time.Duration{DefaultHold: askAfter, askAfter / 2: askAfter / 2} {
		w := newWorld(t, testdb.SQLite(t))
		w.addPaidEventTypes()
		w.holdFor = hold
		b := w.mustHold("lesson", at("10:00"))
		if got := w.settleAt(b); !got.Equal(monday.Add(want)) {
			t.Errorf("a hold of %s is looked at after %s, want %s", hold, got.Sub(monday), want)
		}
		w.Must(w.Release(background, w.actor, b.ID))
		if got := w.settleAt(b); !got.Equal(monday) {
			t.Errorf("a released hold of %s is looked at after %s", hold, got.Sub(monday))
		}
	}
}
