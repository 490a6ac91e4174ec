package public

import (
	"errors"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/lib/limit"
	"slotd/internal/web/kit"
)

// errorPages has a page for every error code.
var errorPages = map[slotd.Code]kit.ErrorPage{
	slotd.InvalidArgument: {Status: http.StatusBadRequest, Title: "This link doesn't work",
		Message: "Something in the link or the form can't be read. Please reload the page and try again."},
	slotd.Unauthorized: {Status: http.StatusForbidden, Title: "You can't open this page",
		Message: "Please use the link you were sent."},
	slotd.WorkspaceNotFound: {Status: http.StatusNotFound, Title: "Page not found",
		Message: "Please check the address, or ask the person who sent it to you."},
	slotd.EventTypeNotFound: {Status: http.StatusNotFound, Title: "This can't be booked",
		Message: "It doesn't exist or is no longer offered."},
	slotd.BookingNotFound: {Status: http.StatusNotFound, Title: "Booking not found",
		Message: "The link is incomplete, or the booking ended long ago. Please open the link from your email again."},
	slotd.SlotUnavailable: {Status: http.StatusConflict, Title: "This time is no longer available",
		Message: "Please choose another time."},
	slotd.PaymentRequired: {Status: http.StatusPaymentRequired, Title: "This can't be booked online yet",
		Message: "It has a price, but payments aren't set up. Please contact your host."},
	slotd.BookingCanceled: {Status: http.StatusConflict, Title: "This booking was canceled",
		Message: "It can no longer be changed."},
	slotd.BookingPast: {Status: http.StatusConflict, Title: "This booking is over",
		Message: "It can no longer be changed."},
	slotd.CalendarUnavailable: {Status: http.StatusServiceUnavailable,
		Title:   "The host's calendar can't be reached right now",
		Message: "We can't show available times until it can. Please try again in a few minutes."},
	slotd.RateLimited: {Status: http.StatusTooManyRequests, Title: "Too many requests",
		Message: "Please wait a moment and try again."},
	slotd.Internal: {Status: http.StatusInternalServerError, Title: "Something went wrong",
		Message: "Please try again. If it happens again, report it with this number: {id}"},
}

// messageContent is a page with one message.
type messageContent struct {
	Title, Message, Home string
	Retry                string // link to try the same again; may be empty
	Owners               string // link for owners; may be empty
}

// status returns the HTTP status for the error's code and sets Retry-After if it has one.
func (v *visit) status(e *slotd.Error) int {
	if e.Code == slotd.RateLimited {
		v.w.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(e.RetryAfter)))
	}
	return errorPages[e.Code].Status
}

// fail shows an error page.
func (v *visit) fail(err error) {
	var form *kit.FormError
	if errors.As(err, &form) {
		v.showMessage(form.Status, form.Title.String(), form.Message.String())
		return
	}
	if err == kit.ErrAnswered {
		return
	}
	e := v.Guard.Error(v.r, err)
	page := errorPages[e.Code]
	retry := ""
	if e.Code == slotd.CalendarUnavailable && v.r.Method == http.MethodGet {
		retry = v.r.URL.RequestURI()
	}
	v.showMessageContent(v.status(e), messageContent{Title: page.Title.String(), Message: e.Fill(page.Message), Retry: retry})
}

// showMessage shows a page with one message.
func (v *visit) showMessage(status int, title, message string) {
	v.showMessageContent(status, messageContent{Title: title, Message: message})
}

func (v *visit) showMessageContent(status int, c messageContent) {
	page := v.blank()
	c.Home = page.Home
	page.Title, page.Content = c.Title, c
	if err := v.show(status, "message", page); err != nil {
		v.Log.Error("the page that says what went wrong broke", "error", err)
		http.Error(v.w, c.Title, status)
	}
}
