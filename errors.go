package slotd

import (
	"errors"
	"time"

	"slotd/internal/availability/slots"
)

// Code identifies a kind of error. The list is closed: each door (MCP endpoint, guests' pages, owners' pages, command
// line) has a sentence and a next step for every code.
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

// Codes lists all codes, so that tests can check that no door misses one.
var Codes = []Code{
	InvalidArgument, Unauthorized, WorkspaceNotFound, EventTypeNotFound, BookingNotFound, SlotUnavailable,
	PaymentRequired, BookingCanceled, BookingPast, CalendarUnavailable, RateLimited, Internal,
}

// Error is what went wrong, for whoever asked. It has no sentence for them: each door has its own.
type Error struct {
	Code   Code
	Reason Reason // "": the code says it all
	Facts
}

// Facts are what sentences about an error may need. Each is set only for the codes and reasons named beside it.
type Facts struct {
	Workspace    string        // EventTypeNotFound, WorkspaceNotFound: the slug; "": the one that a token belongs to
	EventType    string        // EventTypeNotFound, PaymentRequired, ScheduleInUse: the slug
	Booking      string        // BookingNotFound, BookingCanceled, BookingPast: the id
	EndedAt      time.Time     // BookingPast
	Start        time.Time     // SlotUnavailable: what was asked for
	Slot         slots.Reason  // SlotUnavailable: why
	Alternatives []time.Time   // SlotUnavailable: the nearest open slots
	Unknown      bool          // SlotUnavailable: no alternatives, because a calendar cannot be read
	BookingID    string        // SlotUnavailable: the same attendee's booking of this exact slot
	Price        *Price        // PaymentRequired
	BookingURL   string        // PaymentRequired
	RetryAfter   time.Duration // RateLimited
	ID           string        // Internal: also written to the log
	Name         string        // a name, a slug or an address that the reason is about
	Count        int           // how many there are, or may be
}

// NewError returns an error with a code.
func NewError(code Code, facts Facts) *Error { return &Error{Code: code, Facts: facts} }

// Error is for logs.
func (e *Error) Error() string {
	text := string(e.Code)
	if e.Reason != "" {
		text += ": " + string(e.Reason)
	}
	for _, fact := range []string{e.Workspace, e.EventType, e.Booking, e.ID} {
		if fact != "" {
			text += " " + fact
		}
	}
	return text
}

// Is reports whether err is or wraps an Error with the code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
