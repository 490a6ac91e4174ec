package kit

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"slotd"
	"slotd/internal/lib/limit"
)

// Guard is what every request to a page passes first: the limits of its client, and the log for what breaks.
type Guard struct {
	Reads   *limit.Limiter[netip.Addr] // of everything; nil: no limit, as below
	Writes  *limit.Limiter[netip.Addr] // of what is posted
	Proxies limit.Proxies
	Log     *slog.Logger
}

// Client returns the address that limits count: an IPv6 network counts as one.
func (g *Guard) Client(r *http.Request) netip.Addr { return limit.Key(g.Proxies.Client(r)) }

// Count takes one from the client's share of reads, and of writes where something is posted.
func (g *Guard) Count(r *http.Request, now time.Time) error {
	client := g.Client(r)
	wait := g.Reads.Take(client, now)
	if wait == 0 && r.Method == http.MethodPost {
		wait = g.Writes.Take(client, now)
	}
	return TooMany(wait)
}

// TooMany returns the error for a client that has to wait; nil if it has not.
func TooMany(wait time.Duration) error {
	if wait == 0 {
		return nil
	}
	no := slotd.Errorf(slotd.RateLimited, "Too many requests.")
	no.RetryAfter = wait
	return no
}

// Rescue turns a panic into a page, so that the visitor gets an answer and the log a stack. Defer it.
func (g *Guard) Rescue(r *http.Request, fail func(error)) {
	if p := recover(); p != nil {
		g.Log.Error("a page panicked", "route", r.Pattern, "panic", p, "stack", string(debug.Stack()))
		fail(errors.New("panic"))
	}
}

// Error returns err if it has a code. Any other error goes to the log, and the visitor gets its id instead.
func (g *Guard) Error(r *http.Request, err error) *slotd.Error {
	var e *slotd.Error
	if errors.As(err, &e) {
		return e
	}
	e = &slotd.Error{Code: slotd.Internal, ID: rand.Text()[:10]}
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		g.Log.Debug("the client went away", "id", e.ID)
	} else {
		g.Log.Error("a page broke", "route", r.Pattern, "id", e.ID, "error", err)
	}
	return e
}

// ErrAnswered means that the visitor has got a page already.
var ErrAnswered = errors.New("answered")

// ErrorPage is how pages show an error code.
type ErrorPage struct {
	Status  int
	Title   string
	Message string // empty: the error's own
}

// FormError says why a posted body is no form, as a page of its own.
type FormError struct{ ErrorPage }

func (e *FormError) Error() string { return e.Title }

// ReadForm reads a posted form of at most so many bytes. The error is a *FormError, or has a code.
func ReadForm(w http.ResponseWriter, r *http.Request, maxBytes int64) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return &FormError{ErrorPage{http.StatusUnsupportedMediaType, "This is no form of ours",
			"Please open the page anew and try again."}}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBytes)
	if err := r.ParseForm(); err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return &FormError{ErrorPage{http.StatusRequestEntityTooLarge, "This is too long",
				"Please go back and shorten what you typed."}}
		}
		return slotd.Errorf(slotd.InvalidArgument, "The form cannot be read: %v", err)
	}
	return nil
}
