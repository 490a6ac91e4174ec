package booking

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
)

// eachShop is like eachPaid, with a payment service.
func eachShop(t *testing.T, test func(t *testing.T, w *world, s *stripetest.Stripe)) {
	eachPaid(t, func(t *testing.T, w *world) {
		s := stripetest.Start(t)
		s.Now = w.Clock.Now
		w.accounts = &accounts.Service{DB: w.db, OperatorKeys: stripe.Keys{Secret: s.Key, Webhook: s.Secret}, API: s.URL}
		w.wait = func(time.Duration) {}
		test(t, w, s)
	})
}

func (w *world) checkout(start time.Time) (*Checkout, error) {
	w.T.Helper()
	return w.Checkout(background, Attendee(w.actor.WorkspaceID), CheckoutRequest{
		Request: Request{EventType: "lesson", StartsAt: start, Attendee: guest,
			Idempotency: &Idempotency{TokenID: "page", Key: "form"}},
		Config: w.Config("acme"), Local: when.In(zone.MustLoad("Asia/Tokyo"), false)})
}

func TestCheckout_IsOpenedOnceAndKept(t *testing.T) {
	eachShop(t, func(t *testing.T, w *world, s *stripetest.Stripe) {
		c, err := w.checkout(at("10:00"))
		w.Must(err)
		sessions := s.Sessions()
		if len(sessions) != 1 || c.URL == "" || sessions[0].Amount != price || sessions[0].Email != guest.Email {
			t.Fatalf("%+v, %+v", c, sessions)
		}
		if m := w.money(c.Booking); m.SessionID != sessions[0].ID || m.Url != c.URL {
			t.Errorf("kept %q at %q, want %q at %q", m.SessionID, m.Url, sessions[0].ID, c.URL)
		}
	})
}

func TestCheckout_ThatCannotBeOpenedFreesTheTime(t *testing.T) {
	eachShop(t, func(t *testing.T, w *world, s *stripetest.Stripe) {
		s.AddFault(stripetest.Fault{Request: "POST /v1/checkout/sessions", Status: http.StatusBadRequest, Times: 100})
		_, err := w.checkout(at("10:00"))
		var failed *CheckoutError
		if !errors.As(err, &failed) || failed.ReleaseErr != nil || errors.Unwrap(err) != failed.Err {
			t.Fatalf("%v", err)
		}
		if !w.offers(w.Service, "lesson", at("10:00")) {
			t.Error("the time is still taken")
		}
		s.ClearFaults()
		_, err = w.checkout(at("10:00"))
		w.Must(err)
	})
}

func TestCheckout_NeedsAnAccount(t *testing.T) {
	eachShop(t, func(t *testing.T, w *world, _ *stripetest.Stripe) {
		w.accounts.OperatorKeys = stripe.Keys{}
		_, err := w.checkout(at("10:00"))
		wantCode(t, err, slotd.PaymentRequired)
	})
}
