package booking

import (
	"testing"
	"time"

	"slotd"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/store/sqlcgen"
	"slotd/test/worlds"
)

// sendForm submits the same form for a slot.
func (w *world) sendForm(start time.Time) *slotd.Booking {
	w.T.Helper()
	form := &Idempotency{TokenID: "page", Key: slotd.Instant(start)}
	b, err := w.Hold(background, w.actor,
		Request{EventType: "lesson", StartsAt: start, Attendee: guest, Idempotency: form}, accounts.Operator)
	w.Must(err)
	return b
}

func TestHold_TheSameFormAgainIsTheSameHold(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.sendForm(at("10:00"))
		w.Clock.Set(b.Hold.Until.Add(-1))
		if second := w.sendForm(at("10:00")); second.ID != b.ID || second.State != slotd.Held ||
			!second.Hold.Until.Equal(b.Hold.Until) {
			t.Errorf("got %+v, want %+v", second, b)
		}
		w.applyPayment(b, worlds.PaidStatement(b))
		if third := w.sendForm(at("10:00")); third.ID != b.ID || third.State != slotd.Confirmed {
			t.Errorf("paid for, and again: %s %s", third.State, third.ID)
		}
		w.WantLedger(b, ledger.Paid)
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

func TestHold_TheSameFormAfterItsEndIsANewHold(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		for i, end := range []func(b *slotd.Booking){
			func(b *slotd.Booking) { w.Clock.Set(b.Hold.Until) },
			func(b *slotd.Booking) { w.Must(w.Release(background, w.actor, b.ID)) },
			func(b *slotd.Booking) { w.applyPayment(b, ledger.Statement{Closed: true}) },
		} {
			start := at("10:00").AddDate(0, 0, i)
			first := w.sendForm(start)
			end(first)
			second := w.sendForm(start)
			if second.ID == first.ID || second.State != slotd.Held || !w.now().Before(second.Hold.Until) {
				t.Errorf("got %+v after %+v", second, first)
			}
			if third := w.sendForm(start); third.ID != second.ID {
				t.Errorf("and a third hold: %s after %s", third.ID, second.ID)
			}
			w.WantState(first, slotd.Expired)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

func TestRace_OneFormWithItselfIsOneHold(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		holds := make([]*slotd.Booking, 8)
		var sends []func() error
		for i := range holds {
			sends = append(sends, func() error {
				holds[i] = w.sendForm(at("10:00"))
				return nil
			})
		}
		worlds.AtOnce(sends...)
		for _, b := range holds {
			if b.ID != holds[0].ID {
				t.Errorf("two holds: %s and %s", b.ID, holds[0].ID)
			}
		}
	})
}

// A free booking has nothing to refund, to list or to settle.
func TestFreeBookings_HaveNoMoney(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("10:00"))
		if m := w.money(b); m != nil {
			t.Errorf("a free booking has %+v", m)
		}
		w.applyPayment(b, worlds.StatementOf(&slotd.Booking{Price: &slotd.Price{Currency: "eur"}}, ledger.Paid, "pi_1"))
		w.Must(w.Release(background, w.actor, b.ID))
		w.WantState(b, slotd.Confirmed)
		w.wantJobs(b, "0.booked.attendee", "0.booked.host", "0.reminder.60")
		amount, until, err := w.Refundable(background, w.actor.WorkspaceID, b)
		if amount != 0 || !until.IsZero() || err != nil {
			t.Errorf("refundable: %d until %v, %v", amount, until, err)
		}
		canceled, err := w.Cancel(background, w.actor, b.ID, "")
		if err != nil || canceled.RefundedCents != 0 {
			t.Errorf("canceled: %+v, %v", canceled, err)
		}
		list, err := w.db.Read().Checkouts(background, sqlcgen.CheckoutsParams{WorkspaceID: w.actor.WorkspaceID,
			CreatedAt: monday.UnixMilli(), Limit: 10})
		if len(list) != 0 || err != nil {
			t.Errorf("payments: %v, %v", list, err)
		}
	})
}
