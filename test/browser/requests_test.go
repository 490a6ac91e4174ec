package browser

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/test/await"
)

// soFar is logged to learn which requests were made before.
const soFar = "slotd-requests-so-far"

// requests collects a page's network requests, in order.
type requests struct {
	page     *rod.Page
	mu       sync.Mutex
	all      []request
	returned int           // how many sinceLast has returned
	reached  chan struct{} // receives when the page has logged soFar
}

type request struct {
	id   proto.NetworkRequestID
	kind proto.NetworkResourceType
	verb string
	url  string
	size float64 // bytes transferred, headers included; 0 if not finished or not sent
}

// watchRequests starts to collect the page's requests.
func watchRequests(t *testing.T, p *rod.Page) *requests {
	t.Helper()
	r := &requests{page: p, reached: make(chan struct{}, 1)}
	go p.EachEvent(r.sent, r.finished, r.logged)()
	must(t, proto.NetworkEnable{}.Call(p))
	return r
}

func (r *requests) sent(e *proto.NetworkRequestWillBeSent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !strings.HasPrefix(e.Request.URL, "data:") {
		r.all = append(r.all, request{id: e.RequestID, kind: e.Type, verb: e.Request.Method, url: e.Request.URL})
	}
}

func (r *requests) finished(e *proto.NetworkLoadingFinished) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.all {
		if r.all[i].id == e.RequestID {
			r.all[i].size = e.EncodedDataLength
		}
	}
}

func (r *requests) logged(e *proto.RuntimeConsoleAPICalled) {
	if len(e.Args) == 1 && e.Args[0].Value.Str() == soFar {
		r.reached <- struct{}{}
	}
}

// sinceLast returns the requests since its last call, without the browser's own: it reads the icon from its cache
// whenever the address changes. Chromium reports requests after it makes them, but before what the page logs next.
func (r *requests) sinceLast(t *testing.T) (latest []request) {
	t.Helper()
	r.page.MustEval(`line => console.debug(line)`, soFar)
	await.Signal(t, "the page logs a line", r.reached)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.all[r.returned:] {
		if q.kind != proto.NetworkResourceTypeOther {
			latest = append(latest, q)
		}
	}
	r.returned = len(r.all)
	return latest
}

// pageKinds returns the kinds of the requests for pages since the last call of sinceLast.
func (r *requests) pageKinds(t *testing.T) (kinds []string) {
	t.Helper()
	for _, q := range r.sinceLast(t) {
		if q.kind == proto.NetworkResourceTypeDocument || q.kind == proto.NetworkResourceTypeFetch {
			kinds = append(kinds, string(q.kind))
		}
	}
	return kinds
}

// posts returns the number of forms sent since the last call of sinceLast.
func (r *requests) posts(t *testing.T) (n int) {
	t.Helper()
	for _, q := range r.sinceLast(t) {
		if q.verb == "POST" {
			n++
		}
	}
	return n
}

// allFinished waits until all requests have finished and returns them.
func (r *requests) allFinished(t *testing.T) (all []request) {
	t.Helper()
	await.True(t, "all requests finish", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		all = slices.Clone(r.all)
		return !slices.ContainsFunc(all, func(q request) bool { return q.size == 0 })
	})
	return all
}
