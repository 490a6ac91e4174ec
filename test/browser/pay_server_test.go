package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod"

	"slotd/internal/money/stripe/stripetest"
	"slotd/test/await"
)

// payServer is a server with payments.
type payServer struct {
	*program
	stripe *stripetest.Stripe
}

func startPayServer(t *testing.T, o office) *payServer {
	t.Helper()
	stripe := stripetest.Start(t)
	return newPayServer(t, stripe, o, stripe.Flags())
}

// startCustomDomain is like startPayServer, for an account whose checkout has a custom domain, which the page's
// form-action policy does not allow.
func startCustomDomain(t *testing.T, o office) *payServer {
	t.Helper()
	stripe := stripetest.Start(t)
	flags := stripe.Flags()
	flags[len(flags)-1] = strings.Replace(stripe.URL, "127.0.0.1", "localhost", 1)
	return newPayServer(t, stripe, o, flags)
}

func newPayServer(t *testing.T, stripe *stripetest.Stripe, o office, flags []string) *payServer {
	t.Helper()
	s := &payServer{startAt(t, monday, o.file(), flags...), stripe}
	stripe.Now = s.Now
	stripe.Webhook = s.URL + "/api/stripe/webhook"
	return s
}

// heldBooking holds the paths of the pages of a booking that waits for its payment.
type heldBooking struct {
	pay, page, unpaid string
	checkout          string // id of the checkout
}

var formPrice = regexp.MustCompile(`name="price" value="([^"]+)"`)

// hold posts the form of a paid event type without a browser.
func (s *payServer) hold(t *testing.T, g guest, slot string) heldBooking {
	t.Helper()
	form := s.text(t, "/acme/paid?slot="+slot)
	token, price := formToken.FindStringSubmatch(form), formPrice.FindStringSubmatch(form)
	if token == nil || price == nil {
		t.Fatalf("no form for %s", slot)
	}
	next := s.post(t, "/acme/paid",
		url.Values{"form": {token[1]}, "price": {price[1]}, "slot": {slot}, "tz": {"UTC"}, "name": {g.name},
			"email": {g.email}, "notes": {g.notes}})
	all := s.stripe.Sessions()
	last := all[len(all)-1]
	return heldBooking{next, strings.TrimPrefix(last.SuccessURL, s.URL), strings.TrimPrefix(last.CancelURL, s.URL),
		last.ID}
}

// pay pays at the checkout and waits until the booking is confirmed.
func (s *payServer) pay(t *testing.T, h heldBooking) bookingPaths {
	t.Helper()
	must(t, s.stripe.Pay(h.checkout))
	s.awaitPage(t, h.page, "Your booking is confirmed")
	m := bookingPaths{page: h.page}
	for _, link := range attendeeURL.FindAllStringSubmatch(s.text(t, h.page), -1) {
		if link[2] == "cancel" {
			m.cancel = link[1]
		}
	}
	return m
}

func (s *payServer) awaitPage(t *testing.T, path, words string) {
	t.Helper()
	await.True(t, "the page "+words, func() bool { return strings.Contains(s.text(t, path), words) })
}

// deliver sends the Stripe events that were held back.
func (s *payServer) deliver(t *testing.T) {
	t.Helper()
	for _, e := range s.stripe.Events() {
		if status, err := s.stripe.Send(e); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %v", e.Kind, status, err)
		}
	}
}

// isOpen reports whether anybody can book the slot.
func (s *payServer) isOpen(t *testing.T, slot string) bool {
	t.Helper()
	for _, open := range s.openSlots(t, "paid", "2030-11-04") {
		if open == slot {
			return true
		}
	}
	return false
}

// wantCheckout fails the test unless the page is a checkout for the price.
func (s *payServer) wantCheckout(t *testing.T, p *rod.Page) {
	t.Helper()
	wantText(t, p, "#amount", "5000 usd")
	wantText(t, p, "#email", grace.email)
	if at := address(p); !strings.HasPrefix(at, s.stripe.URL+"/c/pay/") {
		t.Errorf("at %s", at)
	}
}
