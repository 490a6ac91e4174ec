package page

import (
	"errors"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/lib/limit"
	"slotd/internal/web/kit"
)

// errorPages has a page for every error code. An empty message means that the error's own message is shown.
var errorPages = map[slotd.Code]kit.ErrorPage{
	slotd.InvalidArgument: {Status: http.StatusBadRequest, Title: "This cannot be done", Message: ""},
	slotd.Unauthorized:    {Status: http.StatusForbidden, Title: "This is not open to you", Message: ""},
	slotd.WorkspaceNotFound: {Status: http.StatusNotFound, Title: "There is no such page",
		Message: "It may have been deleted. The menu shows what there is."},
	slotd.EventTypeNotFound: {Status: http.StatusNotFound, Title: "There is no such event type",
		Message: "It may have been deleted."},
	slotd.BookingNotFound: {Status: http.StatusNotFound, Title: "There is no such booking",
		Message: "It may be another workspace's. The menu shows which one you look at."},
	slotd.SlotUnavailable: {Status: http.StatusConflict, Title: "This time is not open", Message: ""},
	slotd.PaymentRequired: {Status: http.StatusPaymentRequired, Title: "This has to be paid for", Message: ""},
	slotd.BookingCanceled: {Status: http.StatusConflict, Title: "This booking was canceled",
		Message: "It cannot be changed any more."},
	slotd.BookingPast: {Status: http.StatusConflict, Title: "This booking is over",
		Message: "It cannot be changed any more."},
	slotd.CalendarUnavailable: {Status: http.StatusServiceUnavailable, Title: "A calendar cannot be read at the moment",
		Message: "Nobody knows which times are open until it can. The page Calendars says what is wrong."},
	slotd.RateLimited: {Status: http.StatusTooManyRequests, Title: "Too many tries",
		Message: "Please wait a moment and try again."},
	slotd.Internal: {Status: http.StatusInternalServerError, Title: "Something went wrong here",
		Message: "Please try again. If it happens again, look for this number in the server's log: "},
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
		v.Message(form.Status, form.Title, form.Message)
		return
	}
	if err == kit.ErrAnswered {
		return
	}
	e := v.Guard.Error(v.R, err)
	if e.Code == slotd.RateLimited {
		v.W.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(e.RetryAfter)))
	}
	p := errorPages[e.Code]
	if p.Message == "" {
		p.Message = e.Message
	}
	v.Message(p.Status, p.Title, p.Message+e.ID)
}

// Message answers with a page that shows one message, and ends the visit.
func (v *Visit) Message(status int, title, message string) error {
	c := MessageContent{Title: title, Message: message, Link: "/settings", Text: "Go to the settings"}
	if v.Session == nil {
		c.Link, c.Text = "/login", "Sign in"
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
	if !slotd.Is(err, slotd.Unauthorized) {
		return err
	}
	return v.Message(http.StatusForbidden, "This link does not work", ErrorText(err))
}

// WorkspaceLink is one of the owner's workspaces in a list.
type WorkspaceLink struct{ Slug, Name string }
