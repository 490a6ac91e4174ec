package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"

	"slotd/internal/money/stripe/stripetest"
)

// till is a server whose guests can pay.
type till struct {
	*program
	stripe *stripetest.Stripe
}

func startTill(t *testing.T, o office) *till {
	t.Helper()
	stripe := stripetest.Start(t)
	return openTill(t, stripe, o, stripe.Flags())
}

// startOwnName is startTill for an account with a checkout under a name of its own, which no form may lead to.
func startOwnName(t *testing.T, o office) *till {
	t.Helper()
	stripe := stripetest.Start(t)
	flags := stripe.Flags()
	flags[len(flags)-1] = strings.Replace(stripe.URL, "127.0.0.1", "localhost", 1)
	return openTill(t, stripe, o, flags)
}

func openTill(t *testing.T, stripe *stripetest.Stripe, o office, flags []string) *till {
	t.Helper()
	s := &till{startAt(t, monday, o.file(), flags...), stripe}
	stripe.Now = func() time.Time { return time.Now().Add(s.ahead) }
	stripe.Webhook = s.url + "/api/stripe/webhook"
	return s
}

// held is a booking on its way to its payment, by the paths of its pages.
type held struct {
	pay, page, unpaid string
	checkout          string // its id
}

var formPrice = regexp.MustCompile(`name="price" value="([^"]+)"`)

// hold is the form of a paid event type without a browser.
func (s *till) hold(t *testing.T, g guest, slot string) held {
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
	return held{next, strings.TrimPrefix(last.SuccessURL, s.url), strings.TrimPrefix(last.CancelURL, s.url), last.ID}
}

// pays is the guest at the checkout, until the booking stands.
func (s *till) pays(t *testing.T, h held) made {
	t.Helper()
	must(t, s.stripe.Pay(h.checkout))
	s.awaitPage(t, h.page, "Your booking is confirmed")
	m := made{page: h.page}
	for _, link := range attendeeURL.FindAllStringSubmatch(s.text(t, h.page), -1) {
		if link[2] == "cancel" {
			m.cancel = link[1]
		}
	}
	return m
}

func (s *till) awaitPage(t *testing.T, path, words string) {
	t.Helper()
	await(t, "the page "+words, func() bool { return strings.Contains(s.text(t, path), words) })
}

// await waits for what the server does by itself.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after %v there is not %s", patience, what)
		}
	}
}

// deliver sends the events that were held back.
func (s *till) deliver(t *testing.T) {
	t.Helper()
	for _, e := range s.stripe.Events() {
		if status, err := s.stripe.Send(e); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %v", e.Kind, status, err)
		}
	}
}

// isOpen reports whether anybody can book the slot.
func (s *till) isOpen(t *testing.T, slot string) bool {
	t.Helper()
	for _, open := range s.openSlots(t, "paid", "2030-11-04") {
		if open == slot {
			return true
		}
	}
	return false
}

// wantCheckout fails the test if the page is no checkout for the price.
func (s *till) wantCheckout(t *testing.T, p *rod.Page) {
	t.Helper()
	wantText(t, p, "#amount", "5000 usd")
	wantText(t, p, "#email", grace.email)
	if at := p.MustInfo().URL; !strings.HasPrefix(at, s.stripe.URL+"/c/pay/") {
		t.Errorf("at %s", at)
	}
}
