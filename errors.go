package slotd

import (
	"errors"
	"fmt"
	"time"
)

// Code identifies a kind of error. The list is closed: each entry point (MCP endpoint, pages, command line) maps
// every code once.
type Code string

const (
	InvalidArgument     Code = "invalid_argument"
	Unauthorized        Code = "unauthorized"
	WorkspaceNotFound   Code = "workspace_not_found"
	EventTypeNotFound   Code = "event_type_not_found"
	BookingNotFound     Code = "booking_not_found"
	SlotUnavailable     Code = "slot_unavailable"
	PaymentRequired     Code = "payment_required"
	BookingCanceled     Code = "booking_canceled"
	BookingPast         Code = "booking_past"
	CalendarUnavailable Code = "calendar_unavailable"
	RateLimited         Code = "rate_limited"
	Internal            Code = "internal"
)

// Codes lists all codes, so that tests can check that no entry point misses one.
var Codes = []Code{
	InvalidArgument, Unauthorized, WorkspaceNotFound, EventTypeNotFound, BookingNotFound, SlotUnavailable,
	PaymentRequired, BookingCanceled, BookingPast, CalendarUnavailable, RateLimited, Internal,
}

// Error is an error shown to a person or a model: a code and a sentence that says what to do next.
// The other fields are set only for the codes named beside them.
type Error struct {
	Code    Code
	Message string

	Alternatives []time.Time   // SlotUnavailable: the nearest open slots
	BookingID    string        // SlotUnavailable: the same attendee's booking of this exact slot
	BookingURL   string        // PaymentRequired
	RetryAfter   time.Duration // RateLimited
	ID           string        // Internal: also written to the log
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf returns an error with a code and a sentence for people.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Is reports whether err is or wraps an Error with the code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
