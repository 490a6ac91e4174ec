package worker

import (
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
)

const (
	sessions = "GET /v1/checkout/sessions/"
	expires  = "POST /v1/checkout/sessions/"
)

// isForgotten reports whether the booking no longer names its guest.
func (w *paid) isForgotten(b *slotd.Booking) bool {
	w.T.Helper()
	m := w.Money(b)
	return m.Booking.Attendee == (slotd.Attendee{TimeZone: m.Booking.Attendee.TimeZone}) && m.Booking.Notes == ""
}

func TestSettle_APaymentThatNobodyReportsIsFound(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b, session := w.checkout(tuesday)
		w.Must(w.stripe.Pay(session))
		w.settleAt(monday.Add(holdPollInterval - time.Millisecond))
		if n := w.stripe.Requests(sessions); n != 0 {
			t.Errorf("asked %d times before Stripe had time to tell", n)
		}
		w.WantState(b, slotd.Held)
		w.settleAt(monday.Add(holdPollInterval))
		w.WantState(b, slotd.Confirmed)
		w.run()
		w.wantMails(b, "0.booked.attendee", "0.booked.host")
		w.deliver() // the events arrive late
		w.run()
		w.wantMails(b)
		w.WantLedger(b, ledger.Paid)
		if left := w.pendingJobs(); len(left) != 0 {
			t.Errorf("left to be done: %+v", left)
		}
	})
}

// No event is delivered here. The job itself asks Stripe during the hold, and closes the checkout when the hold ends.
func TestSettle_ACheckoutIsClosedWhenItsHoldEnds(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b, session := w.checkout(tuesday)
		w.settleFor(booking.DefaultHold - time.Millisecond)
		if n, want := w.stripe.Requests(sessions), int(booking.DefaultHold/holdPollInterval)-1; n != want {
			t.Errorf("asked %d times while it was held, want %d", n, want)
		}
		w.WantState(b, slotd.Held)
		w.settleAt(b.Hold.Until)
		if got := w.stripe.Sessions()[0].Status; got != "expired" || w.stripe.Pay(session) == nil {
			t.Errorf("the checkout is %s, and can be paid at", got)
		}
		w.WantState(b, slotd.Expired)
		w.settleFor(keepUnpaidFor - time.Minute)
		if w.isForgotten(b) {
			t.Error("forgotten, and may still want to send the form again")
		}
		w.settleFor(2 * time.Minute)
		if left := w.pendingJobs(); !w.isForgotten(b) || len(left) != 0 {
			t.Errorf("forgotten: %v, left to be done: %+v", w.isForgotten(b), left)
		}
	})
}

// A click on "back" closes the checkout at once. Until Stripe has closed it, the guest may still pay.
func TestSettle_AReleasedCheckoutIsClosedAtOnce(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b, _ := w.checkout(tuesday)
		w.Must(w.Release(background, booking.Attendee(w.Actor.WorkspaceID), b.ID))
		w.stripe.AddFault(stripetest.Fault{Request: expires, Status: 500, Times: 1})
		w.settleFor(time.Minute)
		if got := w.stripe.Sessions()[0].Status; got != "expired" {
			t.Errorf("the checkout is %s", got)
		}
	})
}

func TestSettle_PaidBeforeTheCheckoutWasClosed(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		free, first := w.checkout(tuesday)
		taken, second := w.checkout(tuesday.Add(time.Hour))
		w.Must(w.stripe.Pay(first))
		w.Must(w.stripe.Pay(second))
		w.Clock.Set(free.Hold.Until)
		w.create("intro", taken.StartsAt, "other@guest.example")
		w.box.Empty()
		w.settleFor(time.Minute)
		w.WantState(free, slotd.Confirmed)
		w.WantState(taken, slotd.Canceled)
		w.WantLedger(free, ledger.Paid)
		w.WantLedger(taken, ledger.Paid, ledger.RefundRequested, ledger.Refunded)
		if refunds := w.stripe.Refunds(); len(refunds) != 1 || refunds[0].Amount != price ||
			w.stripe.Balance() != price {
			t.Errorf("refunds %+v", refunds)
		}
		w.run()
		mails := 0
		for _, m := range w.box.Empty() {
			if m.To == email && strings.Contains(m.ID, taken.ID.String()+".1.paid") {
				mails++
			}
		}
		if mails != 1 {
			t.Errorf("the guest was told %d times that the payment came too late", mails)
		}
	})
}

func TestSettle_AHoldWhoseCheckoutWasNeverOpenedIsAbandoned(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.hold(tuesday)
		w.settleFor(booking.DefaultHold - time.Millisecond)
		w.WantState(b, slotd.Held)
		w.settleAt(b.Hold.Until)
		w.WantState(b, slotd.Expired)
		w.settleFor(keepUnpaidFor + time.Minute)
		if n, left := w.stripe.Requests(""), w.pendingJobs(); n != 0 || len(left) != 0 || !w.isForgotten(b) {
			t.Errorf("%d requests, forgotten: %v, left to be done: %+v", n, w.isForgotten(b), left)
		}
	})
}

// A payment method that takes days outlasts the hold. The job asks about a promised payment until it is paid or fails.
func TestSettle_APromiseIsWaitedFor(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		kept, first := w.checkout(tuesday.AddDate(0, 0, 30))
		broken, second := w.checkout(tuesday.AddDate(0, 0, 31))
		never, third := w.checkout(tuesday.AddDate(0, 0, 32))
		for _, session := range []string{first, second, third} {
			w.Must(w.stripe.Promise(session))
		}
		w.deliver()
		for _, b := range []*slotd.Booking{kept, broken, never} {
			w.WantState(b, slotd.Held)
		}
		w.settleFor(2 * time.Hour)
		for _, b := range []*slotd.Booking{kept, broken, never} {
			if w.WantState(b, slotd.Expired); w.isForgotten(b) {
				t.Error("forgotten, and yet the money is under way")
			}
		}
		w.stripe.Keep(first) // no event reports it
		w.settleFor(2 * time.Hour)
		w.WantState(kept, slotd.Confirmed)
		w.WantLedger(kept, ledger.Authorized, ledger.Paid)
		w.stripe.Break(second)
		w.deliver()
		w.settleFor(keepUnpaidFor)
		if w.WantLedger(broken, ledger.Authorized, ledger.Failed); !w.isForgotten(broken) {
			t.Error("the promise is broken, and its guest not forgotten")
		}
		w.Clock.Set(never.Hold.Until.Add(maxTransit))
		w.settle()
		if w.isForgotten(never) {
			t.Error("forgotten too early")
		}
		w.settleFor(2 * time.Hour)
		if left := w.pendingJobs(); !w.isForgotten(never) || len(left) != 0 {
			t.Errorf("waited for ever; forgotten: %v, left to be done: %+v", w.isForgotten(never), left)
		}
	})
}

// A payment that we cannot find out about must not be kept. The owner is asked to look, and slotd keeps asking Stripe.
func TestSettle_ACheckoutThatCannotBeAskedAbout(t *testing.T) {
	skipIfShort(t)
	w := newPaid(t, testdb.SQLite(t))
	b, session := w.checkout(tuesday.AddDate(0, 2, 0))
	w.Must(w.stripe.Pay(session)) // no event reports it
	keys := w.payments.Accounts.OperatorKeys
	w.payments.Accounts.OperatorKeys = stripe.Keys{} // the operator has removed the key
	w.settleFor(booking.DefaultHold + time.Hour)
	w.WantState(b, slotd.Expired)
	w.settleFor(maxTransit - 2*time.Hour)
	w.wantOwnerMails(b)
	w.settleFor(3 * 24 * time.Hour)
	w.wantOwnerMails(b, mail.PaymentUnknown)
	if w.isForgotten(b) {
		t.Error("the guest is forgotten, and has paid")
	}
	w.payments.Accounts.OperatorKeys = keys
	w.settleFor(2 * time.Hour)
	w.WantState(b, slotd.Confirmed)
}

// Two servers run the same job, as can happen when a lease has expired.
func TestRace_TwoSettlesMakeOneRefund(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		w.MustCancel(b, "")
		errs := make(chan error)
		for range 2 {
			go func() {
				_, err := w.payments.Settle(background, &jobs.Job{WorkspaceID: w.Actor.WorkspaceID, Booking: b.ID})
				errs <- err
			}()
		}
		<-errs
		<-errs
		if refunds := w.stripe.Refunds(); len(refunds) != 1 {
			t.Errorf("refunds %+v", refunds)
		}
		w.WantLedger(b, ledger.Paid, ledger.RefundRequested, ledger.Refunded)
		w.settle()
		w.deliver()
		w.wantSettled(b)
	})
}
