package safehttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// MaxBody is the maximum size of a response body in bytes, after decompression.
const MaxBody = 32 << 20

// ErrTooLarge is the error for reading a body that exceeds MaxBody or the context's allowance.
var ErrTooLarge = errors.New("the answer is larger than what is read")

// allowance is how many bytes all bodies of a context together may still have.
type allowance struct {
	remaining atomic.Int64
	outer     *allowance
}

type allowanceKey struct{}

// WithBodyLimit limits the total size of the bodies of all requests made with the context, after decompression. It
// stops a server that responds with many pages, each of them small enough.
func WithBodyLimit(ctx context.Context, bytes int64) context.Context {
	a := &allowance{outer: allowanceOf(ctx)}
	a.remaining.Store(bytes)
	return context.WithValue(ctx, allowanceKey{}, a)
}

func allowanceOf(ctx context.Context) *allowance {
	a, _ := ctx.Value(allowanceKey{}).(*allowance)
	return a
}

// spend uses n bytes. It reports whether they were available, both here and in the allowances of outer contexts.
func (a *allowance) spend(n int) bool {
	ok := true
	for ; a != nil; a = a.outer {
		ok = a.remaining.Add(-int64(n)) >= 0 && ok
	}
	return ok
}

// limited makes reading a body fail when it gets too large.
type limited struct{ next http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	if err == nil {
		resp.Body = &limitedBody{ReadCloser: resp.Body, remaining: MaxBody, shared: allowanceOf(r.Context())}
	}
	return resp, err
}

type limitedBody struct {
	io.ReadCloser
	remaining int64
	shared    *allowance
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.remaining < 0 {
		return 0, ErrTooLarge
	}
	n, err := b.ReadCloser.Read(p)
	b.remaining -= int64(n)
	if !b.shared.spend(n) {
		b.remaining = -1
	}
	if b.remaining < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
