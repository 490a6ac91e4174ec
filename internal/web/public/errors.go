package public

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/lib/limit"
)

// apology is how a page says that something did not work.
type errorPage struct {
	status         int
	title, message string
}

// apologies has a page for every code. The messages of the codes themselves speak to agents.
var errorPages = map[slotd.Code]errorPage{
	slotd.InvalidArgument: {http.StatusBadRequest, "This address is not right",
		"Something in the link or the form cannot be read. Please open the page anew and try again."},
	slotd.Unauthorized: {http.StatusForbidden, "This is not yours to open",
		"Please use the link that you were sent."},
	slotd.WorkspaceNotFound: {http.StatusNotFound, "There is no such page",
		"Please check the address, or ask whoever sent it to you."},
	slotd.EventTypeNotFound: {http.StatusNotFound, "This cannot be booked",
		"It does not exist, or it is no longer offered."},
	slotd.BookingNotFound: {http.StatusNotFound, "There is no such booking",
		"The link is not complete, or the booking is long over. Please open it from your mail once more."},
	slotd.SlotUnavailable: {http.StatusConflict, "This time is no longer open", "Please choose another one."},
	slotd.PaymentRequired: {http.StatusPaymentRequired, "This cannot be booked online yet",
		"It has a price, and payments are not set up here. Please ask your host."},
	slotd.BookingCanceled: {http.StatusConflict, "This booking was canceled", "It cannot be changed any more."},
	slotd.BookingPast:     {http.StatusConflict, "This booking is over", "It cannot be changed any more."},
	slotd.CalendarUnavailable: {http.StatusServiceUnavailable, "The calendar cannot be read at the moment",
		"It is not known which times are open until it can. Please try again in a few minutes."},
	slotd.RateLimited: {http.StatusTooManyRequests, "Too many requests", "Please wait a moment and try again."},
	slotd.Internal: {http.StatusInternalServerError, "Something went wrong here",
		"Please try again. If it happens again, report it with this number: "},
}

// messageContent is a page that says one thing.
type messageContent struct {
	Title, Message, Home string
	Again                string // where it may work in a while; may be empty
	Owners               string // where owners go; may be empty
}

// errAnswered is for what got its page already.
var errAnswered = errors.New("answered")

// status is the code's, with what goes with it.
func (v *visit) status(e *slotd.Error) int {
	if e.Code == slotd.RateLimited {
		v.w.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(e.RetryAfter)))
	}
	return errorPages[e.Code].status
}

// fail shows what went wrong.
func (v *visit) fail(err error) {
	if err == errAnswered {
		return
	}
	var e *slotd.Error
	if !errors.As(err, &e) {
		e = v.internal(err)
	}
	sorry := errorPages[e.Code]
	again := ""
	if e.Code == slotd.CalendarUnavailable && v.r.Method == http.MethodGet {
		again = v.r.URL.RequestURI()
	}
	v.messageWith(v.status(e), messageContent{Title: sorry.title, Message: sorry.message + e.ID, Again: again})
}

// internal hides what went wrong behind an id that the log has too.
func (v *visit) internal(err error) *slotd.Error {
	e := &slotd.Error{Code: slotd.Internal, ID: rand.Text()[:10]}
	if errors.Is(err, context.Canceled) && v.r.Context().Err() != nil {
		v.Log.Debug("the client went away", "id", e.ID)
	} else {
		v.Log.Error("a page broke", "route", v.r.Pattern, "id", e.ID, "error", err)
	}
	return e
}

// message is the page for all that is not a booking page.
func (v *visit) message(status int, title, message string) {
	v.messageWith(status, messageContent{Title: title, Message: message})
}

func (v *visit) messageWith(status int, c messageContent) {
	page := v.blank()
	c.Home = page.Home
	page.Title, page.Content = c.Title, c
	if err := v.show(status, "message", page); err != nil {
		v.Log.Error("the page that says what went wrong broke", "error", err)
		http.Error(v.w, c.Title, status)
	}
}
