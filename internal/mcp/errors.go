package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"runtime/debug"

	"slotd"
	"slotd/internal/lib/limit"
)

// toolFailure is the body of a failed tool call. The fields are in the order of the JSON keys.
type toolFailure struct {
	Error struct {
		Code         slotd.Code `json:"code"`
		Message      string     `json:"message"`
		Alternatives *[]string  `json:"alternatives,omitempty"`
		BookingID    string     `json:"booking_id,omitempty"`
		BookingURL   string     `json:"booking_url,omitempty"`
		RetryAfter   int        `json:"retry_after_seconds,omitempty"`
		ID           string     `json:"id,omitempty"`
	} `json:"error"`
}

// failTool answers with a tool error: HTTP 200, isError, no structuredContent.
func (c *call) failTool(err error) int {
	var e *slotd.Error
	if !errors.As(err, &e) {
		e = c.internal(err)
	}
	c.count(string(e.Code))
	var f toolFailure
	f.Error.Code, f.Error.Message = e.Code, e.Message
	switch e.Code {
	case slotd.SlotUnavailable:
		alternatives := make([]string, len(e.Alternatives))
		for i, t := range e.Alternatives {
			alternatives[i] = slotd.Instant(t)
		}
		f.Error.Alternatives, f.Error.BookingID = &alternatives, e.BookingID
	case slotd.PaymentRequired:
		f.Error.BookingURL = e.BookingURL
	case slotd.RateLimited:
		f.Error.RetryAfter = limit.Seconds(e.RetryAfter)
	case slotd.Internal:
		f.Error.ID = e.ID
	case slotd.InvalidArgument, slotd.Unauthorized, slotd.WorkspaceNotFound, slotd.EventTypeNotFound,
		slotd.BookingNotFound, slotd.BookingCanceled, slotd.BookingPast, slotd.CalendarUnavailable:
		// The code and the message are enough.
	}
	c.content = nil
	c.openResponse()
	c.out = append(c.out, `"result":{"content":[{"type":"text","text":`...)
	c.out = appendString(c.out, marshal(f))
	c.out = append(c.out, `}],"isError":true`...)
	c.closeResult()
	return http.StatusOK
}

// internal hides an unexpected error behind an id, which it also logs with the error.
func (c *call) internal(err error) *slotd.Error {
	e := slotd.Errorf(slotd.Internal,
		"Something went wrong in the server. Please report it to the operator with this id.")
	e.ID = rand.Text()
	if errors.Is(err, context.Canceled) && c.r.Context().Err() != nil {
		c.h.Log.Debug("the client went away", "id", e.ID)
	} else {
		c.h.Log.Error("a tool call broke", "id", e.ID, "error", err)
	}
	return e
}

// recoverPanic turns a panic into an internal error, so that the client gets a response and the log gets the stack.
func (c *call) recoverPanic(status *int) {
	if p := recover(); p != nil {
		c.h.Log.Error("a tool call panicked", "panic", p, "stack", string(debug.Stack()))
		*status = c.failTool(errors.New("panic"))
	}
}
