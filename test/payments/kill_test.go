package payments

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"slotd/test/harness"
)

// moment is a point at which a server is killed, and the state in which the guest's booking must end nevertheless.
type moment struct {
	name      string
	act       func(o *office, w *stripeProxy, s *harness.Server, n int)
	wantState string // the booking's state
}

// moments are named after what has just happened. Stripe delivers no events by itself here.
var moments = []moment{
	{"the time is held", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		o.holdUntilCut(s, n, w.cut("POST /v1/checkout/sessions", guestOf(n), before, s.Kill))
	}, unlisted},
	{"Stripe has made the checkout", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		o.holdUntilCut(s, n, w.cut("POST /v1/checkout/sessions", guestOf(n), after, s.Kill))
	}, unlisted},
	{"the guest is sent to the checkout", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		o.mustHold(s, "usd", n)
		s.Kill()
		o.pay(n)
	}, "confirmed"},
	{"the guest has paid", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		o.mustHold(s, "usd", n)
		o.pay(n)
	}, "confirmed"},
	{"the webhook was accepted", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		o.mustHold(s, "usd", n)
		o.pay(n)
		o.sendCompleted(s, n)
		anyMoment()
	}, "confirmed"},
	{"the host has canceled", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		o.cancel(s, o.confirmedBooking(s, n).BookingID)
		anyMoment()
	}, "canceled"},
	{"the refund is asked for", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		p := o.confirmedBooking(s, n)
		cut := w.cut("POST /v1/refunds", o.checkout(n).Intent, before, s.Kill)
		// the kill may come before its response
		o.tryCall(s, "cancel_booking", map[string]any{"booking_id": p.BookingID})
		o.awaitCut(cut)
	}, "canceled"},
	{"Stripe has made the refund", func(o *office, w *stripeProxy, s *harness.Server, n int) {
		p := o.confirmedBooking(s, n)
		cut := w.cut("POST /v1/refunds", o.checkout(n).Intent, after, s.Kill)
		// the kill may come before its response
		o.tryCall(s, "cancel_booking", map[string]any{"booking_id": p.BookingID})
		o.awaitCut(cut)
	}, "canceled"},
}

// anyMoment sleeps for a random time, so that the kill comes at any moment. It waits for nothing.
func anyMoment() { time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) }

// holdUntilCut holds hour n at a server that is killed before it responds.
func (o *office) holdUntilCut(s *harness.Server, n int, cut <-chan struct{}) {
	o.t.Helper()
	if status, text, _ := o.hold(s, "usd", n); status != 0 {
		o.t.Fatalf("guest %d got a response: %d %s", n, status, text)
	}
	o.awaitCut(cut)
}

func TestKill_EveryGuestComesToTheSameEnd(t *testing.T) {
	t.Parallel()
	for _, on := range []struct {
		name   string
		deploy func(*testing.T) *deployment
		kills  int
	}{{"sqlite", onSQLite, 20}, {"postgres", onPostgres, len(moments)}} {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			d := on.deploy(t)
			d.stripe.DropEvents()
			w := newStripeProxy(t, d)
			o := d.office(t)
			kills := on.kills
			if testing.Short() {
				kills = len(moments)
			}
			for n := range kills {
				s := d.Serve(t)
				moments[n%len(moments)].act(o, w, s, n)
				s.Kill()
			}
			o.wantEnds(kills)
		})
	}
}

// wantEnds first advances the clock until the server asks Stripe, and then until the holds end.
func (o *office) wantEnds(guests int) {
	o.t.Helper()
	o.AdvanceClock(6 * time.Minute)
	s := o.Serve(o.t)
	for n := range guests {
		if m := moments[n%len(moments)]; m.wantState != unlisted {
			o.wantEnd(n, m)
		}
	}
	s = o.RestartLater(o.t, s, 30*time.Minute)
	for n := range guests {
		if m := moments[n%len(moments)]; m.wantState == unlisted {
			o.wantEnd(n, m)
		}
	}
	o.awaitIdle()
	o.wantReconciled()
	mails := 0
	for n := range guests { // nothing may have changed since
		mails += o.wantEnd(n, moments[n%len(moments)])
	}
	if all := o.mails("*"); len(all) != mails {
		o.t.Errorf("%d mails, of which %d are about bookings that were paid for", len(all), mails)
	}
	if endpoint, page := o.isOpen(s, 0); !endpoint || !page {
		o.t.Errorf("the hour that nobody has paid for is open: %v at the endpoint, %v on the page", endpoint, page)
	}
}

// wantEnd checks for one booking with one mail to each, or one refund, or nothing at all.
func (o *office) wantEnd(n int, m moment) (mails int) {
	o.t.Helper()
	p := o.await(n, m.wantState)
	wantMails := map[string][]string{"confirmed": bookedMails, "canceled": canceledMails}[m.wantState]
	o.awaitMails(p.BookingID, wantMails)
	wantLedger := map[string]string{"confirmed": "paid 5000",
		"canceled": "paid 5000, refund_requested 5000, refunded 5000"}[m.wantState]
	o.awaitPayment(n, fmt.Sprintf("%s: the ledger has %q", m.name, wantLedger),
		func(p payment) bool { return p.entries() == wantLedger })
	wantRefunds := map[string]int{"canceled": 1}[m.wantState]
	if got := o.refunds(n); got != wantRefunds {
		o.t.Errorf("%s: %d refunds, want %d", m.name, got, wantRefunds)
	}
	return len(wantMails)
}

// refunds counts the refunds of the guest who wanted hour n.
func (o *office) refunds(n int) (count int) {
	intent := o.checkout(n).Intent
	for _, r := range o.stripe.Refunds() {
		if intent != "" && r.Intent == intent && !slices.Contains([]string{"failed", "canceled"}, string(r.Status)) {
			count++
		}
	}
	return count
}
