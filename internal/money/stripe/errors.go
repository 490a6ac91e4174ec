package stripe

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v86"
)

// Error is why Stripe did not do what it was asked. Its text is for the owner and holds no key.
type Error struct {
	doing  string
	reason string
	Status int // 0: there was no answer
}

func (e *Error) Error() string { return e.doing + ": " + e.reason }

// Final reports whether another try, with nothing changed, would fare the same.
func (e *Error) Final() bool {
	switch e.Status {
	case 0, http.StatusTooManyRequests, http.StatusConflict, http.StatusRequestTimeout:
		return false
	}
	return e.Status < 500
}

// IsFinal is Final for any error.
func IsFinal(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Final()
}

// IsRefused reports whether Stripe does not like what it was sent.
func IsRefused(err error) bool { return hasStatus(err, http.StatusBadRequest) }

// IsUnderWay reports whether the same request is being answered at this moment.
func IsInProgress(err error) bool { return hasStatus(err, http.StatusConflict) }

// IsMissing reports whether Stripe does not know what it was asked about.
func IsMissing(err error) bool { return hasStatus(err, http.StatusNotFound) }

func hasStatus(err error, status int) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == status
}

// trouble takes from a library's error what may be told. A server may repeat what it was sent, the key too.
func (c *Client) trouble(doing string, err error, private ...string) error {
	var said *stripe.Error
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return &Error{doing: doing, reason: "Stripe's answer does not end"}
	case !errors.As(err, &said):
		return &Error{doing: doing, reason: "Stripe does not answer: " + c.hide(err.Error(), private)}
	}
	reason := said.Msg
	if reason == "" {
		reason = fmt.Sprintf("Stripe answers %d", said.HTTPStatusCode)
	}
	return &Error{doing: doing, reason: c.hide(reason, private), Status: said.HTTPStatusCode}
}

// hide ends a text where the key begins in it, or something else that is not to be told. Of the key it looks for
// the beginning alone: whoever repeats it may have cut it short.
func (c *Client) hide(text string, private []string) string {
	for _, p := range append(private, c.secret[:min(len(c.secret), 16)]) {
		if at := strings.Index(text, p); p != "" && at >= 0 {
			text = text[:at] + "(hidden)"
		}
	}
	return short(text)
}

// short is for texts that others have a hand in.
func short(text string) string {
	const most = 300
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
