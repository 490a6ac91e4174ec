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

// refusal is an answer other than the one that was asked for. Callers outside see the calendar.Error in it.
type refusal struct {
	status int
	why    *calendar.Error
}

func (r *refusal) Error() string { return r.why.Message }
func (r *refusal) Unwrap() error { return r.why }

func statusOf(err error) int {
	var r *refusal
	if errors.As(err, &r) {
		return r.status
	}
	return 0
}

// refusesTheAsker is true of a refusal that any other question would meet too.
func refusesTheAsker(err error) bool {
	switch statusOf(err) {
	case http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	}
	return false
}

// refusesTheQuestion is true if another question may get an answer. Servers have many statuses for that, 500 too.
func refusesTheQuestion(err error) bool { return statusOf(err) != 0 && !refusesTheAsker(err) }

const noCalendar = " has no calendar at this address: look its address up and connect it again."

// refusal makes a sentence of an answer's status.
func (d *dav) refusal(answer *http.Response) error {
	status := answer.StatusCode
	switch {
	case status == http.StatusUnauthorized:
		return d.refused(status, calendar.Refused, d.whyUnauthorized(answer))
	case status == http.StatusForbidden:
		return d.refused(status, calendar.Refused,
			" does not let this user do that: check there what the user may do with the calendar.")
	case status == http.StatusNotFound || status == http.StatusGone:
		return d.refused(status, calendar.Unusable, noCalendar)
	case status == http.StatusTooManyRequests || status/100 == 5:
		r := d.refused(status, calendar.Unreachable,
			" is in trouble or asks for a pause (HTTP "+strconv.Itoa(status)+"): this is tried again by itself.")
		r.why.RetryAfter = safehttp.RetryAfter(answer.Header)
		return r
	}
	return d.noDAV(status)
}

func (d *dav) refused(status int, kind calendar.Kind, what string) *refusal {
	return &refusal{status, calendar.Errorf(kind, "%s%s", d.host(), what)}
}

// noDAV is about an answer that a CalDAV server would not give, a web page most of all.
func (d *dav) noDAV(status int) *refusal {
	return d.refused(status, calendar.Unusable,
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

// unreached is about a request without an answer. It passes by itself only if the network is to blame.
func (d *dav) unreached(err error) error {
	var failure *safehttp.Failure
	if errors.As(err, &failure) {
		return calendar.Errorf(calendar.Unreachable, "%v: this is tried again by itself.", failure)
	}
	return calendar.Errorf(calendar.Unusable, "%v.", err)
}

func (d *dav) tooSlow() error {
	return calendar.Errorf(calendar.Unreachable, "%s did not answer in time: this is tried again by itself.", d.host())
}

func isTimeout(err error) bool {
	var timed net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.As(err, &timed) &&
		timed.Timeout()
}

// unusable are what no other try mends.
var unusable = []error{errTooMany, errHostile, errNoAnswer, errLarge, errLong}

// unread is about an answer that began as the right one.
func (d *dav) unread(err error) error {
	var ours *calendar.Error
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &ours):
		return err
	case isTimeout(err):
		return d.tooSlow()
	case errors.Is(err, safehttp.ErrTooLarge):
		return calendar.Errorf(calendar.Unusable,
			"%s sends more than is read of one calendar: connect one that leaves out old events.", d.host())
	case slices.ContainsFunc(unusable, func(known error) bool { return errors.Is(err, known) }):
		return calendar.Errorf(calendar.Unusable, "%s cannot be read: %v.", d.host(), err)
	case errors.As(err, &syntax):
		return calendar.Errorf(calendar.Unusable, "%s cannot be read: its answer is damaged XML.", d.host())
	}
	return calendar.Errorf(calendar.Unreachable, "the answer of %s breaks off: this is tried again by itself.",
		d.host())
}

// unwell is about an answer that says of a resource that it cannot be shown.
func (d *dav) unwell(r *response) error {
	if r.gone() {
		return d.refused(r.status(), calendar.Unusable, noCalendar)
	}
	return calendar.Errorf(calendar.Unreachable, "%s cannot show all that it lists: this is tried again by itself.",
		d.host())
}
