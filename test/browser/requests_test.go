package browser

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"
)

// requests collects a page's network requests, in order.
type requests struct {
	mu       sync.Mutex
	all      []request
	returned int // how many sinceLast has returned
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
	r := &requests{}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go p.Context(ctx).EachEvent(r.sent, r.finished)()
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

// sinceLast returns the requests since its last call, without the browser's own: it reads the icon from its cache
// whenever the address changes.
func (r *requests) sinceLast() (latest []request) {
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
func (r *requests) pageKinds() (kinds []string) {
	for _, q := range r.sinceLast() {
		if q.kind == proto.NetworkResourceTypeDocument || q.kind == proto.NetworkResourceTypeFetch {
			kinds = append(kinds, string(q.kind))
		}
	}
	return kinds
}

// posts returns the number of forms sent since the last call of sinceLast.
func (r *requests) posts() (n int) {
	for _, q := range r.sinceLast() {
		if q.verb == "POST" {
			n++
		}
	}
	return n
}

// allFinished waits until all requests have finished and returns them.
func (r *requests) allFinished(t *testing.T, p *rod.Page) (all []request) {
	t.Helper()
	must(t, utils.Retry(p.GetContext(), fastPoll(), func() (bool, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		all = slices.Clone(r.all)
		return !slices.ContainsFunc(all, func(q request) bool { return q.size == 0 }), nil
	}))
	return all
}
