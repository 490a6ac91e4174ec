package payments

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"slotd/test/await"
)

// stripeProxy is a proxy between the program and Stripe that can break the connection at a certain request.
type stripeProxy struct {
	mu      sync.Mutex
	request string // method and path of the request to cut; empty for none
	side    cutSide
	do      func()
	done    chan struct{}
}

type cutSide int

const (
	before cutSide = iota // Stripe never gets the request
	after                 // Stripe handles the request, and its response is lost
)

// newStripeProxy starts a proxy for the programs that start from now on.
func newStripeProxy(t *testing.T, d *deployment) *stripeProxy {
	t.Helper()
	to, err := url.Parse(d.stripe.URL)
	if err != nil {
		t.Fatal(err)
	}
	w, backend := &stripeProxy{}, httputil.NewSingleHostReverseProxy(to)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		cut := w.takeCut(r)
		switch {
		case cut == nil:
			backend.ServeHTTP(rw, r)
			return
		case cut.side == after:
			backend.ServeHTTP(httptest.NewRecorder(), r)
		}
		cut.do()
		close(cut.done)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	d.Setenv("SLOTD_STRIPE_API", server.URL)
	return w
}

// cut makes the proxy call do at the next such request and then break the connection.
func (w *stripeProxy) cut(request string, side cutSide, do func()) (done <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request, w.side, w.do, w.done = request, side, do, make(chan struct{})
	return w.done
}

// takeCut returns the cut for this request, which then applies no more, or nil.
func (w *stripeProxy) takeCut(r *http.Request) *stripeProxy {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method+" "+r.URL.Path != w.request {
		return nil
	}
	w.request = ""
	return &stripeProxy{side: w.side, do: w.do, done: w.done}
}

// awaitCut waits until the request has come at which the connection is cut.
func (o *office) awaitCut(cut <-chan struct{}) {
	o.t.Helper()
	await.Signal(o.t, "Stripe is asked for it", cut)
}
