package payments

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"testing"

	"slotd/test/await"
)

// stripeProxy is a proxy between the program and Stripe that can break the connection at a certain request.
type stripeProxy struct {
	mu      sync.Mutex
	request string // method and path of the request to cut; empty for none
	about   string // one of its fields has this value
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
		body, err := io.ReadAll(r.Body)
		if err != nil { // the program was killed
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		cut := w.takeCut(r, body)
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

// cut makes the proxy call do at the next such request and then break the connection. What the request is about tells
// it from one with which the program catches up after an earlier kill.
func (w *stripeProxy) cut(request, about string, side cutSide, do func()) (done <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request, w.about, w.side, w.do, w.done = request, about, side, do, make(chan struct{})
	return w.done
}

// takeCut returns the cut for this request, which then applies no more, or nil.
func (w *stripeProxy) takeCut(r *http.Request, body []byte) *stripeProxy {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method+" "+r.URL.Path != w.request || !hasValue(body, w.about) {
		return nil
	}
	w.request = ""
	return &stripeProxy{side: w.side, do: w.do, done: w.done}
}

// hasValue reports whether a form has a field with the value.
func hasValue(body []byte, value string) bool {
	form, err := url.ParseQuery(string(body))
	return err == nil && slices.ContainsFunc(slices.Collect(maps.Values(form)),
		func(values []string) bool { return slices.Contains(values, value) })
}

// awaitCut waits until the request has come at which the connection is cut.
func (o *office) awaitCut(cut <-chan struct{}) {
	o.t.Helper()
	await.Signal(o.t, "Stripe is asked for it", cut)
}
