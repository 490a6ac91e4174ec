package payments

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

func TestLostWebhook_TheBookingIsConfirmedByAsking(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	d.stripe.Silence()
	o := d.office(t)
	s := d.Serve(t)
	o.mustHold(s, "usd", 1)
	o.pay(1)
	home := func(s *harness.Server) string { // where the checkout redirects the guest
		return s.URL + findLink(o.checkout(1).SuccessURL, "booking")
	}
	if status, page := o.open(home(s)); status != http.StatusOK || !strings.Contains(page, "Waiting for your payment") {
		t.Errorf("before we ask: %d %s", status, page)
	}
	d.stripe.ClearFaults()
	s = d.RestartLater(t, s, 6*time.Minute)
	p := o.await(1, "confirmed")
	o.awaitMails(p.BookingID, bookedMails)
	if status, page := o.open(home(s)); status != http.StatusOK || !strings.Contains(page, "50.00 USD, paid") {
		t.Errorf("after we have asked: %d %s", status, page)
	}
	o.sendCompleted(s, 1) // the lost event arrives late
	o.awaitIdle()
	if got := o.payment(1).entries(); got != "paid 5000" {
		t.Errorf("the ledger has %s", got)
	}
	o.awaitMails(p.BookingID, bookedMails)
	o.wantReconciled()
}

func TestWithoutAWebhookSecret_TheBookingIsConfirmedByAsking(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	d.stripe.DropEvents()
	d.Setenv("SLOTD_STRIPE_WEBHOOK_SECRET", "")
	o := d.office(t)
	s := d.Serve(t)
	s.AwaitLog(t, regexp.MustCompile("no webhook secret is set"))
	o.mustHold(s, "usd", 1)
	o.pay(1)
	if status, err := o.send(s, "", o.completed(1)); err != nil || status != http.StatusBadRequest {
		t.Errorf("an event that cannot be checked: %d, %v", status, err)
	}
	d.RestartLater(t, s, 6*time.Minute)
	o.await(1, "confirmed")
}

// No event announces the end of a hold: the servers watch the time themselves. However long a response takes, it is as
// of a moment between the two looks at the clock around it.
func TestHold_IsFreeWithinAMinuteOfItsEnd(t *testing.T) {
	t.Parallel()
	const held, soon, within = 30 * time.Minute, 3 * time.Second, time.Minute
	d := onSQLite(t)
	d.stripe.DropEvents()
	o := d.office(t)
	s := d.Serve(t)
	earliest := d.Now().Add(held)
	o.mustHold(s, "usd", 1)
	latest := d.Now().Add(held)
	s = d.RestartLater(t, s, held/2)
	if endpoint, page := o.isOpen(s, 1); endpoint || page {
		t.Errorf("open while it is held: %v at the endpoint, %v on the page", endpoint, page)
	}
	s = d.RestartLater(t, s, earliest.Sub(d.Now())-soon)
	await.True(t, "the hour is open again", func() bool {
		asked := d.Now()
		endpoint, page := o.isOpen(s, 1)
		if now := d.Now(); now.Before(earliest) && (endpoint || page) {
			t.Fatalf("open %v before the hold ends: %v at the endpoint, %v on the page", earliest.Sub(now), endpoint,
				page)
		}
		if after := asked.Sub(latest); after > within && !(endpoint && page) {
			t.Fatalf("not open %v after the end: %v at the endpoint, %v on the page", after, endpoint, page)
		}
		return endpoint && page
	})
	await.True(t, "nobody can pay any more", func() bool { return o.checkout(1).Status == "expired" })
	o.await(1, unlisted)
	o.awaitIdle()
	if mails := o.mails("*"); len(mails) > 0 {
		t.Errorf("mails about nothing: %v", mails)
	}
	o.wantReconciled()
}

func TestGuest_WhoReturnsUnpaidReleasesTheHour(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	d.stripe.DropEvents()
	o := d.office(t)
	s := d.Serve(t)
	o.mustHold(s, "usd", 1)
	back := s.URL + findLink(o.checkout(1).CancelURL, "unpaid")
	if status, _ := o.open(back); status != http.StatusOK {
		t.Errorf("the page: %d", status)
	}
	if endpoint, page := o.isOpen(s, 1); endpoint || page {
		t.Error("opening a page has given the hour back")
	}
	if status, text, _ := o.post(back, url.Values{}); status != http.StatusOK || !strings.Contains(text, guestOf(1)) ||
		!strings.Contains(text, guestNotes) {
		t.Errorf("the form again: %d %s", status, text)
	}
	if endpoint, page := o.isOpen(s, 1); !endpoint || !page {
		t.Errorf("after giving it back: open %v at the endpoint, %v on the page", endpoint, page)
	}
	await.True(t, "nobody can pay any more", func() bool { return o.checkout(1).Status == "expired" })
}
