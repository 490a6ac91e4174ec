package pay

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

// IsMissing reports whether Stripe does not know what it was asked about.
func IsMissing(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// trouble takes from a library's error what may be told. A server may repeat what it was sent, the key too.
func (c *Client) trouble(doing string, err error) error {
	var said *stripe.Error
	if !errors.As(err, &said) {
		return &Error{doing: doing, reason: "Stripe does not answer: " + c.hide(err.Error())}
	}
	reason := said.Msg
	if reason == "" {
		reason = fmt.Sprintf("Stripe answers %d", said.HTTPStatusCode)
	}
	return &Error{doing: doing, reason: c.hide(reason), Status: said.HTTPStatusCode}
}

func (c *Client) hide(text string) string {
	const most = 300
	text = strings.ReplaceAll(text, c.secret, "(key)")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
