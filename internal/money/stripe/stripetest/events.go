package stripetest

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/stripe/stripe-go/v86/webhook"
)

// Event is what the service tells, as it is sent.
type Event struct {
	ID, Kind string
	Body     []byte
}

// Lose has events kept and not sent; Events has them.
func (s *Stripe) Lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = true
}

// Silence has nobody hear of a payment, by events or by asking. Mend lets them ask again.
func (s *Stripe) Silence() {
	s.Lose()
	s.Make(Trouble{Request: "GET /v1/checkout", Status: http.StatusInternalServerError, Times: 1 << 20})
}

// Events are all that were made so far.
func (s *Stripe) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Event(nil), s.events...)
}

// tell makes an event, and sends it by itself unless events are lost.
func (s *Stripe) tell(kind string, about object) {
	id := s.id("evt")
	body, err := json.Marshal(object{
		"id": id, "object": "event", "api_version": "2026-06-24.dahlia", "created": s.Now().Unix(), "type": kind,
		"livemode": false,
		"data":     object{"object": about}, "pending_webhooks": 1,
		"request": object{"id": nil, "idempotency_key": nil},
	})
	if err != nil {
		panic(err)
	}
	e := Event{id, kind, body}
	s.events = append(s.events, e)
	if s.Webhook == "" || s.lost {
		return
	}
	s.sending.Add(1)
	go func() {
		defer s.sending.Done()
		s.repeat(e)
	}()
}

// repeat sends an event until it is taken, as Stripe does, only sooner and for a minute.
func (s *Stripe) repeat(e Event) {
	ctx, stop := context.WithTimeout(s.t.Context(), time.Minute)
	defer stop()
	for ctx.Err() == nil {
		if status, err := s.Send(e); err == nil && status == http.StatusOK {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Send delivers an event, with a right signature.
func (s *Stripe) Send(e Event) (status int, err error) {
	return Post(s.Webhook, e.Body, Signature(e.Body, s.Secret, time.Now()))
}

// Post sends anything to a webhook.
func Post(address string, body []byte, signature string) (status int, err error) {
	r, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	if signature != "" {
		r.Header.Set("Stripe-Signature", signature)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	return answer.StatusCode, nil
}

// Signature is what Stripe would sign a body with at a time.
func Signature(body []byte, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(webhook.ComputeSignature(at, body, secret)))
}

// Pay is what a guest does on the checkout page.
func (s *Stripe) Pay(session string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pay(session, "paid")
}

// Promise is Pay by a way that takes days. Keep or Break ends it.
func (s *Stripe) Promise(session string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pay(session, "unpaid")
}

func (s *Stripe) pay(id, status string) error {
	session := s.sessions[id]
	if session == nil {
		return fmt.Errorf("there is no session %s", id)
	}
	s.lapse(session)
	if session.Status != "open" {
		return fmt.Errorf("session %s is %s", id, session.Status)
	}
	session.Status, session.PaymentStatus, session.Intent = "complete", status, s.id("pi")
	s.tell("checkout.session.completed", s.sessionObject(session))
	return nil
}

// Keep has promised money come, and Break has it not.
func (s *Stripe) Keep(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.sessions[id]
	session.PaymentStatus = "paid"
	s.tell("checkout.session.async_payment_succeeded", s.sessionObject(session))
}

func (s *Stripe) Break(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell("checkout.session.async_payment_failed", s.sessionObject(s.sessions[id]))
}

// RefundsBecome is the status of refunds when they are made.
func (s *Stripe) RefundsBecome(status RefundStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.born = status
}

// Update changes a refund's status.
func (s *Stripe) Update(id string, status RefundStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		if r.ID == id {
			r.Status = status
			s.tell("refund.updated", refundObject(r))
			if status == "failed" {
				s.tell("refund.failed", refundObject(r))
			}
		}
	}
}

// RefundByHand is what an owner does in the dashboard.
func (s *Stripe) RefundByHand(intent string, amount int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &Refund{ID: s.id("re"), Intent: intent, Currency: s.byIntent(intent).Currency, Status: "succeeded",
		Amount: amount, Metadata: map[string]string{}}
	s.refunds = append(s.refunds, r)
	s.tell("refund.created", refundObject(r))
}

// Dispute is what a guest's bank does.
func (s *Stripe) Dispute(intent, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.disputes {
		if d.Intent == intent {
			d.Status = status
			s.tell("charge.dispute.closed", disputeObject(d))
			return
		}
	}
	paid := s.byIntent(intent)
	d := &Dispute{ID: s.id("dp"), Intent: intent, Currency: paid.Currency, Status: status, Amount: paid.Amount}
	s.disputes = append(s.disputes, d)
	s.tell("charge.dispute.created", disputeObject(d))
}

var page = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Checkout</title></head><body><main>
<h1>{{.Name}}</h1><p id="amount">{{.Amount}} {{.Currency}}</p><p id="email">{{.Email}}</p>
<form method="post"><button id="pay">Pay</button></form><p><a id="back" href="{{.CancelURL}}">Back</a></p>
</main></body></html>`))

func (s *Stripe) checkoutPage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.sessions[r.PathValue("id")]
	if session == nil || session.Status != "open" {
		http.Error(w, "This checkout is closed.", http.StatusGone)
		return
	}
	w.Header().Set("X-Frame-Options", "DENY")
	page.Execute(w, session)
}

func (s *Stripe) checkoutPaid(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("id")
	if err := s.pay(id, "paid"); err != nil {
		http.Error(w, err.Error(), http.StatusGone)
		return
	}
	http.Redirect(w, r, s.sessions[id].SuccessURL, http.StatusSeeOther)
}
