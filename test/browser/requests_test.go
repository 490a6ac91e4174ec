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

// requests are what a page asks the network for, in order.
type requests struct {
	mu   sync.Mutex
	all  []request
	seen int // by since
}

type request struct {
	id   proto.NetworkRequestID
	kind proto.NetworkResourceType
	verb string
	url  string
	size float64 // as transferred, headers included; 0: not finished, or not sent
}

// watch begins to listen.
func watch(t *testing.T, p *rod.Page) *requests {
	t.Helper()
	r := &requests{}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
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

// since gives those that came after the last time it was asked, without what the browser itself wants:
// the icon, out of its cache, whenever the address changes.
func (r *requests) since() (news []request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.all[r.seen:] {
		if q.kind != proto.NetworkResourceTypeOther {
			news = append(news, q)
		}
	}
	r.seen = len(r.all)
	return news
}

// pages are the kinds of those since the last time that asked for a page.
func (r *requests) pages() (kinds []string) {
	for _, q := range r.since() {
		if q.kind == proto.NetworkResourceTypeDocument || q.kind == proto.NetworkResourceTypeFetch {
			kinds = append(kinds, string(q.kind))
		}
	}
	return kinds
}

// posts is how many forms were sent since the last time.
func (r *requests) posts() (n int) {
	for _, q := range r.since() {
		if q.verb == "POST" {
			n++
		}
	}
	return n
}

// finishedAll waits until nothing is under way and gives all.
func (r *requests) finishedAll(t *testing.T, p *rod.Page) (all []request) {
	t.Helper()
	must(t, utils.Retry(p.GetContext(), impatient(), func() (bool, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		all = slices.Clone(r.all)
		return !slices.ContainsFunc(all, func(q request) bool { return q.size == 0 }), nil
	}))
	return all
}
