package stripetest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// api checks the key, applies faults, and gives the same answer to the same request.
func (s *Stripe) api(do func(r *http.Request) (status int, body any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		if r.Header.Get("Authorization") != "Bearer "+s.Key {
			send(w, http.StatusUnauthorized,
				errorObject("invalid_request_error", "",
					"Invalid API Key provided: "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
			return
		}
		fault := s.nextFault(r)
		if fault != nil && !fault.After {
			s.fail(w, fault)
			return
		}
		status, body := s.idempotent(r, do)
		if fault != nil {
			s.fail(w, fault)
			return
		}
		send(w, status, body)
	}
}

func (s *Stripe) nextFault(r *http.Request) *Fault {
	for i := range s.faults {
		f := &s.faults[i]
		if f.Times > 0 && f.matches(r.Method+" "+r.URL.Path) {
			f.Times--
			return f
		}
	}
	return nil
}

func (f *Fault) matches(request string) bool {
	return request == f.Request || !f.Exact && strings.HasPrefix(request, f.Request)
}

func (s *Stripe) fail(w http.ResponseWriter, f *Fault) {
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	send(w, f.Status, errorObject("api_error", "", "Something is wrong on our side; your key is "+s.Key))
}

// idempotent answers a repeated request as it was answered before.
func (s *Stripe) idempotent(r *http.Request, do func(r *http.Request) (int, any)) (int, any) {
	key, params := r.Header.Get("Idempotency-Key"), r.URL.Path+"?"+r.PostForm.Encode()
	if r.Method != http.MethodPost || key == "" {
		return do(r)
	}
	if previous, ok := s.answers[key]; ok && previous.params != params {
		return http.StatusBadRequest, errorObject("idempotency_error", "",
			"Keys for idempotent requests can only be used with the same parameters they were first used with.")
	} else if ok {
		return previous.status, previous.body
	}
	status, body := do(r)
	s.answers[key] = answer{params, status, body}
	return status, body
}

func (s *Stripe) createSession(r *http.Request) (int, any) {
	f := r.PostForm
	amount, err := strconv.ParseInt(f.Get("line_items[0][price_data][unit_amount]"), 10, 64)
	expiresAt, expiresErr := strconv.ParseInt(f.Get("expires_at"), 10, 64)
	now := s.Now()
	switch {
	case err != nil || expiresErr != nil || f.Get("mode") != "payment" || f.Get("line_items[0][quantity]") != "1" ||
		f.Get("line_items[0][price_data][product_data][name]") == "":
		return invalid("a parameter is missing")
	case len(f.Get("line_items[0][price_data][currency]")) != 3:
		return invalid("Invalid currency")
	case time.Unix(expiresAt, 0).Before(now.Add(30*time.Minute)) ||
		time.Unix(expiresAt, 0).After(now.Add(24*time.Hour)):
		return invalid("The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout " +
			"Session creation.")
	case isThreeDecimal(f.Get("line_items[0][price_data][currency]")) && amount%10 != 0:
		return invalid("Amounts in three-decimal currencies must be rounded to the nearest ten.")
	}
	session := &Session{
		ID: s.id("cs_test"), Status: "open", PaymentStatus: "unpaid", Amount: amount,
		Currency: f.Get("line_items[0][price_data][currency]"),
		Name:     f.Get("line_items[0][price_data][product_data][name]"), Email: f.Get("customer_email"),
		SuccessURL: f.Get("success_url"), CancelURL: f.Get("cancel_url"),
		Reference: f.Get("client_reference_id"), Metadata: metadata(f, "metadata"), ExpiresAt: time.Unix(expiresAt, 0),
	}
	s.sessions[session.ID] = session
	return http.StatusOK, s.sessionObject(session)
}

func isThreeDecimal(currency string) bool {
	return strings.Contains("bhd jod kwd omr tnd", currency)
}

func (s *Stripe) getSession(r *http.Request) (int, any) {
	session := s.sessions[r.PathValue("id")]
	if session == nil {
		return missing("checkout.session", r.PathValue("id"))
	}
	s.expireIfDue(session)
	return http.StatusOK, s.sessionObject(session)
}

func (s *Stripe) expireSession(r *http.Request) (int, any) {
	session := s.sessions[r.PathValue("id")]
	if session == nil {
		return missing("checkout.session", r.PathValue("id"))
	}
	if session.Status != "open" {
		return invalid("Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has " +
			"a status of `" + session.Status + "`.")
	}
	session.Status = "expired"
	s.emit("checkout.session.expired", s.sessionObject(session))
	return http.StatusOK, s.sessionObject(session)
}

// expireIfDue expires a session whose time is over.
func (s *Stripe) expireIfDue(session *Session) {
	if session.Status == "open" && s.Now().After(session.ExpiresAt) {
		session.Status = "expired"
		s.emit("checkout.session.expired", s.sessionObject(session))
	}
}

func (s *Stripe) sessionObject(c *Session) object {
	o := object{
		"id": c.ID, "object": "checkout.session", "status": c.Status, "payment_status": c.PaymentStatus,
		"mode": "payment", "amount_total": c.Amount,
		"currency": c.Currency, "client_reference_id": c.Reference, "metadata": c.Metadata,
		"expires_at": c.ExpiresAt.Unix(), "livemode": false,
		"customer_details": object{"email": c.Email, "name": "Grace Hopper"}, "url": nil, "payment_intent": nil,
	}
	if c.Status == "open" {
		o["url"] = s.URL + "/c/pay/" + c.ID
	}
	if c.Intent != "" {
		o["payment_intent"] = c.Intent
	}
	return o
}

func (s *Stripe) createRefund(r *http.Request) (int, any) {
	intent := r.PostForm.Get("payment_intent")
	amount, err := strconv.ParseInt(r.PostForm.Get("amount"), 10, 64)
	paid := s.paidSession(intent)
	switch {
	case paid == nil:
		return missing("payment_intent", intent)
	case err != nil || amount <= 0:
		return invalid("Invalid amount")
	}
	remaining := paid.Amount
	for _, other := range s.refunds {
		if other.Intent == intent && other.Status != "failed" && other.Status != "canceled" {
			remaining -= other.Amount
		}
	}
	if remaining == 0 {
		return http.StatusBadRequest, errorObject("invalid_request_error", "charge_already_refunded",
			"Charge has already been refunded.")
	} else if amount > remaining {
		return invalid("Refund amount is greater than unrefunded amount on charge")
	}
	refund := &Refund{ID: s.id("re"), Intent: intent, Currency: paid.Currency, Status: s.newRefundStatus,
		Amount:   amount,
		Metadata: metadata(r.PostForm, "metadata")}
	s.refunds = append(s.refunds, refund)
	s.emit("refund.created", refundObject(refund))
	return http.StatusOK, refundObject(refund)
}

func (s *Stripe) paidSession(intent string) *Session {
	for _, session := range s.sessions {
		if session.Intent == intent && intent != "" && session.PaymentStatus == "paid" {
			return session
		}
	}
	return nil
}

func (s *Stripe) listRefunds(r *http.Request) (int, any) {
	all := []any{}
	for _, refund := range s.refunds {
		if refund.Intent == r.Form.Get("payment_intent") {
			all = append(all, refundObject(refund))
		}
	}
	return http.StatusOK, object{"object": "list", "data": all, "has_more": false, "url": "/v1/refunds"}
}

func refundObject(r *Refund) object {
	return object{
		"id": r.ID, "object": "refund", "status": string(r.Status), "amount": r.Amount, "currency": r.Currency,
		"payment_intent": r.Intent, "metadata": r.Metadata,
	}
}

func (s *Stripe) listDisputes(r *http.Request) (int, any) {
	all := []any{}
	for _, d := range s.disputes {
		if d.Intent == r.Form.Get("payment_intent") {
			all = append(all, disputeObject(d))
		}
	}
	return http.StatusOK, object{"object": "list", "data": all, "has_more": false, "url": "/v1/disputes"}
}

func disputeObject(d *Dispute) object {
	return object{"id": d.ID, "object": "dispute", "status": d.Status, "amount": d.Amount, "currency": d.Currency,
		"payment_intent": d.Intent, "metadata": object{}}
}

func invalid(message string) (int, any) {
	return http.StatusBadRequest, errorObject("invalid_request_error", "", message)
}

func missing(what, id string) (int, any) {
	return http.StatusNotFound, errorObject("invalid_request_error", "resource_missing", "No such "+what+": '"+id+"'")
}

func errorObject(kind, code, message string) object {
	return object{"error": object{"type": kind, "code": code, "message": message}}
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
