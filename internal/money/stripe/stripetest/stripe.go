// Package stripetest is a payment service for tests: it has a checkout page, stores payments and refunds, and sends
// signed events about them, as Stripe's documentation describes.
package stripetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Stripe is one account with its service.
type Stripe struct {
	URL     string // of the API and of the checkout pages
	Key     string
	Secret  string           // signs the events
	Webhook string           // where events are sent; if empty, they are not sent
	Now     func() time.Time // time.Now, or the clock of the program under test

	t  testing.TB
	mu sync.Mutex

	sessions        map[string]*Session
	refunds         []*Refund
	disputes        []*Dispute
	answers         map[string]answer // by idempotency key
	faults          []Fault
	requests        []string
	next            int
	events          []Event
	loseEvents      bool         // events are not sent automatically
	newRefundStatus RefundStatus // status of new refunds
	sending         sync.WaitGroup
}

// Session is a checkout.
type Session struct {
	ID, Status, PaymentStatus, Intent string
	Amount                            int64
	Currency, Name, Email             string
	SuccessURL, CancelURL             string
	Reference                         string
	Metadata                          map[string]string
	ExpiresAt                         time.Time
}

// RefundStatus is the status of a refund, in the words of the API.
type RefundStatus string

// Refund is a refund of a payment.
type Refund struct {
	ID, Intent, Currency string
	Status               RefundStatus
	Amount               int64
	Metadata             map[string]string
}

// Dispute is money that a bank took back.
type Dispute struct {
	ID, Intent, Currency, Status string
	Amount                       int64
}

// Fault makes requests fail whose method and path start with Request. With After, the request is carried out and
// only the answer is lost.
type Fault struct {
	Request string // such as "POST /v1/refunds"
	Exact   bool   // the path must end there
	Status  int    // 0: the connection breaks
	After   bool
	Times   int
}

type answer struct {
	params string
	status int
	body   any
}

// Start runs a payment service until the test ends.
func Start(t testing.TB) *Stripe {
	t.Helper()
	s := &Stripe{
		Key:    "sk_test_" + t.Name()[:min(len(t.Name()), 4)] + "VERYSECRET0123456789",
		Secret: "whsec_ALSOSECRET0123456789", Now: time.Now, t: t,
		sessions: map[string]*Session{}, answers: map[string]answer{}, newRefundStatus: "succeeded",
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/checkout/sessions", s.api(s.createSession))
	mux.HandleFunc("GET /v1/checkout/sessions/{id}", s.api(s.getSession))
	mux.HandleFunc("POST /v1/checkout/sessions/{id}/expire", s.api(s.expireSession))
	mux.HandleFunc("POST /v1/refunds", s.api(s.createRefund))
	mux.HandleFunc("GET /v1/refunds", s.api(s.listRefunds))
	mux.HandleFunc("GET /v1/disputes", s.api(s.listDisputes))
	mux.HandleFunc("GET /c/pay/{id}", s.checkoutPage)
	mux.HandleFunc("POST /c/pay/{id}", s.checkoutPaid)
	server := httptest.NewServer(mux)
	s.URL = server.URL
	t.Cleanup(func() {
		s.sending.Wait()
		server.Close()
	})
	return s
}

// Flags returns the flags that make a server use this payment service.
func (s *Stripe) Flags() []string {
	return []string{"--stripe-key", s.Key, "--stripe-webhook-secret", s.Secret, "--stripe-api", s.URL}
}

// AddFault adds a fault.
func (s *Stripe) AddFault(fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fault)
}

// ClearFaults removes all faults.
func (s *Stripe) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Requests returns how many requests came so far whose method and path start with prefix.
func (s *Stripe) Requests(prefix string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if strings.HasPrefix(r, prefix) {
			n++
		}
	}
	return n
}

// Sessions returns all checkouts, oldest first.
func (s *Stripe) Sessions() (all []Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		all = append(all, *session)
	}
	slices.SortFunc(all, func(a, b Session) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Refunds returns all refunds, oldest first.
func (s *Stripe) Refunds() (all []Refund) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refunds {
		all = append(all, *r)
	}
	return all
}

// Balance returns what the account has: payments minus refunds.
func (s *Stripe) Balance() (sum int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		if session.PaymentStatus == "paid" {
			sum += session.Amount
		}
	}
	for _, r := range s.refunds {
		if r.Status != "failed" && r.Status != "canceled" {
			sum -= r.Amount
		}
	}
	return sum
}

// id returns ids that sort by age.
func (s *Stripe) id(prefix string) string {
	s.next++
	return fmt.Sprintf("%s_%06d", prefix, s.next)
}

// metadata returns the metadata in a form.
func metadata(form url.Values, prefix string) map[string]string {
	all := map[string]string{}
	for name, values := range form {
		if key, ok := strings.CutPrefix(name, prefix+"["); ok && strings.HasSuffix(key, "]") {
			all[strings.TrimSuffix(key, "]")] = values[0]
		}
	}
	return all
}
