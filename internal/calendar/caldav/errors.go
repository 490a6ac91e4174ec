package caldav

import (
	"context"
	"encoding/xml"
	"errors"
	"net"
	"net/http"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
)

// statusError is an unexpected HTTP status. Callers outside of this package see the calendar.Error in it.
type statusError struct {
	status int
	err    *calendar.Error
}

func (r *statusError) Error() string { return r.err.Message }
func (r *statusError) Unwrap() error { return r.err }

func statusOf(err error) int {
	var r *statusError
	if errors.As(err, &r) {
		return r.status
	}
	return 0
}

// isClientRejected reports whether the server would reject any other request too.
func isClientRejected(err error) bool {
	switch statusOf(err) {
	case http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	}
	return false
}

// isRequestRejected reports whether another request may succeed. Servers use many statuses for that, even 500.
func isRequestRejected(err error) bool { return statusOf(err) != 0 && !isClientRejected(err) }

// statusError returns an error with a sentence for the response's status.
func (d *dav) statusError(answer *http.Response) error {
	status := answer.StatusCode
	switch {
	case status == http.StatusUnauthorized:
		return &statusError{status, d.unauthorizedError(answer)}
	case status == http.StatusForbidden:
		return &statusError{status, calendar.Errorf(calendar.Refused, "%s doesn't allow this user to do that.", d.host()).
			Advise(calendar.CheckAccess)}
	case status == http.StatusNotFound || status == http.StatusGone:
		return d.noCalendarError(status)
	case status == http.StatusTooManyRequests || status/100 == 5:
		e := calendar.Errorf(calendar.Unreachable, "%s is having problems or asks for a pause (HTTP %d).", d.host(), status).
			Advise(calendar.Wait)
		e.RetryAfter = safehttp.RetryAfter(answer.Header)
		return &statusError{status, e}
	}
	return d.notDAVError(status)
}

func (d *dav) noCalendarError(status int) *statusError {
	return &statusError{status, calendar.Errorf(calendar.Unusable, "%s has no calendar at this address.", d.host()).
		Advise(calendar.CheckAddress)}
}

// notDAVError is for a response that a CalDAV server would not send, typically a web page.
func (d *dav) notDAVError(status int) *statusError {
	return &statusError{status, calendar.Errorf(calendar.Unusable,
		"%s doesn't respond like a CalDAV server at this address (HTTP %d).", d.host(), status).
		Advise(calendar.CheckAddress)}
}

func (d *dav) unauthorizedError(answer *http.Response) *calendar.Error {
	offered := answer.Header.Values("WWW-Authenticate")
	for _, scheme := range offered {
		if strings.Contains(strings.ToLower(scheme), "basic") {
			offered = nil
		}
	}
	if len(offered) > 0 {
		return calendar.Errorf(calendar.Refused,
			"%s doesn't accept passwords by Basic authentication, the only way they are sent.", d.host()).
			Advise(calendar.CheckPassword)
	}
	return calendar.Errorf(calendar.Refused, "%s doesn't accept the user name or password.", d.host()).
		Advise(calendar.CheckPassword)
}

func (d *dav) timeoutError() error {
	return calendar.Errorf(calendar.Unreachable, "%s didn't respond in time.", d.host()).Advise(calendar.Wait)
}

func isTimeout(err error) bool {
	var netErr net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.As(err, &netErr) &&
		netErr.Timeout()
}

// permanentErrors are errors that a retry cannot fix, with what the owner reads about them.
var permanentErrors = []struct {
	err      error
	sentence say.Sentence // with the host
	advice   calendar.Advice
}{
	{safehttp.ErrTooLarge, "%s sends more than can be read of one calendar.", calendar.ReduceEvents},
	{errTooMany, "The calendar on %s has more than 20,000 items.", calendar.ReduceEvents},
	{errBadXML, "%s sends XML that no calendar needs.", calendar.AskProvider},
	{errNotMultistatus, "%s sends something other than a list of calendar items.", calendar.AskProvider},
	{errTooLarge, "%s sends more than 1 MiB about one item.", calendar.CorrectEvent},
	{errNameTooLong, "%s sends a name or version of an item with more than 1,024 characters.", calendar.AskProvider},
}

// readError is for a response that began correctly.
func (d *dav) readError(err error) error {
	var calErr *calendar.Error
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &calErr):
		return err
	case isTimeout(err):
		return d.timeoutError()
	}
	for _, known := range permanentErrors {
		if errors.Is(err, known.err) {
			return calendar.Errorf(calendar.Unusable, known.sentence, d.host()).Advise(known.advice)
		}
	}
	if errors.As(err, &syntax) {
		return calendar.Errorf(calendar.Unusable, "%s sends damaged XML.", d.host()).Advise(calendar.AskProvider)
	}
	return calendar.Errorf(calendar.Unreachable, "The answer of %s breaks off.", d.host()).Advise(calendar.Wait)
}

// resourceError is for a response element that reports a resource as unavailable.
func (d *dav) resourceError(r *response) error {
	if r.isGone() {
		return d.noCalendarError(r.status())
	}
	return calendar.Errorf(calendar.Unreachable, "%s can't show all the items that it lists.", d.host()).
		Advise(calendar.Wait)
}
