package browser

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/internal/money/stripe/stripetest"
)

// payScene is a server with bookings in every state that a payment can have.
type payScene struct {
	*payServer
	waiting, returning, released heldBooking
	paid, canceled, paidLate     bookingPaths
}

// heldSlot is for the one state that holds its slot for a moment, because freeSlot must stay free meanwhile.
const heldSlot = "2030-11-05T13:00:00.000Z"

func newPayScene(t *testing.T, o office, g guest) *payScene {
	t.Helper()
	s := &payScene{payServer: startCustomDomain(t, o)}
	s.waiting, s.returning = s.hold(t, g, "2030-11-06T09:00:00.000Z"), s.hold(t, g, "2030-11-06T10:00:00.000Z")
	s.released = s.hold(t, g, "2030-11-06T11:00:00.000Z")
	s.abandonCheckout(t, s.released)
	s.paid, s.canceled = s.pay(t, s.hold(t, g, "2030-11-06T12:00:00.000Z")),
		s.pay(t, s.hold(t, g, "2030-11-06T13:00:00.000Z"))
	s.post(t, s.canceled.cancel, nil)
	s.paidLate = s.payTooLate(t, g, "2030-11-06T14:00:00.000Z")
	return s
}

// abandonCheckout returns from the checkout without having paid.
func (s *payScene) abandonCheckout(t *testing.T, h heldBooking) {
	t.Helper()
	r, err := http.PostForm(s.URL+h.unpaid, url.Values{})
	must(t, err)
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Fatalf("POST %s: %s", h.unpaid, r.Status)
	}
}

// payTooLate pays at a checkout that could not be closed, after another guest has taken the slot.
func (s *payScene) payTooLate(t *testing.T, g guest, slot string) bookingPaths {
	t.Helper()
	h := s.hold(t, g, slot)
	s.stripe.AddFault(stripetest.Fault{Request: "POST /v1/checkout/sessions/" + h.checkout,
		Status: http.StatusInternalServerError, Times: 1000})
	s.abandonCheckout(t, h)
	s.bookAsOther(t, "intro", slot)
	must(t, s.stripe.Pay(h.checkout))
	s.awaitPage(t, h.page, "came too late")
	return bookingPaths{page: h.page}
}

func (s *payScene) states() []state {
	form := s.URL + "/acme/paid?slot=" + freeSlot
	return []state{
		{name: "paid-event", url: s.URL + "/acme/paid"},
		{name: "paid-form", url: form},
		{name: "paid-form-price-changed", url: form, act: submitWith("price", "1 usd"), expects: []string{"409"}},
		{name: "paid-form-no-checkout", url: s.URL + "/acme/paid?slot=" + heldSlot, act: s.failCheckout,
			expects: []string{"502"}},
		{name: "pay", url: s.URL + s.waiting.pay, before: blockCheckoutRedirect,
			act: func(t *testing.T, p *rod.Page) { wantText(t, p, "h1", "One more step: your payment") }},
		{name: "pay-too-late", url: s.URL + s.released.pay},
		{name: "waiting", url: s.URL + s.waiting.page},
		{name: "unpaid", url: s.URL + s.waiting.unpaid, before: blockAutoSubmit},
		{name: "unpaid-again", url: s.URL + s.released.unpaid, before: blockAutoSubmit},
		{name: "unpaid-form", url: s.URL + s.returning.unpaid, before: blockAutoSubmit,
			act: func(t *testing.T, p *rod.Page) { follow(t, p, "form button") }},
		{name: "booking-paid", url: s.URL + s.paid.page},
		{name: "booking-paid-too-late", url: s.URL + s.paidLate.page},
		{name: "cancel-paid", url: s.URL + s.paid.cancel},
		{name: "cancel-paid-done", url: s.URL + s.canceled.cancel},
	}
}

// blockAutoSubmit keeps the page from submitting its form by itself.
func blockAutoSubmit(_ *testing.T, p *rod.Page) {
	p.MustEvalOnNewDocument(`HTMLFormElement.prototype.requestSubmit = () => {}`)
}

var metaRefresh = regexp.MustCompile(`<meta http-equiv="refresh"[^>]*>`)

// blockCheckoutRedirect removes the redirect to the checkout from the page before the browser shows it.
func blockCheckoutRedirect(t *testing.T, p *rod.Page) {
	t.Helper()
	go p.EachEvent(func(e *proto.FetchRequestPaused) {
		response := proto.FetchFulfillRequest{RequestID: e.RequestID, ResponseCode: http.StatusOK,
			ResponseHeaders: e.ResponseHeaders}
		if answer, err := (proto.FetchGetResponseBody{RequestID: e.RequestID}).Call(p); err == nil {
			body, _ := base64.StdEncoding.DecodeString(answer.Body)
			response.Body = metaRefresh.ReplaceAll(body, nil)
		}
		response.Call(p)
	})()
	must(t, proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*/b/pay/*",
		RequestStage: proto.FetchRequestStageResponse}}}.Call(p))
}

func (s *payScene) failCheckout(t *testing.T, p *rod.Page) {
	t.Helper()
	grace.fillIn(t, p)
	s.stripe.AddFault(stripetest.Fault{Request: "POST /v1/checkout/sessions", Exact: true,
		Status: http.StatusInternalServerError, Times: 1})
	follow(t, p, "#book button")
}
