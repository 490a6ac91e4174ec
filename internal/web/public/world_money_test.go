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

// takesPayments gives the operator a Stripe account.
func (w *world) takesPayments() *world {
	w.T.Helper()
	w.stripe = stripetest.Start(w.T)
	w.stripe.Now = w.Clock.Now
	w.Accounts.OperatorKeys, w.Accounts.API = stripe.Keys{Secret: w.stripe.Key, Webhook: w.stripe.Secret}, w.stripe.URL
	w.responses = snapshot.Responses{} // cached pages say that nobody can pay
	return w
}

// hold books up to the checkout and returns the booking, which awaits its payment.
func (w *world) hold(path, slot string, more ...string) object {
	w.T.Helper()
	to := w.book(path, slot, more...)
	for _, s := range w.stripe.Sessions() {
		if to == w.stripe.URL+"/c/pay/"+s.ID {
			return object{"booking_id": s.Reference}
		}
	}
	w.T.Fatalf("%s is no checkout", to)
	return nil
}

func (w *world) checkout(b object) stripetest.Session {
	w.T.Helper()
	for _, s := range w.stripe.Sessions() {
		if s.Reference == b["booking_id"] {
			return s
		}
	}
	w.T.Fatalf("%v has no checkout", b)
	return stripetest.Session{}
}

// pays pays for the booking at the checkout and settles it.
func (w *world) pays(b object) {
	w.T.Helper()
	w.Must(w.stripe.Pay(w.checkout(b).ID))
	w.settle(b)
}

// settle runs the booking's payment job once.
func (w *world) settle(b object) {
	w.T.Helper()
	workspaceID, id := w.key(b)
	payments := &worker.Payments{Booking: w.Booking, Now: w.Clock.Now, Accounts: w.Accounts}
	payments.Settle(background, &jobs.Job{WorkspaceID: workspaceID, Booking: id})
}

// unpaid returns from the checkout without having paid.
func (w *world) unpaid(b object) answer {
	w.T.Helper()
	link := w.link(b, links.Unpaid)
	form := w.get(link).OK().First("form")
	if form.Attr("method") != "post" || form.Attr("action") != "" {
		w.T.Fatal("the page has no button that gives the time back")
	}
	return w.post(link, form.Fields())
}

// isOpen reports whether the page offers the time.
func (w *world) isOpen(path, slot string) bool {
	w.T.Helper()
	return w.get(path + "?slot=" + slot).OK().Has("#book")
}

// priced returns acme with another price for its paid event type.
func priced(price string) string {
	return strings.Replace(acme, "price: {amount_cents: 5000, currency: usd}", "price: "+price, 1)
}

// unpriced is acme without a paid event type.
var unpriced = strings.Replace(priced("null"), ", refund_policy: {full_until_hours_before: 24}", "", 1)

// wantTitle checks the title of a page and returns the page.
func (w *world) wantTitle(address, title string) *node {
	w.T.Helper()
	page := w.get(address).Is(http.StatusOK).Page()
	if got := page.First("h1").Words(); got != title {
		w.T.Errorf("%s, want %s: %s", got, title, page.First("main").Words())
	}
	return page
}
