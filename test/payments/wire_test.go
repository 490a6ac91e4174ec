package payments

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// wire is the line between the program and Stripe, which can be cut at a certain request.
type wire struct {
	mu      sync.Mutex
	request string // its method and path; empty: none is cut
	side    side
	do      func()
	done    chan struct{}
}

type side int

const (
	before side = iota // Stripe never gets the request
	after              // Stripe does as it was asked, and its answer is lost
)

// newWire lays one for the programs that start from now on.
func newWire(t *testing.T, d *deployment) *wire {
	t.Helper()
	to, err := url.Parse(d.stripe.URL)
	if err != nil {
		t.Fatal(err)
	}
	w, through := &wire{}, httputil.NewSingleHostReverseProxy(to)
	line := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		cut := w.take(r)
		switch {
		case cut == nil:
			through.ServeHTTP(out, r)
			return
		case cut.side == after:
			through.ServeHTTP(httptest.NewRecorder(), r)
		}
		cut.do()
		close(cut.done)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(line.Close)
	d.set("SLOTD_STRIPE_API", line.URL)
	return w
}

// cut has the next such request be the last, and something happen then.
func (w *wire) cut(request string, side side, do func()) (done <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.request, w.side, w.do, w.done = request, side, do, make(chan struct{})
	return w.done
}

func (w *wire) take(r *http.Request) *wire {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method+" "+r.URL.Path != w.request {
		return nil
	}
	w.request = ""
	return &wire{side: w.side, do: w.do, done: w.done}
}

// reach waits until the request has come at which the wire is cut.
func (o *office) reach(cut <-chan struct{}) {
	o.t.Helper()
	select {
	case <-cut:
	case <-time.After(patience):
		o.t.Fatal("Stripe was never asked for it")
	}
}
