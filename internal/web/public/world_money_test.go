package public

import (
	"net/http"
	"strings"

	"slotd/internal/availability/snapshot"
	"slotd/internal/identity/links"
	"slotd/internal/jobs"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/worker"
)

// takesPayments gives the operator an account with a payment service.
func (w *world) takesPayments() *world {
	w.t.Helper()
	w.stripe = stripetest.Start(w.t)
	w.stripe.Now = w.clock.Now
	w.Accounts.Operator, w.Accounts.API = stripe.Keys{Secret: w.stripe.Key, Webhook: w.stripe.Secret}, w.stripe.URL
	w.kept = snapshot.Responses{} // of pages that say otherwise
	return w
}

// hold goes as far as the checkout, and gives back the booking that waits for its payment.
func (w *world) hold(path, slot string, more ...string) object {
	w.t.Helper()
	to := w.book(path, slot, more...)
	for _, s := range w.stripe.Sessions() {
		if to == w.stripe.URL+"/c/pay/"+s.ID {
			return object{"booking_id": s.Reference}
		}
	}
	w.t.Fatalf("%s is no checkout", to)
	return nil
}

func (w *world) checkout(b object) stripetest.Session {
	w.t.Helper()
	for _, s := range w.stripe.Sessions() {
		if s.Reference == b["booking_id"] {
			return s
		}
	}
	w.t.Fatalf("%v has no checkout", b)
	return stripetest.Session{}
}

// pays is the guest at the checkout, and what follows.
func (w *world) pays(b object) {
	w.t.Helper()
	w.must(w.stripe.Pay(w.checkout(b).ID))
	w.settle(b)
}

// settle does what the jobs do about a booking's money, as far as nothing has to be waited for.
func (w *world) settle(b object) {
	w.t.Helper()
	workspaceID, id := w.key(b)
	payments := &worker.Payments{Booking: w.Booking, Now: w.clock.Now, Accounts: w.Accounts}
	payments.Settle(background, &jobs.Job{WorkspaceID: workspaceID, Booking: id})
}

// unpaid comes back from the checkout without having paid.
func (w *world) unpaid(b object) answer {
	w.t.Helper()
	link := w.link(b, links.Unpaid)
	form := w.get(link).ok().first("form")
	if form.attr("method") != "post" || form.attr("action") != "" {
		w.t.Fatal("the page has no button that gives the time back")
	}
	return w.post(link, form.fields())
}

// isOpen reports whether a time can be chosen on the page.
func (w *world) isOpen(path, slot string) bool {
	w.t.Helper()
	return w.get(path + "?slot=" + slot).ok().has("#book")
}

// priced is acme with another price for what is paid.
func priced(price string) string {
	return strings.Replace(acme, "price: {amount_cents: 5000, currency: usd}", "price: "+price, 1)
}

// unpriced is acme with nothing to pay.
var unpriced = strings.Replace(priced("null"), ", refund_policy: {full_until_hours_before: 24}", "", 1)

// wantTitle fails the test if the page at the address is another one.
func (w *world) wantTitle(address, title string) *node {
	w.t.Helper()
	page := w.get(address).is(http.StatusOK).page()
	if got := page.first("h1").words(); got != title {
		w.t.Errorf("%s, want %s: %s", got, title, page.first("main").words())
	}
	return page
}
