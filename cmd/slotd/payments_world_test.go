package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"slotd/internal/booking/records"
	"slotd/internal/money/stripe/stripetest"
	"slotd/test/await"
)

// paid is acme with a paid event type.
var paid = acme + "  - {slug: advice, title: Advice, duration_minutes: 60, location: {type: video}, price: " +
	"{amount_cents: 5000, currency: usd}, refund_policy: {full_until_hours_before: 1}}\n"

// paymentServer is a server that takes payments, with its fake Stripe.
type paymentServer struct {
	*process
	pl     *deployment
	stripe *stripetest.Stripe
	token  string
	forms  []string // form tokens from pages
}

func (pl *deployment) servePayments(args ...string) *paymentServer {
	pl.t.Helper()
	s := &paymentServer{pl: pl, stripe: stripetest.Start(pl.t)}
	pl.mustApply(paid)
	s.token = pl.token("acme")
	s.process = pl.serve(nil, append(append(s.stripe.Flags(), "--rate-limit", "off"), args...)...)
	s.stripe.Webhook = s.url + "/api/stripe/webhook"
	return s
}

var formField = regexp.MustCompile(`name="form" value="([^"]+)"`)

// form returns a form token, if possible one from a while ago: the server delays forms that are sent at once.
func (s *paymentServer) form() (token string) {
	s.t.Helper()
	const some, far = 5, 40
	for len(s.forms) < some {
		_, page, _ := s.ask("GET", "/acme/advice?slot="+slotIn(far), "")
		found := formField.FindStringSubmatch(page)
		if found == nil {
			s.t.Fatalf("no form: %s", page)
		}
		s.forms = append(s.forms, found[1])
	}
	token, s.forms = s.forms[0], s.forms[1:]
	return token
}

// hold holds a time the given number of days ahead for a guest who then has to pay.
func (s *paymentServer) hold(days int) {
	s.t.Helper()
	fields := url.Values{"slot": {slotIn(days)}, "tz": {"UTC"}, "form": {s.form()}, "price": {"5000 usd 1"},
		"name": {"Grace Okafor"}, "email": {fmt.Sprintf("grace%d@guest.example", days)}}
	r, err := http.NewRequest("POST", s.url+"/acme/advice", strings.NewReader(fields.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("not held: %d", answer.StatusCode)
	}
}

// sell books a time and pays for it.
func (s *paymentServer) sell(days int) (bookingID, payment string) {
	s.t.Helper()
	s.hold(days)
	sessions := s.stripe.Sessions()
	if err := s.stripe.Pay(sessions[len(sessions)-1].ID); err != nil {
		s.t.Fatal(err)
	}
	await.True(s.t, "it is confirmed", func() bool { return s.payments()[0].State == "confirmed" })
	sessions = s.stripe.Sessions()
	return s.payments()[0].BookingID, sessions[len(sessions)-1].Intent
}

func (s *paymentServer) cancel(bookingID string) {
	s.t.Helper()
	if text, failed := s.call(s.token, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, bookingID)); failed != "" {
		s.t.Fatal(text)
	}
}

// payments returns the list of payments, newest first.
func (s *paymentServer) payments() []records.PaymentSummary {
	s.t.Helper()
	return readPayments(s.t, s.pl.run("payments", "list", "--workspace", "acme", "--json").exits(s.t, 0).out)
}

func readPayments(t testing.TB, text string) (all []records.PaymentSummary) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return all
}

// reconcile runs payments reconcile with the keys of serve.
func (s *paymentServer) reconcile(args ...string) outcome {
	s.t.Helper()
	return s.pl.run(append(append([]string{"payments", "reconcile", "--workspace", "acme"}, s.stripe.Flags()...),
		args...)...)
}
