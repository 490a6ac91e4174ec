package public

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/mail"
	"slotd/internal/money/stripe/stripetest"
)

var typedFields = []string{"name", "email", "phone", "notes", "tz", "slot"}

// wantKept checks that the form still contains everything that was typed.
func wantKept(t *testing.T, page *node, typed url.Values) url.Values {
	t.Helper()
	kept := page.First("#book").Fields()
	for _, name := range typedFields {
		if kept.Get(name) != typed.Get(name) {
			t.Errorf("%s became %q, was %q", name, kept.Get(name), typed.Get(name))
		}
	}
	return kept
}

func TestHold_WithoutAPaymentPageNothingIsHeld(t *testing.T) {
	for name, trouble := range map[string]stripetest.Fault{
		"breaks":     {Request: "POST /v1/checkout", Status: 500, Times: 1},
		"is silent":  {Request: "POST /v1/checkout", Times: 1},
		"is too shy": {Request: "POST /v1/checkout", Times: 1, After: true}, // opens a checkout; the response is lost
		"refuses":    {Request: "POST /v1/checkout", Status: 400, Times: 2}, // also without the e-mail address
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t).takesPayments()
			log := w.captureLog()
			w.stripe.AddFault(trouble)
			action, fields := w.filled("/acme/paid", at("02-02 10:00"))
			got := w.post(action, fields).Is(http.StatusBadGateway)
			again := wantKept(t, got.Page(), fields)
			if text := got.Page().First(".alert").Words(); !strings.HasPrefix(text,
				"The payment page can't be opened right now. You haven't paid, and nothing is booked.") {
				t.Error(text)
			}
			if !w.isOpen("/acme/paid", at("02-02 10:00")) {
				t.Error("the time is still held")
			}
			for _, secret := range []string{w.stripe.Key, w.stripe.Secret, "grace@", "Okafor", fields.Get("form")} {
				if strings.Contains(log.String(), secret) || secret == w.stripe.Key &&
					strings.Contains(got.Body, secret) {
					t.Errorf("%s is told:\n%s", secret, log)
				}
			}
			w.post(action, again).Is(http.StatusSeeOther)
		})
	}
}

// A guest who leaves while Stripe is slow ends the request, and with it the release. The log must say it all the same.
func TestHold_AGuestWhoLeavesWhileStripeIsSlowIsLogged(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	log := w.captureLog()
	ctx, leave := context.WithCancel(background)
	defer leave()
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		leave()
		<-ctx.Done()
	}))
	defer slow.Close()
	w.Accounts.API = slow.URL
	action, fields := w.filled("/acme/paid", at("02-02 10:00"))
	r := w.request(http.MethodPost, action, strings.NewReader(fields.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	w.do(r.WithContext(ctx))
	if !strings.Contains(log.String(), "a checkout cannot be opened") {
		t.Errorf("the log says nothing: %s", log)
	}
}

func TestHold_ANewPriceIsShownFirst(t *testing.T) {
	otherRule := strings.Replace(priced("{amount_cents: 7500, currency: usd}"), "full_until_hours_before: 24",
		"full_until_hours_before: 12", 1)
	for name, before := range map[string]string{"it was another": acme, "there was none": unpriced,
		"the rule was another": otherRule} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t).takesPayments()
			w.Apply(before)
			w.Clock.Advance(time.Second)
			action, fields := w.filled("/acme/paid", at("02-02 10:00"))
			w.Apply(priced("{amount_cents: 7500, currency: usd}"))
			w.Clock.Advance(time.Second)
			page := w.post(action, fields).Is(http.StatusConflict).Page()
			if text := page.First("main").Words(); !strings.Contains(text,
				"The price or the refund terms have changed since you opened this page.") ||
				!strings.Contains(text, "You'll pay 75.00 USD on the next page.") {
				t.Error(text)
			}
			if len(w.stripe.Sessions()) != 0 || w.bookings() != 0 {
				t.Error("it is held for a price that nobody has seen")
			}
			w.post(action, wantKept(t, page, fields)).Is(http.StatusSeeOther)
			if s := w.stripe.Sessions(); len(s) != 1 || s[0].Amount != 7500 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestHold_CountsAsABooking(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	w.Bookings = limit.NewWithInterval[netip.Addr](20*time.Second, 40*time.Second) // two
	first := w.hold("/acme/paid", at("02-02 10:00"))
	w.hold("/acme/paid", at("02-02 11:00"))
	w.unpaid(first).Is(http.StatusOK)
	before := w.Counts()
	wantFormAndRetry(w.send("/acme/paid", at("02-02 12:00")), "20")
	if w.Counts() != before || len(w.stripe.Sessions()) != 2 {
		t.Error("it was refused and held")
	}
}

// A hold costs nothing and blocks the time for others.
func TestHold_ThereAreFewerThanBookings(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	w.Holds = limit.NewWithInterval[netip.Addr](3*time.Minute, 6*time.Minute) // two
	w.hold("/acme/paid", at("02-02 10:00"))
	w.hold("/acme/paid", at("02-02 11:00"))
	wantFormAndRetry(w.send("/acme/paid", at("02-02 12:00")), "180")
	w.book("/acme/intro", at("02-02 12:00"))
}

func TestSuccess_WaitsForThePaymentAndThenShowsTheBooking(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.takesPayments()
		b := w.hold("/acme/paid", at("02-02 10:00"))
		wait := w.wantTitle(w.link(b, links.Booking), "Waiting for your payment")
		if !hasLink(wait, "Check again", "") ||
			linkTo(wait, "I haven't paid yet") != w.stripe.URL+"/c/pay/"+w.checkout(b).ID ||
			linkTo(wait, "Cancel booking") != "" || facts(wait)["Where"] != "Video call" {
			t.Error(wait.First("main").Words())
		}
		if _, waits := wait.First(".card").Attrs["data-waits"]; !waits {
			t.Error("its script does not look again")
		}
		w.Must(w.stripe.Pay(w.checkout(b).ID))
		w.wantTitle(w.link(b, links.Booking), "Waiting for your payment") // Stripe has not reported the payment yet
		w.settle(b)
		page := w.wantTitle(w.link(b, links.Booking), "Your booking is confirmed")
		if facts(page)["Price"] != "50.00 USD, paid" ||
			!strings.HasPrefix(facts(page)["Where"], "Video call https://rooms.example/") ||
			linkTo(page, "Cancel booking") == "" || w.countMails(mail.Booked) != 2 {
			t.Error(page.First("main").Words())
		}
	})
}

// hasLink reports whether the page has the link, even if its target is empty.
func hasLink(page *node, words, href string) bool {
	for _, a := range page.Find("a") {
		if to, ok := a.Attrs["href"]; ok && a.Words() == words {
			return to == href
		}
	}
	return false
}

// A payment after the end of the hold leads to a booking or a refund.
func TestSuccess_AfterTheHoldSaysWhatHappens(t *testing.T) {
	for name, c := range map[string]struct {
		taken bool
		title string
	}{"the time is free": {false, "Your booking is confirmed"}, "the time is another's": {true,
		"Your payment came too late"}} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t).takesPayments()
			b := w.hold("/acme/paid", at("02-02 10:00"))
			w.Must(w.stripe.Pay(w.checkout(b).ID))
			w.Clock.Advance(booking.DefaultHold)
			gone := w.wantTitle(w.link(b, links.Booking), "We're no longer holding this time for you")
			if text := gone.First("main").Words(); !strings.Contains(text,
				"If you have paid, we'll email you") ||
				linkTo(gone, "Choose a time again") != "/acme/paid" {
				t.Error(text)
			}
			if !strings.Contains(w.get(w.link(b, links.Booking)).Body, "data-waits") {
				t.Error("the page does not look again")
			}
			if c.taken {
				w.create("intro", at("02-02 10:00"))
			}
			w.settle(b)
			page := w.wantTitle(w.link(b, links.Booking), c.title)
			if text := page.First("main").Words(); c.taken &&
				(!strings.Contains(text, "you'll get a full refund.") || strings.Contains(text, "available again") ||
					facts(page)["Price"] != "50.00 USD will be refunded to your original payment method; this can "+
						"take up to ten days") {
				t.Error(text)
			}
		})
	}
}

func TestPaymentLinks_OfABookingThatStandsLeadToIt(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.takesPayments()
		b := w.hold("/acme/paid", at("02-02 10:00"))
		w.pays(b)
		for _, canceled := range []bool{false, true} {
			if canceled {
				w.post(w.link(b, links.Cancel), nil).Is(http.StatusSeeOther)
			}
			for _, got := range []answer{w.get(w.link(b, links.Pay)), w.get(w.link(b, links.Unpaid)),
				w.post(w.link(b, links.Unpaid), nil)} {
				if to := got.Is(http.StatusSeeOther).Header.Get("Location"); to != w.link(b, links.Booking) {
					t.Errorf("it leads to %s", to)
				}
			}
			if w.isOpen("/acme/paid", at("02-02 10:00")) != canceled {
				t.Error("a link has changed what it may not")
			}
		}
	})
}
