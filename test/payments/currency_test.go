package payments

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestCurrencies_AreShownAndChargedRight(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	o := d.office(t)
	s := d.Serve(t)
	d.stripe.Webhook = s.URL + "/api/stripe/webhook"
	charged := map[string]int64{"usd": 5000, "eur": 4999, "jpy": 500, "kwd": 12340}
	for n, c := range []struct{ currency, shown string }{{"usd", "50.00 USD"}, {"eur", "49.99 EUR"}, {"jpy", "500 JPY"},
		{"kwd", "12.340 KWD"}} {
		status, text, checkout := o.hold(s, c.currency, n)
		if status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", c.currency, status, text)
		}
		if _, page := o.open(checkout); !strings.Contains(page,
			fmt.Sprintf(`<p id="amount">%d %s</p>`, charged[c.currency], c.currency)) {
			t.Errorf("%s: the checkout shows %s", c.currency, page)
		}
		status, text, home := o.post(checkout, url.Values{})
		if status != http.StatusSeeOther || !strings.HasPrefix(home, s.URL) {
			t.Fatalf("%s: the checkout leads to %d %s %s", c.currency, status, home, text)
		}
		p := o.await(n, "confirmed")
		o.awaitMails(p.BookingID, bookedMails)
		_, page := o.open(home)
		for where, text := range map[string]string{"the booking": page,
			"the guest's mail": o.read(p.BookingID, bookedMails[0]), "the host's mail": o.read(p.BookingID,
				bookedMails[1])} {
			if !strings.Contains(text, c.shown+", paid") {
				t.Errorf("%s shows no %s: %s", where, c.shown, text)
			}
		}
		if got := o.cancel(s, p.BookingID); got.Refunded != charged[c.currency] {
			t.Errorf("%s: canceled with %+v", c.currency, got)
		}
		o.awaitMails(p.BookingID, canceledMails)
		if text := o.read(p.BookingID, canceledMails[2]); !strings.Contains(text, c.shown+" will be refunded to you") {
			t.Errorf("%s: the guest reads %s", c.currency, text)
		}
	}
	o.awaitIdle()
	o.wantReconciled()
	for _, r := range d.stripe.Refunds() {
		if want := charged[r.Currency]; r.Amount != want {
			t.Errorf("refunded %d %s, want %d", r.Amount, r.Currency, want)
		}
	}
	if n := len(d.stripe.Refunds()); n != 4 || d.stripe.Balance() != 0 {
		t.Errorf("%d refunds, Stripe has %d", n, d.stripe.Balance())
	}
}
