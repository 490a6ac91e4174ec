package page

import (
	"errors"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
)

// errorPages has a page for every error code. An error with a reason has a message of its own instead.
var errorPages = map[slotd.Code]kit.ErrorPage{
	slotd.InvalidArgument: {Status: http.StatusBadRequest, Title: "This can't be done",
		Message: "Please reload the page and try again."},
	slotd.Unauthorized: {Status: http.StatusForbidden, Title: "You can't open this page",
		Message: "Please sign in."},
	slotd.WorkspaceNotFound: {Status: http.StatusNotFound, Title: "Page not found",
		Message: "It may have been deleted."},
	slotd.EventTypeNotFound: {Status: http.StatusNotFound, Title: "Event type not found",
		Message: "It may have been deleted."},
	slotd.BookingNotFound: {Status: http.StatusNotFound, Title: "Booking not found",
		Message: "It may belong to another of your workspaces."},
	slotd.SlotUnavailable: {Status: http.StatusConflict, Title: "This time is no longer available",
		Message: "Please choose another time."},
	slotd.PaymentRequired: {Status: http.StatusPaymentRequired, Title: "This has to be paid for",
		Message: "Guests book and pay for it on its booking page."},
	slotd.BookingCanceled: {Status: http.StatusConflict, Title: "This booking was canceled",
		Message: "It can no longer be changed."},
	slotd.BookingPast: {Status: http.StatusConflict, Title: "This booking is over",
		Message: "It can no longer be changed."},
	slotd.CalendarUnavailable: {Status: http.StatusServiceUnavailable, Title: "A calendar can't be reached right now",
		Message: "Bookings are paused until it can. Calendars shows what is wrong."},
	slotd.RateLimited: {Status: http.StatusTooManyRequests, Title: "Too many attempts",
		Message: "Please wait a moment and try again."},
	slotd.Internal: {Status: http.StatusInternalServerError, Title: "Something went wrong",
		Message: "Please try again. If it happens again, look for this number in the server's log: {id}"},
}

// MessageContent is a page with a single message and a link to continue.
type MessageContent struct {
	Title, Message string
	Link, Text     string         // of the button; empty: no button
	NewWindow      bool           // the link opens a new window, so that what was typed stays in this one
	Back           *WorkspaceLink // the workspace that the owner can switch back to; nil: none
}

// fail shows the page for an error.
func (v *Visit) fail(err error) {
	var form *kit.FormError
	if errors.As(err, &form) {
		v.Message(form.Status, form.Title.String(), form.Message.String())
		return
	}
	if err == kit.ErrAnswered {
		return
	}
	if r := (*Refusal)(nil); errors.As(err, &r) {
		v.Message(errorPages[r.Code].Status, errorPages[r.Code].Title.String(), r.Sentence)
		return
	}
	e := v.Guard.Error(v.R, err)
	if e.Code == slotd.RateLimited {
		v.W.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(e.RetryAfter)))
	}
	v.Message(errorPages[e.Code].Status, errorPages[e.Code].Title.String(), ErrorText(e))
}

// Message answers with a page that shows one message, and ends the visit.
func (v *Visit) Message(status int, title, message string) error {
	c := MessageContent{Title: title, Message: message, Link: "/settings", Text: say.T("Go to settings")}
	if v.Session == nil {
		c.Link, c.Text = "/login", say.T("Sign in")
	}
	return v.ShowMessage(status, c)
}

// ShowMessage is like Message, but lets the caller choose the link.
func (v *Visit) ShowMessage(status int, c MessageContent) error {
	if err := v.show(ownView, status, "message", c.Title, c); err != nil {
		v.Log.Error("the page that says what went wrong broke", "error", err)
		http.Error(v.W, c.Title, status)
	}
	return kit.ErrAnswered
}

// DeadLink tells visitors whose link does not work how to get another one. It returns other errors unchanged.
func (v *Visit) DeadLink(err error) error {
	if CodeOf(err) != slotd.Unauthorized {
		return err
	}
	return v.Message(http.StatusForbidden, say.T("This link doesn't work"), ErrorText(err))
}

// WorkspaceLink is one of the owner's workspaces in a list.
type WorkspaceLink struct{ Slug, Name string }
