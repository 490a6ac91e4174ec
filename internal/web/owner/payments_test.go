package owner

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/worker"
)

// withStripe sends the world's payments to a Stripe server of the test's own.
func withStripe(w *world) *stripetest.Stripe {
	s := stripetest.Start(w.T)
	s.Now = w.Clock.Now
	w.Accounts.API = s.URL
	return s
}

func (b *window) connectStripe(s *stripetest.Stripe) {
	b.w.T.Helper()
	b.submit("/settings/payments", "secret", s.Key, "webhook", s.Secret).leads("/settings/payments?saved=1")
}

// sold returns a paid booking of acme. Unless received is true, Stripe's event about the payment is lost.
func (w *world) sold(s *stripetest.Stripe, at time.Time, received bool) *slotd.Booking {
	w.T.Helper()
	b, session := w.checkout(at)
	w.Must(s.Pay(session))
	if !received {
		return b
	}
	events := s.Events()
	body := events[len(events)-1].Body
	event, err := stripe.ReadEvent(body, stripetest.Signature(body, s.Secret, time.Now()), s.Secret)
	w.Must(err)
	_, err = w.Booking.ReceiveEvent(background, w.id("acme"), event)
	w.Must(err)
	payments := &worker.Payments{Booking: w.Booking, Now: w.Clock.Now, Accounts: w.Accounts}
	quiet := slog.New(slog.DiscardHandler)
	w.Must(jobs.New(w.DB, jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: payments.ApplyPayment},
		w.Clock.Now, quiet).RunDue(background))
	w.Must(jobs.New(w.DB, jobs.Payment, map[string]jobs.Handler{booking.SettleJob: payments.Settle}, w.Clock.Now,
		quiet).RunDue(background))
	return b
}

// checkout returns a booking whose guest is on Stripe's payment page.
func (w *world) checkout(at time.Time) (b *slotd.Booking, session string) {
	w.T.Helper()
	id := w.id("acme")
	who := slotd.Attendee{Name: "Grace Okafor", Email: "grace@guest.example", TimeZone: "Asia/Tokyo"}
	b, err := w.Booking.Hold(background, booking.Page(id),
		booking.Request{EventType: "paid", StartsAt: at, Attendee: who}, accounts.Own)
	w.Must(err)
	client, err := w.Accounts.Client(background, id, accounts.Own)
	w.Must(err)
	s, err := client.Checkout(background, stripe.Order{
		Booking: stripe.Booking{WorkspaceID: id, ID: b.ID}, Title: b.EventTitle, When: "soon",
		Amount: b.Price.AmountCents, Currency: b.Price.Currency,
		Email: who.Email, SuccessURL: baseURL, CancelURL: baseURL, ExpiresAt: b.Hold.Until.Add(time.Minute),
	})
	w.Must(err)
	w.Must(w.Booking.SaveCheckout(background, id, b.ID, s.ID, s.URL))
	return b, s.ID
}

func TestPayments_KeysAreConnectedCheckedAndForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s, ada := withStripe(w), w.ada()
		ada.get("/settings/payments").says(200, "No Stripe account", "Guests can't pay yet",
			"Consulting", "https://book.example/api/stripe/webhook?workspace=acme")
		ada.connectStripe(s)
		connected := ada.get("/settings/payments?saved=1").says(200, "Saved.", "Your Stripe account", "test mode",
			"ends in "+s.Key[len(s.Key)-4:])
		if strings.Contains(connected.Text(), "Guests can't pay") {
			t.Error("it still says that nobody can pay")
		}
		ada.post("/settings/payments/check", "workspace", "acme").says(200, "Stripe accepts the key.")
		ada.get("/settings/payments/disconnect").says(200, "Disconnect your Stripe account?")
		ada.submit("/settings/payments/disconnect", "workspace", "acme").leads("/settings/payments?saved=1")
		ada.get("/settings/payments").says(200, "No Stripe account")
		ada.get("/settings/payments/disconnect").leads("/settings/payments")
		log := w.activityText("acme")
		if !strings.Contains(log, "payments.connected") || !strings.Contains(log, "payments.disconnected") {
			t.Errorf("the activity is %s", log)
		}
		w.appliesUnchanged("acme")
	})
}

func TestPayments_KeysStandNowhere(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	foreign := "sk_live_" + strings.Repeat("f0reign", 5)
	pages := []*response{ada.submit("/settings/payments", "secret", foreign, "webhook", s.Secret).says(422,
		"doesn't accept this key")}
	ada.connectStripe(s)
	key := s.Key
	pages = append(pages, ada.get("/settings/payments"), ada.get("/settings/payments/disconnect"))
	s.Key = "sk_test_another_one_by_now"
	pages = append(pages, ada.post("/settings/payments/check", "workspace", "acme").says(502,
		"Stripe doesn't accept the key"))
	seen := w.Log.String() + w.activityText("acme")
	for _, p := range pages {
		seen += p.Body
	}
	for _, secret := range []string{foreign[8:], key[8:], s.Secret[6:]} {
		if strings.Contains(seen, secret) {
			t.Errorf("%s can be seen", secret)
		}
	}
}

func TestPayments_WrongKeysAreNotKept(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	for _, c := range []struct{ secret, webhook, says string }{
		{"", "", "The key must be a secret"},
		{s.Secret, s.Key, "The signing secret must be"},
		{"pk_live_0123456789012345", s.Secret, "The key must be a secret"},
		{"sk_live_01", s.Secret, "The key must be a secret"},
		{"sk_live_0123456789\r\nX-Evil: 1", s.Secret, "The key must be a secret"},
		{"sk_" + strings.Repeat("x", 600), s.Secret, "The key must be a secret"},
		{s.Key, "", "The signing secret must be"},
		{s.Key, "whsec_\"><script>é", "The signing secret must be"},
	} {
		ada.submit("/settings/payments", "secret", c.secret, "webhook", c.webhook).says(422, c.says)
	}
	s.AddFault(stripetest.Fault{Request: "GET /v1/checkout/sessions", Times: 1})
	ada.submit("/settings/payments", "secret", s.Key, "webhook", s.Secret).says(502, "Nothing was saved")
	ada.get("/settings/payments").says(200, "No Stripe account")
}

func TestPayments_AnEmptyFieldKeepsWhatIsStored(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	ada.connectStripe(s)
	ada.submit("/settings/payments", "webhook", "whsec_another0123456789").leads("/settings/payments?saved=1")
	if got, err := w.Accounts.WebhookSecret(background, w.id("acme")); err != nil || got != "whsec_another0123456789" {
		t.Errorf("the signing secret is %q, %v", got, err)
	}
	ada.post("/settings/payments/check", "workspace", "acme").says(200, "Stripe accepts the key.")
}

func TestPayments_TheSecondOfTwoEditorsSeesTheConflict(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	opened := ada.get("/settings/payments")
	w.ada().connectStripe(s)
	again := ada.fill(opened, "/settings/payments", "secret", s.Key, "webhook", "whsec_mine0123456789").says(409,
		"Someone else changed this in the meantime", "now has its own account")
	if got, _ := w.Accounts.WebhookSecret(background, w.id("acme")); got != s.Secret {
		t.Error("theirs is lost")
	}
	ada.fill(again, "/settings/payments", "secret", s.Key, "webhook",
		"whsec_mine0123456789").leads("/settings/payments?saved=1")
}

func TestPayments_OnlyTheAccountThatWasSeenIsDisconnected(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	ada.connectStripe(s)
	opened := ada.get("/settings/payments/disconnect")
	s.Key = "sk_test_another_one_WXYZ"
	w.owner("acme", "eve@acme.example").connectStripe(s)
	again := ada.fill(opened, "/settings/payments/disconnect", "workspace", "acme").says(409,
		"Someone else changed this in the meantime", "nothing was disconnected", "ends in WXYZ")
	ada.post("/settings/payments/disconnect", "workspace", "acme", "force", "on").says(409) // without any version
	ada.get("/settings/payments").says(200, "Your Stripe account", "ends in WXYZ")
	if got := w.notedAs("acme", "payments.disconnected"); len(got) != 0 {
		t.Errorf("noted %q", got)
	}
	ada.fill(again, "/settings/payments/disconnect", "workspace", "acme").leads("/settings/payments?saved=1")
	// The account is gone already.
	ada.fill(again, "/settings/payments/disconnect", "workspace", "acme").leads("/settings/payments")
}

func TestPayments_AKeyThatCameWhileStripeWasAskedIsNotLost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s, ada, eve := withStripe(w), w.ada(), w.owner("acme", "eve@acme.example")
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, _ = strings.Cut(s.URL, "://")
		}}
		opened := ada.get("/settings/payments")
		var came atomic.Bool
		slow := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if !came.Swap(true) {
				eve.fill(opened, "/settings/payments", "secret", s.Key, "webhook",
					"whsec_eves0123456789").leads("/settings/payments?saved=1")
			}
			proxy.ServeHTTP(out, r)
		}))
		defer slow.Close()
		w.Accounts.API = slow.URL
		again := ada.fill(opened, "/settings/payments", "secret", s.Key, "webhook", s.Secret).says(409,
			"Someone else changed this in the meantime", "now has its own account")
		if got, _ := w.Accounts.WebhookSecret(background, w.id("acme")); got != "whsec_eves0123456789" {
			t.Error("eve's is lost")
		}
		if got := w.notedAs("acme", "payments.connected"); len(got) != 1 {
			t.Errorf("noted %q", got)
		}
		ada.fill(again, "/settings/payments", "secret", s.Key, "webhook", s.Secret).leads("/settings/payments?saved=1")
	})
}

func TestPayments_AreTheirOwnersOnly(t *testing.T) {
	w := lite(t)
	s := withStripe(w)
	w.ada().connectStripe(s)
	bo := w.bo()
	for _, path := range []string{"/settings/payments", "/settings/payments/check", "/settings/payments/compare",
		"/settings/payments/disconnect"} {
		bo.post(path, "workspace", "acme", "force", "on").says(409, "another workspace")
		w.stranger().post(path, "workspace", "acme").says(403)
	}
	if p := bo.get("/settings/payments").says(200, "No Stripe account", "workspace=other"); strings.Contains(p.Body,
		s.Key[len(s.Key)-4:]+"<") {
		t.Error("bo sees acme's key")
	}
	bo.post("/settings/payments/disconnect", "workspace", "other").leads("/settings/payments")
	w.ada().get("/settings/payments").says(200, "Your Stripe account")
}

func TestPayments_AreListedAndComparedWithStripe(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	ada.connectStripe(s)
	ada.get("/settings/payments").says(200, "No payments yet")
	w.sold(s, monday.Add(26*time.Hour), true)
	ada.get("/settings/payments").says(200, "Consulting", "confirmed", "paid 50.00 USD")
	ada.post("/settings/payments/compare", "workspace", "acme").says(200,
		"We compared 1 payment of the last 90 days with Stripe. Found 0 differences.")
	w.sold(s, monday.Add(28*time.Hour), false)
	ada.post("/settings/payments/compare", "workspace", "acme").says(200, "1 difference.", "Stripe has paid 50.00 USD")
	s.AddFault(stripetest.Fault{Request: "GET /v1/checkout/sessions", Status: 500, Times: 9})
	ada.post("/settings/payments/compare", "workspace", "acme").says(502, "couldn't be compared")
}

func TestPayments_AnAccountThatGuestsPayIntoIsKeptUnlessItsOwnerInsists(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	ada.connectStripe(s)
	w.checkout(monday.Add(26 * time.Hour))
	asked := ada.get("/settings/payments/disconnect").says(200, "1 guest is paying")
	ada.fill(asked, "/settings/payments/disconnect", "workspace", "acme").says(422, "select the checkbox")
	ada.get("/settings/payments").says(200, "Your Stripe account", "Only a key of the same account")
	ada.fill(asked, "/settings/payments/disconnect", "force", "on").leads("/settings/payments?saved=1")
	ada.get("/settings/payments").says(200, "No Stripe account")
}

func TestPayments_TheOperatorsKeyIsItsOwn(t *testing.T) {
	w := lite(t)
	s := withStripe(w)
	w.Accounts.OperatorKeys = stripe.Keys{Secret: s.Key, Webhook: s.Secret}
	p := w.ada().get("/settings/payments").says(200, "The server's Stripe account", "test mode")
	if strings.Contains(p.Text(), s.Key[len(s.Key)-4:]) {
		t.Error("owners see the end of the operator's key")
	}
	w.ada().post("/settings/payments/check", "workspace", "acme").says(200, "Stripe accepts the key.")
}

func TestPayments_AServerWithAnotherKeyFileSaysSo(t *testing.T) {
	w := lite(t)
	s, ada := withStripe(w), w.ada()
	ada.connectStripe(s)
	elsewhere := w.newSite(w.NewCache(w.DB))
	elsewhere.Accounts.Keys = w.NewKeys()
	ada.pages = routed(elsewhere)
	ada.get("/settings/payments").says(200, "encrypted with a key file that this server doesn't have")
	ada.post("/settings/payments/check", "workspace", "acme").says(422, "no key to check")
	ada.post("/settings/payments/compare", "workspace", "acme").says(422, "can't be decrypted")
}
