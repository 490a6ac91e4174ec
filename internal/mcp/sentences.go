package mcp

import (
	"fmt"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
)

// sentences say, for every code, what is wrong and which call comes next. Models and their people read them. An error
// about the arguments themselves brings its own: see argumentError.
var sentences = map[slotd.Code]func(c *call, e *slotd.Error) string{
	slotd.InvalidArgument: func(_ *call, e *slotd.Error) string {
		if e.Reason == slotd.KeyReused {
			return fmt.Sprintf("The Idempotency-Key header was used before with other arguments. Send a fresh key, such "+
				"as %q, with each new booking.", uuid.NewString())
		}
		return "The arguments cannot be used. " + e.Sentence()
	},
	slotd.Unauthorized: func(*call, *slotd.Error) string {
		return "This tool needs a valid access token in the header `Authorization: Bearer slotd_mcp_…`. The workspace's " +
			"owner makes one with `slotd token create`."
	},
	slotd.WorkspaceNotFound: func(_ *call, e *slotd.Error) string {
		if e.Workspace == "" {
			return "The token's workspace is gone."
		}
		return fmt.Sprintf("There is no workspace %.64q. Its slug is the first part of the booking page's address, as in "+
			"https://host/WORKSPACE.", e.Workspace)
	},
	slotd.EventTypeNotFound: func(_ *call, e *slotd.Error) string {
		return fmt.Sprintf("Workspace %q offers no event type %.64q. Call list_public_event_types to see those it offers.",
			e.Workspace, e.EventType)
	},
	slotd.BookingNotFound: func(_ *call, e *slotd.Error) string {
		return fmt.Sprintf("The token's workspace has no booking %s. Use the booking_id that create_booking returned.",
			e.Booking)
	},
	slotd.SlotUnavailable: func(_ *call, e *slotd.Error) string { return slotSentence(e) },
	slotd.PaymentRequired: func(_ *call, e *slotd.Error) string {
		return fmt.Sprintf("%q costs %s and is booked on its page, where a person can pay for the chosen time: %s",
			e.EventType, e.Price, e.BookingURL)
	},
	slotd.BookingCanceled: func(_ *call, e *slotd.Error) string {
		return fmt.Sprintf("Booking %s was canceled and cannot be moved. Make a new one with create_booking.", e.Booking)
	},
	slotd.BookingPast: func(c *call, e *slotd.Error) string {
		ended := slotd.Instant(e.EndedAt)
		if c.tool == cancelTool {
			return fmt.Sprintf("Booking %s ended at %s and cannot be canceled any more.", e.Booking, ended)
		}
		return fmt.Sprintf("Booking %s ended at %s and cannot be moved. Make a new one with create_booking.", e.Booking,
			ended)
	},
	slotd.CalendarUnavailable: func(*call, *slotd.Error) string {
		return "The host's calendar cannot be read at the moment, so it is not known which times are open. Nothing was " +
			"booked or changed; try again in a few minutes."
	},
	slotd.RateLimited: func(*call, *slotd.Error) string {
		return "Too many requests. Wait retry_after_seconds and try again."
	},
	slotd.Internal: func(*call, *slotd.Error) string {
		return "Something went wrong in the server. Please report it to the operator with this id."
	},
}

const cancelTool = "cancel_booking"

func slotSentence(e *slotd.Error) string {
	if e.BookingID != "" {
		return "This attendee already has this very slot: booking " + e.BookingID +
			". Nothing more needs to be done; to change it, use reschedule_booking or cancel_booking."
	}
	next := " Take one of the alternatives, the nearest open slots, or call get_availability for more."
	switch {
	case e.Unknown:
		next = " Call get_availability in a few minutes."
	case len(e.Alternatives) == 0:
		next = " No other time is open at present."
	}
	return slotd.Instant(e.Start) + " " + slotReasons[e.Slot] + next
}

var slotReasons = map[slots.Reason]string{
	slots.NotOffered: "is not a start time of this event type.",
	slots.TooSoon:    "is too soon: it is past or within the minimum notice.",
	slots.TooFar:     "is further ahead than this event type can be booked.",
	slots.DayFull:    "is on a day that has reached its limit of bookings.",
	slots.Busy:       "is taken.",
}
