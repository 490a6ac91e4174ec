package kit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"slotd"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
)

// Guard checks every request to a page first: it applies the client's rate limits and logs unexpected errors.
type Guard struct {
	Reads   *limit.Limiter[netip.Addr] // of all requests; nil means no limit, also below
	Writes  *limit.Limiter[netip.Addr] // of POST requests
	Proxies limit.Proxies
	Log     *slog.Logger
}

// Client returns the client address that limits count. An IPv6 network counts as one address.
func (g *Guard) Client(r *http.Request) netip.Addr { return limit.Key(g.Proxies.Client(r)) }

// Count counts a request against the client's limit of reads, and a POST also against its limit of writes.
func (g *Guard) Count(r *http.Request, now time.Time) error {
	client := g.Client(r)
	wait := g.Reads.Take(client, now)
	if wait == 0 && r.Method == http.MethodPost {
		wait = g.Writes.Take(client, now)
	}
	return RateLimitError(wait)
}

// RateLimitError returns the error for a client that has to wait, or nil if wait is 0.
func RateLimitError(wait time.Duration) error {
	if wait == 0 {
		return nil
	}
	return slotd.NewError(slotd.RateLimited, slotd.Facts{RetryAfter: wait})
}

// Recover recovers from a panic, logs the stack and calls fail, so that the visitor gets a page. Defer it.
func (g *Guard) Recover(r *http.Request, fail func(error)) {
	if p := recover(); p != nil {
		g.Log.Error("a page panicked", "route", r.Pattern, "panic", p, "stack", string(debug.Stack()))
		fail(errors.New("panic"))
	}
}

// Error returns err if it has a code. It logs any other error and returns an internal one with the id of the log entry.
func (g *Guard) Error(r *http.Request, err error) *slotd.Error {
	var e *slotd.Error
	if errors.As(err, &e) {
		return e
	}
	e = slotd.NewError(slotd.Internal, slotd.Facts{ID: rand.Text()[:10]})
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		g.Log.Debug("the client went away", "id", e.ID)
	} else {
		g.Log.Error("a page broke", "route", r.Pattern, "id", e.ID, "error", err)
	}
	return e
}

// ErrAnswered means that the response is already sent.
var ErrAnswered = errors.New("answered")

// ErrorPage is the page for an error code.
type ErrorPage struct {
	Status  int
	Title   say.Sentence
	Message say.Sentence
}

// FormError is the error page for a posted body that is not a form.
type FormError struct{ ErrorPage }

func (e *FormError) Error() string { return e.Title.String() }

// ReadForm reads a posted form of at most maxBytes. The error is a *FormError or has a code.
func ReadForm(w http.ResponseWriter, r *http.Request, maxBytes int64) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return &FormError{ErrorPage{http.StatusUnsupportedMediaType, "This form can't be read",
			"Please open the page again and try once more."}}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBytes)
	if err := r.ParseForm(); err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return &FormError{ErrorPage{http.StatusRequestEntityTooLarge, "This is too long",
				"Please go back and shorten what you typed."}}
		}
		return fmt.Errorf("%w: %w", slotd.NewError(slotd.InvalidArgument, slotd.Facts{}), err)
	}
	return nil
}
