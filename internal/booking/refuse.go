package booking

import (
	"context"
	"errors"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
)

// refusal is why a slot is unavailable, with the event type and the claims that were checked.
type refusal struct {
	reason    slots.Reason
	eventType *slotd.EventType
	claims    slots.Claims
}

// errRefused ends a transaction. The answer is composed afterwards, with no host locked.
var errRefused = errors.New("slot unavailable")

// wasRefused also recognizes the database constraint, which is violated only if a lock is missing.
func wasRefused(err error) bool {
	return errors.Is(err, errRefused) || store.IsOverlap(err)
}

// refuse returns the error of a create: the reason, the nearest open slots, and the booking if the same attendee
// already has this slot.
func (s *Service) refuse(ctx context.Context, actor Actor, r Request, why refusal) error {
	answer, err := s.unavailable(ctx, actor, r.StartsAt, why, nil)
	if err != nil {
		return err
	}
	claim, ok := why.claims.Find(why.eventType.ID, r.StartsAt)
	if !ok {
		return answer
	}
	b, _, err := findBooking(ctx, s.db.Read(), actor, claim.Booking)
	// The claims that were checked may be older than the row.
	if err == nil && b.State == slotd.Confirmed && b.StartsAt.Equal(r.StartsAt) &&
		strings.EqualFold(b.Attendee.Email, r.Attendee.Email) {
		answer.BookingID = b.ID.String()
		answer.Message = "This attendee already has this very slot: booking " + answer.BookingID +
			". Nothing more needs to be done; to change it, use reschedule_booking or cancel_booking."
	}
	return answer
}

// unavailable takes the alternatives from the current workspace. It ignores the booking that is being moved, if any.
func (s *Service) unavailable(ctx context.Context, actor Actor, start time.Time, why refusal,
	moving *slotd.Booking) (*slotd.Error, error) {
	p, err := s.cache.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	answer := slotd.Errorf(slotd.SlotUnavailable, "%s %s", slotd.Instant(start), reasonSentence(why.reason))
	if e := p.EventTypeByID(why.eventType.ID); e != nil && p.Schedule(e) != nil {
		q, err := s.Query(p, e, moving)
		if err != nil { // a calendar cannot be read at the moment
			answer.Message += " Call get_availability in a few minutes."
			return answer, nil
		}
		answer.Alternatives = slots.Nearest(q, start, 3)
	}
	if len(answer.Alternatives) == 0 {
		answer.Message += " No other time is open at present."
	} else {
		answer.Message += " Take one of the alternatives, the nearest open slots, or call get_availability for more."
	}
	return answer, nil
}

func reasonSentence(reason slots.Reason) string {
	switch reason {
	case slots.NotOffered:
		return "is not a start time of this event type."
	case slots.TooSoon:
		return "is too soon: it is past or within the minimum notice."
	case slots.TooFar:
		return "is further ahead than this event type can be booked."
	case slots.DayFull:
		return "is on a day that has reached its limit of bookings."
	default:
		return "is taken."
	}
}
