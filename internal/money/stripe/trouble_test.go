package stripe

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe/stripetest"
	"slotd/test/await"
)

// calls are all requests that a client can make.
var calls = map[string]func(c *Client, ctx context.Context) error{
	"checkout": func(c *Client, ctx context.Context) error { return second(c.Checkout(ctx, Order{Booking: booking})) },
	"session":  func(c *Client, ctx context.Context) error { return second(c.Session(ctx, "cs_1")) },
	"expire":   func(c *Client, ctx context.Context) error { return second(c.Expire(ctx, "cs_1")) },
	"refund":   func(c *Client, ctx context.Context) error { return third(c.Refund(ctx, booking, "pi_1", 1, 0)) },
	"returned": func(c *Client, ctx context.Context) error { return third(c.Refunds(ctx, "pi_1")) },
}

func second(_ any, err error) error        { return err }
func third(_ any, _ bool, err error) error { return err }

// wantError checks that an error does not contain the key, and that it says whether a retry helps.
func wantError(t *testing.T, err error, status int, final bool, key string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Status != status || IsFinal(err) != final ||
		IsMissing(err) != (status == http.StatusNotFound) {
		t.Errorf("status %d, final %v, missing %v: %v", status, IsFinal(err), IsMissing(err), err)
		return
	}
	if text := err.Error(); strings.Contains(text, key[:12]) || len(text) > 400 {
		t.Errorf("the error says too much: %s", text)
	}
}

func TestTrouble_IsReportedWithoutTheKey(t *testing.T) {
	for status, final := range map[int]bool{0: false, 400: true, 401: true, 402: true, 403: true, 404: true, 408: false,
		409: false, 429: false, 500: false, 503: false} {
		d := newFixture(t)
		d.stripe.AddFault(stripetest.Fault{Status: status, Times: 99}) // its message contains the key
		for _, do := range calls {
			wantError(t, do(d.Client, background), status, final, d.stripe.Key)
		}
	}
}

func TestTrouble_AWrongKeyIsNotRepeated(t *testing.T) {
	d := newFixture(t)
	const wrong = "sk_live_someOtherSecret0123456789"
	for _, do := range calls {
		wantError(t, do(New(d.stripe.URL, wrong), background), http.StatusUnauthorized, true, wrong)
	}
}

// always starts an API that has one answer for everything.
func always(t *testing.T, status int, answer string) (api string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A proxy in between may answer with a text of its own, and some proxies print what they were sent.
func TestTrouble_AnswersThatAreNotStripes(t *testing.T) {
	const key = "sk_live_secret0123456789"
	for about, answer := range map[string]string{
		"html": "<h1>Bad gateway</h1> Authorization: Bearer " + key, "nothing": "",
		"no error in it": `{"key":"` + key + `"}`, "null": "null", "a list": "[]",
		"a key cut short": "Bearer " + key[:20], "an error without words": `{"error":{}}`,
		"odd types": `{"error":{"message":7,"type":[]}}`,
	} {
		for _, status := range []int{http.StatusBadGateway, http.StatusNotFound} {
			api := always(t, status, answer)
			for verb, do := range calls {
				err := do(New(api, key), background)
				if err == nil || strings.Contains(err.Error(), key[:12]) || len(err.Error()) > 400 {
					t.Errorf("%s to %s: %v", about, verb, err)
				}
			}
		}
	}
}

func TestTrouble_NamesNoGuest(t *testing.T) {
	d := newFixture(t)
	o := d.order()
	for _, private := range []string{o.Email, o.SuccessURL, o.CancelURL} {
		api := always(t, http.StatusBadRequest,
			`{"error":{"type":"invalid_request_error","message":"Not valid: `+private+`"}}`)
		_, err := New(api, d.stripe.Key).Checkout(background, o)
		if !IsFinal(err) || strings.Contains(err.Error(), private) || !strings.Contains(err.Error(), "Not valid: ") {
			t.Errorf("got %v", err)
		}
	}
}

func TestTrouble_ALostAnswerIsFoundAgain(t *testing.T) {
	for _, status := range []int{0, 500} {
		d := newFixture(t)
		// the transport retries once on its own
		d.stripe.AddFault(stripetest.Fault{Request: "POST /v1/checkout/sessions", Status: status, After: true,
			Times: 9})
		o := d.order()
		if _, err := d.Checkout(background, o); err == nil || IsFinal(err) {
			t.Fatalf("lost: %v", err)
		}
		d.stripe.ClearFaults()
		s, err := d.Checkout(background, o)
		if err != nil || len(d.stripe.Sessions()) != 1 {
			t.Fatalf("%d checkouts, %v", len(d.stripe.Sessions()), err)
		}
		d.must(d.stripe.Pay(s.ID))
		payment := d.stripe.Sessions()[0].Intent
		d.stripe.AddFault(stripetest.Fault{Request: "POST /v1/refunds", Status: status, After: true, Times: 9})
		if _, _, err := d.Refund(background, booking, payment, 5000, 0); err == nil || IsFinal(err) {
			t.Fatalf("lost: %v", err)
		}
		d.stripe.ClearFaults()
		entry, _, err := d.Refund(background, booking, payment, 5000, 0)
		if err != nil || entry.Kind != ledger.Refunded || len(d.stripe.Refunds()) != 1 || d.stripe.Balance() != 0 {
			t.Errorf("%v, %v, balance %d", entry, err, d.stripe.Balance())
		}
	}
}

func TestNew_ACheckoutNeedsAnAddress(t *testing.T) {
	for _, answer := range []string{`{"id":"cs_1"}`, `{"id":"cs_1","url":"javascript:alert(1)"}`,
		`{"id":"","url":"https://pay.example"}`} {
		if s, err := New(always(t, http.StatusOK, answer), "sk_test_1").Checkout(background,
			Order{Booking: booking}); err == nil {
			t.Errorf("%s: %+v", answer, s)
		}
	}
}

func TestRefunds_AListWithoutEndIsNoAnswer(t *testing.T) {
	api := always(t, http.StatusOK,
		`{"object":"list","has_more":true,"data":[{"id":"re_1","payment_intent":"pi_1","amount":1,"currency":"usd"},null]}`)
	if entries, _, err := New(api, "sk_test_1").Refunds(background, "pi_1"); err == nil || IsFinal(err) {
		t.Errorf("got %v, %v", entries, err)
	}
}

func TestNew_TheKeyStaysWithTheAPI(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			t.Errorf("%d leads to %s %s", status, r.Method, r.URL)
		}))
		t.Cleanup(elsewhere.Close)
		api := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		t.Cleanup(api.Close)
		for verb, do := range calls {
			if err := do(New(api.URL, "sk_test_1"), background); err == nil || IsFinal(err) {
				t.Errorf("%s at %d: %v", verb, status, err)
			}
		}
	}
}

func TestNew_AnAnswerThatDoesNotEndIsCutOff(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusBadRequest} {
		gone := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(gone)
			w.WriteHeader(status)
			for err := error(nil); err == nil; { // until the client disconnects
				_, err = io.WriteString(w, strings.Repeat(" ", 1<<16))
			}
		}))
		t.Cleanup(server.Close)
		_, err := New(server.URL, "sk_test_1").Session(background, "cs_1")
		if err == nil || IsFinal(err) || !strings.Contains(err.Error(), "too long") {
			t.Errorf("%d: %v", status, err)
		}
		<-gone
	}
}

// silent starts an API that never answers. received says when it has received a request.
func silent(t *testing.T) (api string, received <-chan struct{}) {
	ended, requests := make(chan struct{}), make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- struct{}{}
		<-ended
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ended) })
	return server.URL, requests
}

func TestNew_WaitsOnlySoLong(t *testing.T) {
	api, _ := silent(t)
	c := New(api, "sk_test_secret0123456789")
	if timeout := httpClient(c).Timeout; timeout < time.Second || timeout > 30*time.Second {
		t.Errorf("a guest waits for %v", timeout)
	}
	httpClient(c).Timeout = 50 * time.Millisecond
	wantError(t, calls["session"](c, background), 0, false, c.secret)
}

func TestNew_StopsWaitingWithTheContext(t *testing.T) {
	for verb, do := range calls {
		api, received := silent(t)
		c := New(api, "sk_test_secret0123456789")
		httpClient(c).Timeout = 0
		ctx, cancel := context.WithCancel(background)
		done := make(chan error, 1)
		go func() { done <- do(c, ctx) }()
		await.Signal(t, "the request to "+verb, received)
		cancel()
		err := await.Signal(t, verb+" gives up", done)
		wantError(t, err, 0, false, c.secret)
		if !strings.Contains(err.Error(), context.Canceled.Error()) {
			t.Errorf("%s: %v", verb, err)
		}
	}
}
