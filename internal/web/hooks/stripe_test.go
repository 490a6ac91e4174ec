package hooks

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/lib/limit"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe/stripetest"
)

// dueJobs counts the jobs of a kind that are due.
func (w *world) dueJobs(kind string) (n int) {
	w.T.Helper()
	list, err := jobs.List(background, w.DB, false, 100)
	w.Must(err)
	for _, j := range list {
		if j.Kind == kind && !j.NextAt.After(w.Clock.Now()) {
			n++
		}
	}
	return n
}

func (w *world) storedEvents() int { w.T.Helper(); return strings.Count(w.Dump(), "\nstripe_events: ") }

func TestEvent_IsKeptOnceWithItsJob(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		for n, slug := range []string{"acme", "own"} {
			target := Path
			if slug != "acme" {
				target = webhookPath(slug)
			}
			answer := w.post(target, paid(slug), sign(paid(slug), slug))
			if answer.Code != http.StatusOK || w.World.Log.String() != "" || w.storedEvents() != n+1 ||
				w.dueJobs(booking.ApplyPaymentJob) != n+1 {
				t.Errorf("%s: %d %s, %d events and %d jobs; %s", slug, answer.Code, answer.Body, w.storedEvents(),
					w.dueJobs(booking.ApplyPaymentJob), w.World.Log)
			}
			before := w.Dump()
			for range 3 {
				if again := w.post(target, paid(slug), sign(paid(slug), slug)); again.Code != http.StatusOK {
					t.Errorf("%s again: %d", slug, again.Code)
				}
				w.wantLogged("again", "received before")
			}
			if w.Dump() != before {
				t.Errorf("%s: hearing it again changed something", slug)
			}
		}
	})
}

// The event of a refund may arrive before that of its payment.
func TestEvent_OfItsOwnAccountIsFoundByTheBooking(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		body := w.refunded("own")
		if answer := w.post(webhookPath("own"), body, sign(body, "own")); answer.Code != http.StatusOK ||
			w.dueJobs(booking.ApplyPaymentJob) != 1 || w.storedEvents() != 1 {
			t.Errorf("%d %s, %d jobs", answer.Code, answer.Body, w.dueJobs(booking.ApplyPaymentJob))
		}
	})
}

func TestEvent_IsRefusedOrIgnoredAndChangesNothing(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		connected := strings.Replace(string(paid("acme")), `"object":"event"`, `"object":"event","account":"acct_1"`, 1)
		old := stripetest.Signature(paid("acme"), secrets["acme"], time.Now().Add(-6*time.Minute))
		before := w.Dump()
		for about, c := range map[string]struct {
			target    string
			body      []byte
			signature string
			status    int
			why       string
		}{
			"unsigned": {Path, paid("acme"), "", 400, "no Stripe-Signature"},
			"signed wrongly": {Path, paid("acme"), sign(paid("own"), "acme"), 400,
				"no valid signature"},
			"old": {Path, paid("acme"), old, 400, "tolerance"},
			"no event": {Path, []byte("{}"), sign([]byte("{}"), "acme"), 400,
				"thin event"},
			"by an owner at the operator's address": {Path, paid("acme"), sign(paid("acme"), "own"), 400,
				"no valid signature"},
			"by an owner at a rival's address": {webhookPath("rival"), paid("rival"), sign(paid("rival"), "own"), 400,
				"no valid signature"},
			"by the operator at an owner's address": {webhookPath("own"), paid("own"), sign(paid("own"), "acme"), 400,
				"no valid signature"},
			"an owner of the operator's checkout": {webhookPath("own"), paid("acme"), sign(paid("acme"), "own"), 200,
				"into this account"},
			"an owner of a rival's checkout": {webhookPath("own"), paid("rival"), sign(paid("rival"), "own"), 200,
				"into this account"},
			"the operator of an owner's checkout": {Path, paid("own"), sign(paid("own"), "acme"), 200,
				"into this account"},
			"an owner of the operator's refund": {webhookPath("own"), w.refunded("acme"),
				sign(w.refunded("acme"), "own"), 200,
				"into another account"},
			"an owner of a rival's refund": {webhookPath("own"), w.refunded("rival"), sign(w.refunded("rival"), "own"),
				200,
				"into another account"},
			"the operator of an owner's refund": {Path, w.refunded("own"), sign(w.refunded("own"), "acme"), 200,
				"into another account"},
			"an unknown checkout": {Path, paid("x"), sign(paid("x"), "acme"), 200, "into this account"},
			"of a connected account": {Path, []byte(connected), sign([]byte(connected), "acme"), 200,
				"another account"},
			"an unknown workspace": {webhookPath("nobody"), paid("own"), sign(paid("own"), "own"), 404,
				"no such workspace"},
			"a workspace without an account": {webhookPath("acme"), paid("acme"), sign(paid("acme"), "acme"), 400,
				"no webhook secret"},
			"too long": {Path, make([]byte, maxEvent+1), sign(paid("acme"), "acme"), 413, "too long"},
		} {
			answer := w.post(c.target, c.body, c.signature)
			if answer.Code != c.status {
				t.Errorf("%s: %d %s", about, answer.Code, answer.Body)
			}
			w.wantLogged(about, c.why)
			if w.Dump() != before {
				t.Fatalf("%s: something changed", about)
			}
		}
	})
}

// Stripe must not send an event again because its kind is unknown or its booking does not exist.
func TestEvent_ThatIsAboutNothingOfOursIsIgnored(t *testing.T) {
	w := lite(t)
	w.Must(w.Booking.ApplyPayment(background, w.WorkspaceID("own"), w.held["own"].ID,
		ledger.Statement{Entries: []ledger.Entry{{Kind: ledger.Paid, Reference: "pi_own"}}}))
	before := w.Dump()
	if answer := w.post(webhookPath("own"), w.refunded("own"),
		sign(w.refunded("own"), "own")); answer.Code != http.StatusOK {
		t.Errorf("of another payment: %d", answer.Code)
	}
	w.wantLogged("of another payment", "by another payment")
	for about, c := range map[string]struct{ kind, object, why string }{
		"another kind": {"customer.created", `{"id":"cus_1","email":"grace@guest.example"}`,
			"nothing that concerns"},
		"an inquiry": {"charge.dispute.created",
			`{"id":"dp_1","status":"warning_needs_response","payment_intent":"pi_1"}`, "nothing that concerns"},
		"a nameless refund": {"refund.created", `{"id":"re_1","amount":1,"currency":"usd"}`, "into this account"},
		"no booking's id": {"refund.created",
			`{"id":"re_1","amount":1,"metadata":{"slotd_workspace":"1","slotd_booking":"` +
				w.held["acme"].ID.String()[:35] + `x"}}`, "into this account"},
		"a booking nowhere": {"refund.created",
			`{"id":"re_1","amount":1,"metadata":{"slotd_workspace":"99","slotd_booking":"` +
				w.held["acme"].ID.String() + `"}}`, "no such booking"},
		"nothing at all": {"checkout.session.completed", `null`, "into this account"},
	} {
		body := event("evt_1", c.kind, c.object)
		if answer := w.post(Path, body, sign(body, "acme")); answer.Code != http.StatusOK {
			t.Errorf("%s: %d", about, answer.Code)
		}
		w.wantLogged(about, c.why)
	}
	if w.Dump() != before {
		t.Error("something changed")
	}
}

// Impossible amounts are not recorded: a job asks Stripe for the truth.
func TestEvent_OfADoubtfulAmountHasStripeAsked(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		for n, object := range []string{
			`"amount_total":-5000,"currency":"usd"`, `"amount_total":5000,"currency":"jpy"`, `"amount_total":-1`,
		} {
			body := event("evt_"+string(rune('a'+n)), "checkout.session.completed",
				`{"id":"cs_acme","payment_status":"paid","payment_intent":"pi_1",`+object+`}`)
			if answer := w.post(Path, body, sign(body, "acme")); answer.Code != http.StatusOK {
				t.Errorf("%s: %d", object, answer.Code)
			}
			w.wantLogged(object, "Stripe is asked instead")
		}
		m, err := w.Booking.PaymentState(background, w.WorkspaceID("acme"), w.held["acme"].ID)
		w.Must(err)
		if len(m.Ledger) != 0 || m.Booking.State != slotd.Held || w.dueJobs(booking.ApplyPaymentJob) != 0 ||
			w.dueJobs(booking.SettleJob) != 1 {
			t.Errorf("%+v, %d jobs hear and %d settle", m, w.dueJobs(booking.ApplyPaymentJob),
				w.dueJobs(booking.SettleJob))
		}
	})
}

// The owner of an account can sign any event of any size.
func TestEvent_ThatSaysTooMuchHasStripeAsked(t *testing.T) {
	w := lite(t)
	var refunds []string
	for n := range 101 {
		refunds = append(refunds, fmt.Sprintf(`{"id":"re_%d","status":"succeeded","amount":1,"currency":"usd"}`, n))
	}
	object := fmt.Sprintf(`{"id":"ch_1","payment_intent":"pi_9","metadata":{"slotd_workspace":"%d","slotd_booking":"%s"},"refunds":{"data":[%s]}}`,
		w.WorkspaceID("acme"), w.held["acme"].ID, strings.Join(refunds, ","))
	body := event("evt_much", "charge.refunded", object)
	if answer := w.post(Path, body, sign(body, "acme")); answer.Code != http.StatusOK ||
		w.dueJobs(booking.ApplyPaymentJob) != 0 {
		t.Errorf("%d, %d jobs", answer.Code, w.dueJobs(booking.ApplyPaymentJob))
	}
	w.wantLogged("much", "too much was said")
}

func TestEvent_ThatCannotBeReadOrKeptIsSentAgain(t *testing.T) {
	w := lite(t)
	before := w.Dump()
	cut := io.MultiReader(strings.NewReader(`{"id":`), iotest.ErrReader(io.ErrUnexpectedEOF))
	if answer := w.do(http.MethodPost, Path, cut, sign(paid("acme"), "acme")); answer.Code != http.StatusBadRequest {
		t.Errorf("cut: %d", answer.Code)
	}
	w.wantLogged("cut", "too early")

	ended, end := context.WithCancel(background)
	end()
	w.World.Log.Reset()
	r := httptest.NewRequestWithContext(ended, http.MethodPost, Path, strings.NewReader(string(paid("acme"))))
	r.Header.Set("Stripe-Signature", sign(paid("acme"), "acme"))
	answer := httptest.NewRecorder()
	if w.ServeHTTP(answer, r); answer.Code != http.StatusInternalServerError {
		t.Errorf("not kept: %d", answer.Code)
	}
	w.wantLogged("not kept", "evt_paid")

	w.Accounts.Keys = w.NewKeys()
	if answer := w.post(webhookPath("own"), paid("own"),
		sign(paid("own"), "own")); answer.Code != http.StatusInternalServerError {
		t.Errorf("with another key file: %d", answer.Code)
	}
	w.wantLogged("with another key file", "put back the key file")
	if w.Dump() != before {
		t.Error("something changed")
	}
}

func TestEvent_WithoutASecretNobodyIsBelieved(t *testing.T) {
	w := lite(t)
	w.Accounts.OperatorKeys.Webhook = ""
	before := w.Dump()
	for _, signature := range []string{"", stripetest.Signature(paid("acme"), "", time.Now()),
		sign(paid("acme"), "acme")} {
		if answer := w.post(Path, paid("acme"), signature); answer.Code != http.StatusBadRequest {
			t.Errorf("got %d", answer.Code)
		}
		w.wantLogged("without a secret", "no webhook secret")
	}
	if w.Dump() != before {
		t.Error("something changed")
	}
}

func TestWebhook_TakesPostsOnlyAndNotTooMany(t *testing.T) {
	w := lite(t)
	before := w.Dump()
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete,
		http.MethodOptions} {
		answer := w.do(method, Path, strings.NewReader(string(paid("acme"))), sign(paid("acme"), "acme"))
		if answer.Code != http.StatusMethodNotAllowed || answer.Header().Get("Allow") != http.MethodPost {
			t.Errorf("%s: %d %v", method, answer.Code, answer.Header())
		}
	}
	w.Reads = limit.NewWithInterval[netip.Addr](time.Minute, time.Minute)
	w.post(Path, nil, "")
	answer := w.post(Path, paid("acme"), sign(paid("acme"), "acme"))
	if answer.Code != http.StatusTooManyRequests || answer.Header().Get("Retry-After") != "60" {
		t.Errorf("%d %v", answer.Code, answer.Header())
	}
	if w.Dump() != before {
		t.Error("something changed")
	}
	w.Clock.Advance(time.Minute)
	if answer := w.post(Path, paid("acme"), sign(paid("acme"), "acme")); answer.Code != http.StatusOK {
		t.Errorf("a minute later: %d", answer.Code)
	}
}
