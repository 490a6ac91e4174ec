package public

import (
	"errors"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/lib/limit"
	"slotd/internal/web/kit"
)

// errorPages has a page for every error code. The messages of the errors themselves are written for agents.
var errorPages = map[slotd.Code]kit.ErrorPage{
	slotd.InvalidArgument: {Status: http.StatusBadRequest, Title: "This address is not right",
		Message: "Something in the link or the form cannot be read. Please open the page anew and try again."},
	slotd.Unauthorized: {Status: http.StatusForbidden, Title: "This is not yours to open",
		Message: "Please use the link that you were sent."},
	slotd.WorkspaceNotFound: {Status: http.StatusNotFound, Title: "There is no such page",
		Message: "Please check the address, or ask whoever sent it to you."},
	slotd.EventTypeNotFound: {Status: http.StatusNotFound, Title: "This cannot be booked",
		Message: "It does not exist, or it is no longer offered."},
	slotd.BookingNotFound: {Status: http.StatusNotFound, Title: "There is no such booking",
		Message: "The link is not complete, or the booking is long over. Please open it from your mail once more."},
	slotd.SlotUnavailable: {Status: http.StatusConflict, Title: "This time is no longer open",
		Message: "Please choose another one."},
	slotd.PaymentRequired: {Status: http.StatusPaymentRequired, Title: "This cannot be booked online yet",
		Message: "It has a price, and payments are not set up here. Please ask your host."},
	slotd.BookingCanceled: {Status: http.StatusConflict, Title: "This booking was canceled",
		Message: "It cannot be changed any more."},
	slotd.BookingPast: {Status: http.StatusConflict, Title: "This booking is over",
		Message: "It cannot be changed any more."},
	slotd.CalendarUnavailable: {Status: http.StatusServiceUnavailable,
		Title:   "The calendar cannot be read at the moment",
		Message: "It is not known which times are open until it can. Please try again in a few minutes."},
	slotd.RateLimited: {Status: http.StatusTooManyRequests, Title: "Too many requests",
		Message: "Please wait a moment and try again."},
	slotd.Internal: {Status: http.StatusInternalServerError, Title: "Something went wrong here",
		Message: "Please try again. If it happens again, report it with this number: "},
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
		v.showMessage(form.Status, form.Title, form.Message)
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
	v.showMessageContent(v.status(e), messageContent{Title: page.Title, Message: page.Message + e.ID, Retry: retry})
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
