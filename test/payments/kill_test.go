package payments

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// moment is when a server dies, and what has to become of its guest nevertheless.
type moment struct {
	name string
	die  func(o *office, w *wire, s *server, n int)
	end  string // the booking's state
}

// moments are told by what has just happened. Stripe tells of nothing by itself.
var moments = []moment{
	{"the time is held", func(o *office, w *wire, s *server, n int) {
		w.cut("POST /v1/checkout/sessions", before, s.kill)
		o.hold(s, "usd", n)
	}, unlisted},
	{"Stripe has made the checkout", func(o *office, w *wire, s *server, n int) {
		w.cut("POST /v1/checkout/sessions", after, s.kill)
		o.hold(s, "usd", n)
	}, unlisted},
	{"the guest is sent to the checkout", func(o *office, w *wire, s *server, n int) {
		o.mustHold(s, "usd", n)
		s.kill()
		o.pay(n)
	}, "confirmed"},
	{"the guest has paid", func(o *office, w *wire, s *server, n int) {
		o.mustHold(s, "usd", n)
		o.pay(n)
	}, "confirmed"},
	{"the webhook was accepted", func(o *office, w *wire, s *server, n int) {
		o.mustHold(s, "usd", n)
		o.pay(n)
		o.tell(s, n)
		anyMoment()
	}, "confirmed"},
	{"the host has canceled", func(o *office, w *wire, s *server, n int) {
		o.cancel(s, o.confirmed(s, n).BookingID)
		anyMoment()
	}, "canceled"},
	{"the refund is asked for", func(o *office, w *wire, s *server, n int) {
		p := o.confirmed(s, n)
		cut := w.cut("POST /v1/refunds", before, s.kill)
		o.tryCall(s, "cancel_booking", map[string]any{"booking_id": p.BookingID}) // its answer may come too late
		o.reach(cut)
	}, "canceled"},
	{"Stripe has made the refund", func(o *office, w *wire, s *server, n int) {
		p := o.confirmed(s, n)
		cut := w.cut("POST /v1/refunds", after, s.kill)
		o.tryCall(s, "cancel_booking", map[string]any{"booking_id": p.BookingID}) // its answer may come too late
		o.reach(cut)
	}, "canceled"},
}

// anyMoment may be the last one of a server: this waits for nothing.
func anyMoment() { time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) }

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
			d.stripe.Lose()
			w := newWire(t, d)
			o := d.office(t)
			kills := on.kills
			if testing.Short() {
				kills = len(moments)
			}
			for n := range kills {
				s := d.start(t)
				moments[n%len(moments)].die(o, w, s, n)
				s.kill()
			}
			o.wantEnds(kills)
		})
	}
}

// wantEnds lets the time pass after which Stripe is asked, and then the time for which a guest's hour is held.
func (o *office) wantEnds(guests int) {
	o.t.Helper()
	o.pass(6 * time.Minute)
	s := o.start(o.t)
	for n := range guests {
		if m := moments[n%len(moments)]; m.end != unlisted {
			o.wantEnd(n, m)
		}
	}
	s = o.later(o.t, s, 30*time.Minute)
	for n := range guests {
		if m := moments[n%len(moments)]; m.end == unlisted {
			o.wantEnd(n, m)
		}
	}
	o.rests()
	o.wantReconciled()
	mails := 0
	for n := range guests { // and nothing has changed since
		mails += o.wantEnd(n, moments[n%len(moments)])
	}
	if all := o.mails("*"); len(all) != mails {
		o.t.Errorf("%d mails, of which %d are about bookings that were paid for", len(all), mails)
	}
	if endpoint, page := o.isOpen(s, 0); !endpoint || !page {
		o.t.Errorf("the hour that nobody has paid for is open: %v at the endpoint, %v on the page", endpoint, page)
	}
}

// wantEnd: one booking with one mail to each, or the money back once, or nothing at all.
func (o *office) wantEnd(n int, m moment) (mails int) {
	o.t.Helper()
	p := o.await(n, m.end)
	wantMails := map[string][]string{"confirmed": booked, "canceled": canceled}[m.end]
	o.awaitMails(p.BookingID, wantMails)
	wantLedger := map[string]string{"confirmed": "paid 5000",
		"canceled": "paid 5000, refund_requested 5000, refunded 5000"}[m.end]
	commandsSay(o.t, fmt.Sprintf("%s: the ledger has %q", m.name, wantLedger),
		func() bool { return o.payment(n).entries() == wantLedger })
	wantRefunds := map[string]int{"canceled": 1}[m.end]
	if got := o.refunds(n); got != wantRefunds {
		o.t.Errorf("%s: %d refunds, want %d", m.name, got, wantRefunds)
	}
	return len(wantMails)
}

// refunds counts those of the guest who wanted an hour.
func (o *office) refunds(n int) (count int) {
	of := o.checkout(n).Intent
	for _, r := range o.stripe.Refunds() {
		if of != "" && r.Intent == of && !slices.Contains([]string{"failed", "canceled"}, string(r.Status)) {
			count++
		}
	}
	return count
}
