package stripe

import (
	"errors"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v86"

	"slotd/internal/lib/say"
)

// Error says why Stripe did not do what it was asked. Its text is for the owner and contains no key.
type Error struct {
	action say.Sentence
	reason string
	Status int // 0: there was no answer
}

func (e *Error) Error() string { return e.action.String() + ": " + e.reason }

// Final reports whether another try, with nothing changed, would fail too.
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

// IsRefused reports whether Stripe rejected the request as invalid.
func IsRefused(err error) bool { return hasStatus(err, http.StatusBadRequest) }

// IsInProgress reports whether Stripe is still handling the same request.
func IsInProgress(err error) bool { return hasStatus(err, http.StatusConflict) }

// IsMissing reports whether Stripe does not know the object.
func IsMissing(err error) bool { return hasStatus(err, http.StatusNotFound) }

func hasStatus(err error, status int) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == status
}

// newError takes from a library error what may be shown. A server may repeat what it was sent, including the key.
func (c *Client) newError(action say.Sentence, err error, secrets ...string) error {
	var apiErr *stripe.Error
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return &Error{action: action, reason: say.T("Stripe's answer is too long")}
	case !errors.As(err, &apiErr):
		return &Error{action: action, reason: say.T("Stripe doesn't answer: %s", c.redact(err.Error(), secrets))}
	}
	reason := apiErr.Msg
	if reason == "" {
		reason = say.T("Stripe answered %d", apiErr.HTTPStatusCode)
	}
	return &Error{action: action, reason: c.redact(reason, secrets), Status: apiErr.HTTPStatusCode}
}

// redact cuts a text where the key or another secret starts in it. It looks only for the beginning of the key,
// because whoever repeats it may have cut it short.
func (c *Client) redact(text string, secrets []string) string {
	for _, p := range append(secrets, c.secret[:min(len(c.secret), 16)]) {
		if at := strings.Index(text, p); p != "" && at >= 0 {
			text = text[:at] + "(hidden)"
		}
	}
	return truncate(text)
}

// truncate bounds texts that others may have written.
func truncate(text string) string {
	const maxLen = 300
	if len(text) > maxLen {
		text = strings.ToValidUTF8(text[:maxLen], "") + "…"
	}
	return text
}
