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
	var f toolFailure
	var argument argumentError
	if errors.As(err, &argument) {
		f.Error.Code, f.Error.Message = slotd.InvalidArgument, string(argument)
	} else {
		c.describe(&f, err)
	}
	c.count(string(f.Error.Code))
	c.content = nil
	c.openResponse()
	c.out = append(c.out, `"result":{"content":[{"type":"text","text":`...)
	c.out = appendString(c.out, marshal(f))
	c.out = append(c.out, `}],"isError":true`...)
	c.closeResult()
	return http.StatusOK
}

// describe fills in the sentence and the facts of an error.
func (c *call) describe(f *toolFailure, err error) {
	var e *slotd.Error
	if !errors.As(err, &e) {
		e = c.internal(err)
	}
	f.Error.Code, f.Error.Message = e.Code, sentences[e.Code](c, e)
	if e.Code == slotd.SlotUnavailable {
		alternatives := make([]string, len(e.Alternatives))
		for i, t := range e.Alternatives {
			alternatives[i] = slotd.Instant(t)
		}
		f.Error.Alternatives = &alternatives
	}
	f.Error.BookingID, f.Error.BookingURL, f.Error.ID = e.BookingID, e.BookingURL, e.ID
	if e.RetryAfter > 0 {
		f.Error.RetryAfter = limit.Seconds(e.RetryAfter)
	}
}

// internal hides an unexpected error behind an id, which it also logs with the error.
func (c *call) internal(err error) *slotd.Error {
	e := slotd.NewError(slotd.Internal, slotd.Facts{ID: rand.Text()})
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
