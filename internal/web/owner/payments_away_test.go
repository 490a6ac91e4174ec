package owner

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"slotd/internal/money/stripe/stripetest"
)

func TestPayments_AStripeThatDoesNotAnswerIsNoFaultOfTheKey(t *testing.T) {
	for name, trouble := range map[string]stripetest.Fault{
		"breaks off": {Times: 99}, "is in trouble": {Status: 500, Times: 99},
		"has too much to do": {Status: 429, Times: 99},
	} {
		t.Run(name, func(t *testing.T) {
			w := lite(t)
			s, ada := withStripe(w), w.ada()
			ada.connectStripe(s)
			trouble.Request = "GET /v1/checkout/sessions"
			s.AddFault(trouble)
			for _, p := range []*response{
				ada.submit("/settings/payments", "secret", s.Key, "webhook", "whsec_another0123456789").says(502,
					"Nothing was saved, because the key couldn't be checked: Stripe", "try again later"),
				ada.post("/settings/payments/check", "workspace", "acme").says(502,
					"The key couldn't be checked: Stripe", "try again later"),
			} {
				if strings.Contains(p.Text(), "doesn't accept") || strings.Contains(p.Body, "127.0.0.1") ||
					strings.Contains(p.Body, "EOF") {
					t.Error(p.Text())
				}
			}
			if secret, err := w.Accounts.WebhookSecret(background, w.id("acme")); err != nil || secret != s.Secret {
				t.Errorf("%q is kept, %v", secret, err)
			}
		})
	}
}

func TestPayments_MachinesOnTheWayToStripeStandInTheLogAlone(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	ada.connectStripe(s)
	gone := httptest.NewServer(http.NotFoundHandler())
	address := strings.TrimPrefix(gone.URL, "http://")
	gone.Close()
	w.Accounts.API = gone.URL
	for _, p := range []*response{
		ada.submit("/settings/payments", "secret", s.Key, "webhook", s.Secret).says(502,
			"Stripe doesn't answer. Please try again later."),
		ada.post("/settings/payments/check", "workspace", "acme").says(502, "Stripe doesn't answer."),
	} {
		if strings.Contains(p.Body, address) || strings.Contains(p.Body, "dial") {
			t.Error(p.Text())
		}
	}
	if !strings.Contains(w.Log.String(), address) {
		t.Error("the log does not say why")
	}
}
