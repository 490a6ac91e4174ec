package feed

import (
	"errors"
	"fmt"
	"net/http"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

const retryNote = "It is tried again by itself; if that does not help for long, ask who runs it."

var errAddress = calendar.Errorf(calendar.Unusable,
	"the calendar's address is none that can be read: connect it again, by the address "+
		"beginning with https, http or webcal that your calendar offers as ICS or iCal")

// errorf returns an error with a sentence about the server.
func (f *Feed) errorf(kind calendar.Kind, format string, args ...any) *calendar.Error {
	return calendar.Errorf(kind, "%s %s", safehttp.Host(f.address), fmt.Sprintf(format, args...))
}

// requestError returns a temporary error only if the network failed. A forbidden address, or a redirect that is not
// followed, stays an error until somebody changes something.
func requestError(err error) *calendar.Error {
	var failure *safehttp.Failure
	if errors.As(err, &failure) {
		return calendar.Errorf(calendar.Unreachable, "%v. %s", failure, retryNote)
	}
	return calendar.Errorf(calendar.Unusable, "%v", err)
}

func (f *Feed) statusError(answer *http.Response) *calendar.Error {
	kind, format := f.explain(answer.StatusCode)
	e := f.errorf(kind, format, answer.StatusCode)
	e.RetryAfter = safehttp.RetryAfter(answer.Header)
	return e
}

// explain returns a format with a verb for the status.
func (f *Feed) explain(status int) (kind calendar.Kind, format string) {
	switch {
	case (status == http.StatusUnauthorized || status == http.StatusForbidden) && f.username != "":
		return calendar.Refused, "does not accept the user name and the password (%d): connect the calendar again " +
			"with the right ones"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return calendar.Refused, "does not show the calendar without a user name and a password (%d): connect it " +
			"again with them, or by its secret address"
	case status == http.StatusNotFound || status == http.StatusGone:
		return calendar.Unusable, "has no calendar at this address (%d): copy the address from your calendar's " +
			"settings again, and connect it anew"
	case status == http.StatusTooManyRequests:
		return calendar.Unreachable, "asks to be read less often (%d): it is read again later, there is nothing to do"
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status >= 500:
		return calendar.Unreachable, "has a problem of its own (%d). " + retryNote
	case status == http.StatusNotModified:
		return calendar.Unusable, "says that its calendar is as before, though it was not asked that (%d): ask who " +
			"runs it"
	}
	return calendar.Unusable, "does not send the whole calendar (%d): check that the address is the one that your " +
		"calendar offers as ICS or iCal"
}
