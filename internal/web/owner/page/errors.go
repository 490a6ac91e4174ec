package page

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
	title, message string // an empty message is the error's own
}

// apologies has a page for every code.
var errorPages = map[slotd.Code]errorPage{
	slotd.InvalidArgument: {http.StatusBadRequest, "This cannot be done", ""},
	slotd.Unauthorized:    {http.StatusForbidden, "This is not open to you", ""},
	slotd.WorkspaceNotFound: {http.StatusNotFound, "There is no such page",
		"It may have been deleted. The menu shows what there is."},
	slotd.EventTypeNotFound: {http.StatusNotFound, "There is no such event type", "It may have been deleted."},
	slotd.BookingNotFound: {http.StatusNotFound, "There is no such booking",
		"It may be another workspace's. The menu shows which one you look at."},
	slotd.SlotUnavailable: {http.StatusConflict, "This time is not open", ""},
	slotd.PaymentRequired: {http.StatusPaymentRequired, "This has to be paid for", ""},
	slotd.BookingCanceled: {http.StatusConflict, "This booking was canceled", "It cannot be changed any more."},
	slotd.BookingPast:     {http.StatusConflict, "This booking is over", "It cannot be changed any more."},
	slotd.CalendarUnavailable: {http.StatusServiceUnavailable, "A calendar cannot be read at the moment",
		"Nobody knows which times are open until it can. The page Calendars says what is wrong."},
	slotd.RateLimited: {http.StatusTooManyRequests, "Too many tries", "Please wait a moment and try again."},
	slotd.Internal: {http.StatusInternalServerError, "Something went wrong here",
		"Please try again. If it happens again, look for this number in the server's log: "},
}

// errAnswered is for what got its page already.
var ErrAnswered = errors.New("answered")

// messageContent is a page that says one thing, and the way on from there.
type MessageContent struct {
	Title, Message string
	Link, Text     string         // of the button; empty: there is none
	Aside          bool           // it opens another window: what was typed stays in this one
	Back           *WorkspaceLink // the workspace that can be switched back to
}

// fail shows what went wrong.
func (v *Visit) fail(err error) {
	if err == ErrAnswered {
		return
	}
	var e *slotd.Error
	if !errors.As(err, &e) {
		e = v.internal(err)
	}
	if e.Code == slotd.RateLimited {
		v.W.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(e.RetryAfter)))
	}
	sorry := errorPages[e.Code]
	if sorry.message == "" {
		sorry.message = e.Message
	}
	v.Message(sorry.status, sorry.title, sorry.message+e.ID)
}

// internal hides what went wrong behind an id that the log has too.
func (v *Visit) internal(err error) *slotd.Error {
	e := &slotd.Error{Code: slotd.Internal, ID: rand.Text()[:10]}
	if errors.Is(err, context.Canceled) && v.R.Context().Err() != nil {
		v.Log.Debug("the client went away", "id", e.ID)
	} else {
		v.Log.Error("a page broke", "route", v.R.Pattern, "id", e.ID, "error", err)
	}
	return e
}

// message answers with a page that says one thing, and is the end of the Visit.
func (v *Visit) Message(status int, title, message string) error {
	c := MessageContent{Title: title, Message: message, Link: "/settings", Text: "Go to the settings"}
	if v.Session == nil {
		c.Link, c.Text = "/login", "Sign in"
	}
	return v.ShowMessage(status, c)
}

// tell is message with another way on.
func (v *Visit) ShowMessage(status int, c MessageContent) error {
	if err := v.Show(status, "message", c.Title, c); err != nil {
		v.Log.Error("the page that says what went wrong broke", "error", err)
		http.Error(v.W, c.Title, status)
	}
	return ErrAnswered
}

// deadLink tells the holder of a link that does not work how to get another one.
func (v *Visit) DeadLink(err error) error {
	if !slotd.Is(err, slotd.Unauthorized) {
		return err
	}
	return v.Message(http.StatusForbidden, "This link does not work", ErrorText(err))
}

// workspaceLine is one of the owner's workspaces in a list.
type WorkspaceLink struct{ Slug, Name string }
