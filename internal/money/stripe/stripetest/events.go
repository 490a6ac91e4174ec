package stripetest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/stripe/stripe-go/v86/webhook"
)

// Event is an event of the service, as it is sent.
type Event struct {
	ID, Kind string
	Body     []byte
}

// DropEvents stops sending events. Events still returns them.
func (s *Stripe) DropEvents() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loseEvents = true
}

// Silence hides payments: no events are sent, and asking fails. ClearFaults makes asking work again.
func (s *Stripe) Silence() {
	s.DropEvents()
	s.AddFault(Fault{Request: "GET /v1/checkout", Status: http.StatusInternalServerError, Times: 1 << 20})
}

// Events returns all events so far.
func (s *Stripe) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Event(nil), s.events...)
}

// emit creates an event, and sends it unless events are lost.
func (s *Stripe) emit(kind string, about object) {
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
	if s.Webhook == "" || s.loseEvents {
		return
	}
	s.sending.Add(1)
	go func() {
		defer s.sending.Done()
		s.sendUntilAccepted(e)
	}()
}

// sendUntilAccepted sends an event until it is accepted, as Stripe does, only more often and until the test ends.
func (s *Stripe) sendUntilAccepted(e Event) {
	ctx := s.t.Context()
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

// Send delivers an event with a valid signature.
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

// Signature returns the header with which Stripe would sign a body at a time.
func Signature(body []byte, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(webhook.ComputeSignature(at, body, secret)))
}

// Pay does what a guest does on the checkout page.
func (s *Stripe) Pay(session string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pay(session, "paid")
}

// Promise pays by a method that takes days. Keep or Break ends it.
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
	s.expireIfDue(session)
	if session.Status != "open" {
		return fmt.Errorf("session %s is %s", id, session.Status)
	}
	session.Status, session.PaymentStatus, session.Intent = "complete", status, s.id("pi")
	s.emit("checkout.session.completed", s.sessionObject(session))
	return nil
}

// Keep makes a promised payment succeed.
func (s *Stripe) Keep(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.sessions[id]
	session.PaymentStatus = "paid"
	s.emit("checkout.session.async_payment_succeeded", s.sessionObject(session))
}

// Break makes a promised payment fail.
func (s *Stripe) Break(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit("checkout.session.async_payment_failed", s.sessionObject(s.sessions[id]))
}

// RefundsBecome sets the status of new refunds.
func (s *Stripe) RefundsBecome(status RefundStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newRefundStatus = status
}

// Update changes a refund's status.
func (s *Stripe) Update(id string, status RefundStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		if r.ID == id {
			r.Status = status
			s.emit("refund.updated", refundObject(r))
			if status == "failed" {
				s.emit("refund.failed", refundObject(r))
			}
		}
	}
}

// RefundByHand does what an owner does in the dashboard.
func (s *Stripe) RefundByHand(intent string, amount int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &Refund{ID: s.id("re"), Intent: intent, Currency: s.paidSession(intent).Currency, Status: "succeeded",
		Amount: amount, Metadata: map[string]string{}}
	s.refunds = append(s.refunds, r)
	s.emit("refund.created", refundObject(r))
}

// Dispute does what a guest's bank does.
func (s *Stripe) Dispute(intent, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.disputes {
		if d.Intent == intent {
			d.Status = status
			s.emit("charge.dispute.closed", disputeObject(d))
			return
		}
	}
	paid := s.paidSession(intent)
	d := &Dispute{ID: s.id("dp"), Intent: intent, Currency: paid.Currency, Status: status, Amount: paid.Amount}
	s.disputes = append(s.disputes, d)
	s.emit("charge.dispute.created", disputeObject(d))
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
