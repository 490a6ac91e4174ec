package public

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/mail"
	"slotd/internal/money/stripe"
)

const refundRule = "Full refund if you cancel at least 24 hours before."

func TestPaid_WithoutAnAccountNothingCanBeChosen(t *testing.T) {
	w := newSQLiteWorld(t)
	before := w.Dump()
	for _, path := range []string{"/acme/paid", "/embed/acme/paid", "/acme/paid?slot=" + at("02-02 10:00"),
		"/acme/paid?name=Grace&date=2027-02-03"} {
		page := w.get(path).OK()
		about := page.First("main").Words()
		if page.Has(".month") || page.Has(".times") || page.Has("form") ||
			!strings.Contains(about, "payments aren't set up") || !strings.Contains(about, "50.00 USD") ||
			!strings.Contains(about, refundRule) {
			t.Errorf("%s: %s", path, about)
		}
	}
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	got := w.post(strings.Replace(action, "intro", "paid", 1), fields).Is(http.StatusPaymentRequired)
	if h := got.Page().First("h1").Words(); h != "This can't be booked online yet" || w.Dump() != before {
		t.Error(h)
	}
}

// The price is the same wherever it is shown, and it is the one that is charged.
func TestPrice_IsTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		price, shown string
		amount       int64
		currency     string
	}{
		{"{amount_cents: 5000, currency: usd}", "50.00 USD", 5000, "usd"},
		{"{amount_cents: 1999, currency: eur}", "19.99 EUR", 1999, "eur"},
		{"{amount_cents: 5000, currency: jpy}", "5000 JPY", 5000, "jpy"},
		{"{amount_cents: 12500, currency: kwd}", "12.500 KWD", 12500, "kwd"},
	} {
		t.Run(c.currency, func(t *testing.T) {
			w := newSQLiteWorld(t).takesPayments()
			w.Apply(priced(c.price))
			w.Clock.Advance(time.Second)
			w.wantPriceBefore(t, c.shown)
			b := w.hold("/acme/paid", at("02-03 10:00"))
			if s := w.checkout(b); s.Amount != c.amount || s.Currency != c.currency {
				t.Errorf("charged %d %s", s.Amount, s.Currency)
			}
			w.wantPriceAfter(t, b, c.shown)
			if all := w.stripe.Refunds(); len(all) != 1 || all[0].Amount != c.amount || all[0].Currency != c.currency ||
				w.stripe.Balance() != 0 {
				t.Errorf("refunded %+v", all)
			}
		})
	}
}

func (w *world) wantPriceBefore(t *testing.T, shown string) {
	t.Helper()
	for path, want := range map[string]string{
		"/acme": shown, "/acme/paid": shown + " " + refundRule,
		"/acme/paid?slot=" + at("02-03 10:00"): "You'll pay " + shown + " on the next page. " + refundRule,
	} {
		if got := w.get(path).OK().First("main").Words(); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %s", path, want, got)
		}
	}
	var linked struct {
		Offers struct{ Price, PriceCurrency string }
	}
	for _, script := range w.get("/acme/paid").OK().Find("script") {
		if script.Attr("type") == "application/ld+json" {
			w.Must(json.Unmarshal([]byte(script.Content()), &linked))
		}
	}
	if got := linked.Offers.Price + " " + linked.Offers.PriceCurrency; got != shown {
		t.Errorf("machines read %s", got)
	}
}

// wantPriceAfter checks the price from the payment of a booking to its refund.
func (w *world) wantPriceAfter(t *testing.T, b object, shown string) {
	t.Helper()
	wait := w.wantTitle(w.link(b, links.Booking), "Waiting for your payment")
	if got := wait.First("main").Words(); facts(wait)["Price"] != shown ||
		!strings.Contains(got, "your payment of "+shown+" arrives") {
		t.Error(got)
	}
	if got := facts(w.wantTitle(w.link(b, links.Unpaid), "You haven't paid"))["Price"]; got != shown {
		t.Error(got)
	}
	if got := w.wantTitle(w.link(b, links.Pay), "One more step: your payment").First("main").Words(); !strings.Contains(got,
		"once you've paid "+shown) {
		t.Error(got)
	}
	w.pays(b)
	if got := facts(w.wantTitle(w.link(b, links.Booking), "Your booking is confirmed"))["Price"]; got != shown+
		", paid" {
		t.Error(got)
	}
	ask := w.wantTitle(w.link(b, links.Cancel), "Cancel this booking?")
	if got := ask.First("main").Words(); !strings.Contains(got,
		"You'll get "+shown+" back if you cancel before Tuesday 2 February 2027, 05:00") {
		t.Error(got)
	}
	w.post(w.link(b, links.Cancel), nil).Is(http.StatusSeeOther)
	w.settle(b)
	if got := facts(w.wantTitle(w.link(b, links.Cancel), "This booking was canceled"))["Price"]; got != shown+
		" will be refunded to your original payment method; this can take up to ten days" {
		t.Error(got)
	}
}

// The page says what a guest gets back before they cancel, and what they got back after.
func TestCancel_SaysWhatGoesBack(t *testing.T) {
	for name, c := range map[string]struct{ policy, now, before, after string }{
		"in time": {"{full_until_hours_before: 24}", at("02-02 09:59"),
			"You'll get 50.00 USD back if you cancel before Tuesday 2 February 2027, 05:00",
			"50.00 USD will be refunded to your original payment method; this can take up to ten days"},
		"too late": {"{full_until_hours_before: 24}", at("02-02 10:00"),
			"You won't get a refund: it was refundable until Tuesday 2 February 2027, 05:00",
			"50.00 USD, no refund for this cancellation"},
		"never": {"null", at("02-01 09:00"), "You won't get a refund: this booking isn't refundable.",
			"50.00 USD, no refund for this cancellation"},
		"to the end": {"{full_until_hours_before: 0}", at("02-03 09:59"),
			"You'll get 50.00 USD back if you cancel before Wednesday 3 February 2027, 05:00",
			"50.00 USD will be refunded to your original payment method; this can take up to ten days"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t).takesPayments()
			w.Apply(strings.Replace(acme, "refund_policy: {full_until_hours_before: 24}", "refund_policy: "+c.policy,
				1))
			w.Clock.Advance(time.Second)
			b := w.hold("/acme/paid", at("02-03 10:00"))
			w.pays(b)
			w.Clock.Set(instantOf(t, c.now))
			if got := w.get(w.link(b, links.Cancel)).OK().First("main").Words(); !strings.Contains(got, c.before) {
				t.Error(got)
			}
			w.post(w.link(b, links.Cancel), nil).Is(http.StatusSeeOther)
			if got := facts(w.get(w.link(b, links.Booking)).OK())["Price"]; got != c.after {
				t.Error(got)
			}
		})
	}
}

// The refund depends on the chosen time.
func TestRefund_ASoonTimeHasNone(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	for slot, want := range map[string]string{
		at("02-01 12:00"): "No refund if you cancel: it starts in less than 24 hours.",
		at("02-02 12:00"): "Full refund if you cancel at least 24 hours before.",
	} {
		if text := w.get("/acme/paid?slot=" + slot).OK().First("#book").Words(); !strings.Contains(text, want) {
			t.Errorf("%s: %s", slot, text)
		}
	}
	b := w.hold("/acme/paid", at("02-03 10:00"))
	w.pays(b)
	const warning = "you won't get a refund if you cancel"
	for slot, want := range map[string]bool{at("02-01 12:00"): true, at("02-04 12:00"): false} {
		if text := w.get(w.link(b, links.Reschedule) + "?slot=" +
			slot).OK().First("main").Words(); strings.Contains(text, warning) != want {
			t.Errorf("moved to %s: %s", slot, text)
		}
	}
}

func TestHold_LeadsStraightToTheCheckout(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.takesPayments()
		action, fields := w.filled("/acme/paid", at("02-02 10:00"))
		policy := "form-action 'self' " + stripe.CheckoutSite + " " + w.stripe.URL + ";"
		if got := w.get(action + "?slot=" +
			at("02-02 10:00")).Header.Get("Content-Security-Policy"); !strings.Contains(got, policy) {
			t.Errorf("no %s in %s", policy, got)
		}
		for _, page := range []string{"/", "/acme"} {
			if got := w.get(page).Header.Get("Content-Security-Policy"); !strings.Contains(got, "form-action 'self';") {
				t.Errorf("%s: %s", page, got)
			}
		}
		got := w.post(action, fields).Is(http.StatusSeeOther)
		s := w.stripe.Sessions()[0]
		b := object{"booking_id": s.Reference}
		if got.Header.Get("Location") != w.stripe.URL+"/c/pay/"+s.ID || got.Header.Get("Cache-Control") != "no-store" ||
			!strings.Contains(got.Header.Get("Content-Security-Policy"), policy) {
			t.Errorf("it leads to %v", got.Header)
		}
		if s.Name != "Consulting" || s.Email != "grace@example.com" ||
			s.SuccessURL != baseURL+w.link(b, links.Booking) || s.CancelURL != baseURL+w.link(b, links.Unpaid) {
			t.Errorf("%+v", s)
		}
		if ends := monday.Add(booking.DefaultHold); s.ExpiresAt.Before(ends) ||
			s.ExpiresAt.After(ends.Add(6*time.Minute)) {
			t.Errorf("the checkout ends at %s, the hold at %s", s.ExpiresAt, ends)
		}
		if w.isOpen("/acme/paid", at("02-02 10:00")) || w.isOpen("/acme/intro", at("02-02 10:30")) ||
			w.stored(b) != nil || w.countMails(mail.Booked) != 0 {
			t.Error("it is not held, or more than that")
		}
	})
}

// Forms may redirect to the known checkout sites. A checkout on another site is reached through a page.
func TestHold_ACheckoutAtAnotherSiteIsReachedByAPage(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	w.Accounts.API = strings.Replace(w.stripe.URL, "127.0.0.1", "localhost", 1)
	to := w.book("/acme/paid", at("02-02 10:00"))
	s := w.stripe.Sessions()[0]
	if to != w.link(object{"booking_id": s.Reference}, links.Pay) {
		t.Fatalf("it leads to %s", to)
	}
	got := w.get(to)
	page, checkout := got.OK(), w.stripe.URL+"/c/pay/"+s.ID
	if linkTo(page, "Continue to payment") != checkout ||
		!strings.Contains(got.Body, `<meta http-equiv="refresh" content="0; url=`+checkout+`">`) {
		t.Error(got.Body)
	}
	if strings.Contains(got.Header.Get("Content-Security-Policy"), w.stripe.URL) {
		t.Error(got.Header)
	}
	if text := page.First("main").Words(); !strings.Contains(text,
		"We're holding this time for you until 03:30. It's booked once you've paid 50.00 USD.") {
		t.Error(text)
	}
	w.Clock.Advance(booking.DefaultHold)
	if gone := w.get(to); linkTo(gone.OK(), "Continue to payment") != "" || strings.Contains(gone.Body, "refresh") {
		t.Error("a hold that has ended still leads to its payment")
	}
}

func TestHold_TheEndpointsLinkOpensTheFormForItsSlot(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	_, failure := w.call("create_booking",
		`{"event_type":"paid","slot_start":"2027-02-02T10:00:00Z","attendee_name":"Grace","attendee_email":"grace@example.com","attendee_time_zone":"UTC"}`)
	link, _ := failure["booking_url"].(string)
	form := w.get(link).OK().First("#book")
	if failure["code"] != string(slotd.PaymentRequired) || form.Fields().Get("slot") != at("02-02 10:00") ||
		form.First("button").Words() != "Continue to payment" {
		t.Errorf("%v: %v", failure, form.Fields())
	}
}

func TestHold_InAFrameTheFormLeavesIt(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	for path, want := range map[string][2]string{
		"/embed/acme/paid": {"/acme/paid", "_top"}, "/acme/paid": {"/acme/paid", ""},
		"/embed/acme/intro": {"/embed/acme/intro", ""},
	} {
		form := w.get(path + "?slot=" + at("02-02 10:00")).OK().First("#book")
		if got := [2]string{form.Attr("action"), form.Attr("target")}; got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	w.hold("/embed/acme/paid", at("02-02 10:00"))
}

func TestRace_OfOnePaidFormWithItselfMakesOneHold(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.takesPayments()
		action, fields := w.filled("/acme/paid", at("02-02 10:00"))
		forms := make([]url.Values, 10)
		for i := range forms {
			forms[i] = fields
		}
		for _, got := range w.postAtOnce(action, forms) {
			if to := got.Is(http.StatusSeeOther).Header.Get("Location"); to != w.stripe.URL+"/c/pay/"+
				w.stripe.Sessions()[0].ID {
				t.Errorf("it leads to %s", to)
			}
		}
		if n := len(w.stripe.Sessions()); n != 1 || w.bookings() != 1 {
			t.Errorf("%d bookings, %d checkouts", w.bookings(), n)
		}
		b := object{"booking_id": w.stripe.Sessions()[0].Reference}
		w.pays(b)
		if to := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location"); to != w.link(b, links.Booking) {
			t.Errorf("who has paid is led to %s", to)
		}
	})
}
