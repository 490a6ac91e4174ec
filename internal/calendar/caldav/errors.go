package caldav

import (
	"context"
	"encoding/xml"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
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

const noCalendarText = " has no calendar at this address: look its address up and connect it again."

// statusError returns an error with a sentence for the response's status.
func (d *dav) statusError(answer *http.Response) error {
	status := answer.StatusCode
	switch {
	case status == http.StatusUnauthorized:
		return d.newStatusError(status, calendar.Refused, d.whyUnauthorized(answer))
	case status == http.StatusForbidden:
		return d.newStatusError(status, calendar.Refused,
			" does not let this user do that: check there what the user may do with the calendar.")
	case status == http.StatusNotFound || status == http.StatusGone:
		return d.newStatusError(status, calendar.Unusable, noCalendarText)
	case status == http.StatusTooManyRequests || status/100 == 5:
		r := d.newStatusError(status, calendar.Unreachable,
			" is in trouble or asks for a pause (HTTP "+strconv.Itoa(status)+"): this is tried again by itself.")
		r.err.RetryAfter = safehttp.RetryAfter(answer.Header)
		return r
	}
	return d.notDAVError(status)
}

func (d *dav) newStatusError(status int, kind calendar.Kind, text string) *statusError {
	return &statusError{status, calendar.Errorf(kind, "%s%s", d.host(), text)}
}

// notDAVError is for a response that a CalDAV server would not send, typically a web page.
func (d *dav) notDAVError(status int) *statusError {
	return d.newStatusError(status, calendar.Unusable,
		" does not answer as a CalDAV server at this address (HTTP "+strconv.Itoa(status)+"): check the address.")
}

func (d *dav) whyUnauthorized(answer *http.Response) string {
	offered := answer.Header.Values("WWW-Authenticate")
	for _, scheme := range offered {
		if strings.Contains(strings.ToLower(scheme), "basic") {
			offered = nil
		}
	}
	if len(offered) > 0 {
		return " does not accept a password by Basic authentication, and it is sent in no other way: use an address " +
			"that does, or an app password."
	}
	return " does not accept the user name or the password: enter them again; with two-factor sign-in, make an app " +
		"password there."
}

// requestError is for a request without a response. The error is temporary only if the network failed.
func (d *dav) requestError(err error) error {
	var failure *safehttp.Failure
	if errors.As(err, &failure) {
		return calendar.Errorf(calendar.Unreachable, "%v: this is tried again by itself.", failure)
	}
	return calendar.Errorf(calendar.Unusable, "%v.", err)
}

func (d *dav) timeoutError() error {
	return calendar.Errorf(calendar.Unreachable, "%s did not answer in time: this is tried again by itself.", d.host())
}

func isTimeout(err error) bool {
	var netErr net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.As(err, &netErr) &&
		netErr.Timeout()
}

// permanentErrors are errors that a retry cannot fix.
var permanentErrors = []error{errTooMany, errBadXML, errNotMultistatus, errTooLarge, errNameTooLong}

// readError is for a response that began correctly.
func (d *dav) readError(err error) error {
	var calErr *calendar.Error
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &calErr):
		return err
	case isTimeout(err):
		return d.timeoutError()
	case errors.Is(err, safehttp.ErrTooLarge):
		return calendar.Errorf(calendar.Unusable,
			"%s sends more than is read of one calendar: connect one that leaves out old events.", d.host())
	case slices.ContainsFunc(permanentErrors, func(known error) bool { return errors.Is(err, known) }):
		return calendar.Errorf(calendar.Unusable, "%s cannot be read: %v.", d.host(), err)
	case errors.As(err, &syntax):
		return calendar.Errorf(calendar.Unusable, "%s cannot be read: its answer is damaged XML.", d.host())
	}
	return calendar.Errorf(calendar.Unreachable, "the answer of %s breaks off: this is tried again by itself.",
		d.host())
}

// resourceError is for a response element that reports a resource as unavailable.
func (d *dav) resourceError(r *response) error {
	if r.isGone() {
		return d.newStatusError(r.status(), calendar.Unusable, noCalendarText)
	}
	return calendar.Errorf(calendar.Unreachable, "%s cannot show all that it lists: this is tried again by itself.",
		d.host())
}
