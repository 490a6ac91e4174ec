package safehttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// MaxBody is as much as an answer may hold, unpacked.
const MaxBody = 32 << 20

// ErrTooLarge ends the reading of a body that holds more, or more than what the context allows.
var ErrTooLarge = errors.New("the answer is larger than what is read")

// allowance is what is left for all the bodies of a context.
type allowance struct {
	left  atomic.Int64
	outer *allowance
}

type allowanceKey struct{}

// WithAllowance lets the bodies of all requests made with the context hold so many bytes together,
// unpacked. A server that answers in many pages, each of them small enough, ends there.
func WithAllowance(ctx context.Context, bytes int64) context.Context {
	a := &allowance{outer: allowanceOf(ctx)}
	a.left.Store(bytes)
	return context.WithValue(ctx, allowanceKey{}, a)
}

func allowanceOf(ctx context.Context) *allowance {
	a, _ := ctx.Value(allowanceKey{}).(*allowance)
	return a
}

// spend is false when there is no more to spend, here or in the context around this one.
func (a *allowance) spend(n int) bool {
	ok := true
	for ; a != nil; a = a.outer {
		ok = a.left.Add(-int64(n)) >= 0 && ok
	}
	return ok
}

// limited ends every body with an error where it grows too large.
type limited struct{ next http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBody{ReadCloser: answer.Body, left: MaxBody, shared: allowanceOf(r.Context())}
	}
	return answer, err
}

type limitedBody struct {
	io.ReadCloser
	left   int64
	shared *allowance
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if !b.shared.spend(n) {
		b.left = -1
	}
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
