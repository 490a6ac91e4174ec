package payments

import (
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// A guest who pays at the moment when the hold ends gets the hour if nobody else has taken it, else a refund.
func TestPaidTooLate_TheHourIfItIsFreeElseTheMoney(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	d.stripe.Silence() // so that both hours are open again before slotd learns of the payments
	o := d.office(t)
	s := d.Serve(t)
	for n := range 2 {
		o.mustHold(s, "usd", n)
		o.pay(n)
	}
	s = d.RestartLater(t, s, 31*time.Minute)
	await.True(t, "the hours are open again", func() bool {
		first, _ := o.isOpen(s, 0)
		second, _ := o.isOpen(s, 1)
		return first && second
	})
	if a := o.call(s, "create_booking", map[string]any{
		"event_type": "free", "slot_start": instant(slot(0)), "attendee_name": "Quick",
		"attendee_email": "quick@example.com", "attendee_time_zone": "UTC",
	}); a.Error.Code != "" {
		t.Fatalf("%+v", a)
	}
	d.stripe.ClearFaults()
	d.RestartLater(t, s, time.Hour)
	o.await(1, "confirmed")
	p := o.await(0, "canceled")
	o.awaitIdle()
	if want := []string{"1.paid-too-late.attendee"}; !slices.Equal(o.mails(p.BookingID), want) {
		t.Fatalf("mails %v, want %v", o.mails(p.BookingID), want)
	}
	if text := o.read(p.BookingID, "1.paid-too-late.attendee"); !strings.Contains(text, "Nothing was booked") {
		t.Error(text)
	}
	if got := o.payment(0).entries(); got != "paid 5000, refund_requested 5000, refunded 5000" || o.refunds(0) != 1 ||
		o.refunds(1) != 0 {
		t.Errorf("the ledger has %s; %d and %d refunds", got, o.refunds(0), o.refunds(1))
	}
	o.wantReconciled()
}
