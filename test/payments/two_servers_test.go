package payments

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"slotd/test/await"
	"slotd/test/harness"
)

func TestRace_TwoServersShareOneAccount(t *testing.T) {
	t.Parallel()
	d := onPostgres(t)
	d.stripe.DropEvents()
	o := d.office(t)
	a, b := d.Serve(t), d.Serve(t)
	o.mustHold(a, "usd", 1)

	if status, text, _ := o.hold(b, "eur", 1); status != http.StatusConflict ||
		!strings.Contains(text, "no longer available") {
		t.Errorf("a second hold of the hour: %d %s", status, text)
	}
	if got := o.call(b, "create_booking", map[string]any{
		"event_type": "free", "slot_start": instant(slot(1)), "attendee_name": "Quick",
		"attendee_email": "quick@example.com", "attendee_time_zone": "UTC",
	}); got.Error.Code != "slot_unavailable" {
		t.Errorf("a free booking of the hour: %+v", got)
	}
	await.True(t, "the other server shows the hour no more", func() bool {
		endpoint, page := o.isOpen(b, 1)
		return !endpoint && !page
	})

	o.pay(1)
	o.sendToBoth(a, b, "checkout.session.completed")
	p := o.await(1, "confirmed")
	o.awaitMails(p.BookingID, bookedMails)

	if got := o.cancel(b, p.BookingID); got.Refunded != 5000 {
		t.Errorf("the cancel says %+v", got)
	}
	if got := o.cancel(a, p.BookingID); got.Refunded != 5000 {
		t.Errorf("canceled again, it says %+v", got)
	}
	await.True(t, "the money goes back", func() bool { return o.refunds(1) > 0 })
	o.sendToBoth(a, b, "refund.created")
	o.awaitIdle()
	o.awaitMails(p.BookingID, canceledMails)
	if got := o.payment(1).entries(); got != "paid 5000, refund_requested 5000, refunded 5000" || o.refunds(1) != 1 ||
		d.stripe.Balance() != 0 {
		t.Errorf("the ledger has %s; %d refunds, Stripe has %d", got, o.refunds(1), d.stripe.Balance())
	}
	o.wantReconciled()
}

// sendToBoth sends all events of a kind to both servers, three times each and all at once.
func (o *office) sendToBoth(a, b *harness.Server, kind string) {
	o.t.Helper()
	var all sync.WaitGroup
	sent := 0
	for _, e := range o.stripe.Events() {
		for i := range 6 {
			if e.Kind != kind {
				continue
			}
			sent++
			all.Go(func() {
				status, err := o.send([]*harness.Server{a, b}[i%2], "", e.Body)
				if err != nil || status != http.StatusOK {
					o.t.Errorf("%s: %d, %v", kind, status, err)
				}
			})
		}
	}
	all.Wait()
	if sent == 0 {
		o.t.Errorf("there is no event %s to send", kind)
	}
}

// When the attendee cancels, the refund policy of the booking applies: until a day before, a full refund.
func TestAttendee_CancelsAndGetsTheMoneyBack(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	d.stripe.DropEvents()
	o := d.office(t)
	s := d.Serve(t)
	p := o.confirmedBooking(s, 1)
	cancel := s.URL + findLink(o.read(p.BookingID, "0.booked.attendee"), "cancel")
	if _, page := o.open(cancel); !strings.Contains(page, "50.00 USD") {
		t.Errorf("the page does not say what goes back: %s", page)
	}
	if status, text, _ := o.post(cancel, url.Values{"reason": {"ill"}}); status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, text)
	}
	o.awaitMails(p.BookingID, canceledMails)
	await.True(t, "the money is back", func() bool { return o.refunds(1) == 1 })
	o.awaitIdle()
	o.wantReconciled()
}
