package browser

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/internal/money/stripe/stripetest"
)

// tillScene is a server on which all has happened that can become of a payment.
type tillScene struct {
	*till
	waits, returns, released held
	paid, canceled, late     made
}

// heldSlot is for the one page that is reached by holding it, if only for a moment: freeSlot has to be free meanwhile.
const heldSlot = "2030-11-05T13:00:00.000Z"

func newTillScene(t *testing.T, o office, g guest) *tillScene {
	t.Helper()
	s := &tillScene{till: startOwnName(t, o)}
	s.waits, s.returns = s.hold(t, g, "2030-11-06T09:00:00.000Z"), s.hold(t, g, "2030-11-06T10:00:00.000Z")
	s.released = s.hold(t, g, "2030-11-06T11:00:00.000Z")
	s.giveBack(t, s.released)
	s.paid, s.canceled = s.pays(t, s.hold(t, g, "2030-11-06T12:00:00.000Z")),
		s.pays(t, s.hold(t, g, "2030-11-06T13:00:00.000Z"))
	s.post(t, s.canceled.cancel, nil)
	s.late = s.paysTooLate(t, g, "2030-11-06T14:00:00.000Z")
	return s
}

// giveBack comes back from the checkout without having paid.
func (s *tillScene) giveBack(t *testing.T, h held) {
	t.Helper()
	r, err := http.PostForm(s.url+h.unpaid, url.Values{})
	must(t, err)
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Fatalf("POST %s: %s", h.unpaid, r.Status)
	}
}

// paysTooLate has a checkout that cannot be closed, while somebody else is quicker.
func (s *tillScene) paysTooLate(t *testing.T, g guest, slot string) made {
	t.Helper()
	h := s.hold(t, g, slot)
	s.stripe.Make(stripetest.Trouble{Request: "POST /v1/checkout/sessions/" + h.checkout,
		Status: http.StatusInternalServerError, Times: 1000})
	s.giveBack(t, h)
	s.take(t, "intro", slot)
	must(t, s.stripe.Pay(h.checkout))
	s.awaitPage(t, h.page, "came too late")
	return made{page: h.page}
}

func (s *tillScene) states() []state {
	form := s.url + "/acme/paid?slot=" + freeSlot
	return []state{
		{name: "paid-event", url: s.url + "/acme/paid"},
		{name: "paid-form", url: form},
		{name: "paid-form-price-changed", url: form, act: sends("price", "1 usd"), expects: []string{"409"}},
		{name: "paid-form-no-checkout", url: s.url + "/acme/paid?slot=" + heldSlot, act: s.withoutCheckout,
			expects: []string{"502"}},
		{name: "pay", url: s.url + s.waits.pay, before: staysAtPay,
			act: func(t *testing.T, p *rod.Page) { wantText(t, p, "h1", "On to the payment") }},
		{name: "pay-too-late", url: s.url + s.released.pay},
		{name: "waiting", url: s.url + s.waits.page},
		{name: "unpaid", url: s.url + s.waits.unpaid, before: staysUnpaid},
		{name: "unpaid-again", url: s.url + s.released.unpaid, before: staysUnpaid},
		{name: "unpaid-form", url: s.url + s.returns.unpaid, before: staysUnpaid,
			act: func(t *testing.T, p *rod.Page) { follow(t, p, "form button") }},
		{name: "booking-paid", url: s.url + s.paid.page},
		{name: "booking-paid-too-late", url: s.url + s.late.page},
		{name: "cancel-paid", url: s.url + s.paid.cancel},
		{name: "cancel-paid-done", url: s.url + s.canceled.cancel},
	}
}

// staysUnpaid keeps the page from pressing its own button.
func staysUnpaid(_ *testing.T, p *rod.Page) {
	p.MustEvalOnNewDocument(`HTMLFormElement.prototype.requestSubmit = () => {}`)
}

var forward = regexp.MustCompile(`<meta http-equiv="refresh"[^>]*>`)

// staysAtPay takes out of the page what leads on to the checkout, before there is anything to see.
func staysAtPay(t *testing.T, p *rod.Page) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	go p.Context(ctx).EachEvent(func(e *proto.FetchRequestPaused) {
		still := proto.FetchFulfillRequest{RequestID: e.RequestID, ResponseCode: http.StatusOK,
			ResponseHeaders: e.ResponseHeaders}
		if answer, err := (proto.FetchGetResponseBody{RequestID: e.RequestID}).Call(p); err == nil {
			body, _ := base64.StdEncoding.DecodeString(answer.Body)
			still.Body = forward.ReplaceAll(body, nil)
		}
		still.Call(p)
	})()
	must(t, proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*/b/pay/*",
		RequestStage: proto.FetchRequestStageResponse}}}.Call(p))
}

func (s *tillScene) withoutCheckout(t *testing.T, p *rod.Page) {
	t.Helper()
	grace.fillIn(t, p)
	s.stripe.Make(stripetest.Trouble{Request: "POST /v1/checkout/sessions", Exact: true,
		Status: http.StatusInternalServerError, Times: 1})
	follow(t, p, "#book button")
}
