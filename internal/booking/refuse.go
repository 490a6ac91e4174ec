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

// refusal is why a slot cannot be had, with what was looked at.
type refusal struct {
	reason    slots.Reason
	eventType *slotd.EventType
	claims    slots.Claims
}

// errRefused ends a transaction; the answer is put together after it, with no host locked.
var errRefused = errors.New("slot unavailable")

// wasRefused also knows the database's own refusal, which only a missing lock can bring about.
func wasRefused(err error) bool {
	return errors.Is(err, errRefused) || store.IsOverlap(err)
}

// refuse makes the answer to a create: why, the nearest open slots, and the booking that the
// same attendee already has there.
func (s *Service) refuse(ctx context.Context, actor Actor, r Request, no refusal) error {
	answer, err := s.unavailable(ctx, actor, r.StartsAt, no, nil)
	if err != nil {
		return err
	}
	claim, ok := no.claims.Find(no.eventType.ID, r.StartsAt)
	if !ok {
		return answer
	}
	b, _, err := find(ctx, s.db.Read(), actor, claim.Booking)
	// What was looked at may be older than the row.
	if err == nil && b.State == slotd.Confirmed && b.StartsAt.Equal(r.StartsAt) &&
		strings.EqualFold(b.Attendee.Email, r.Attendee.Email) {
		answer.BookingID = b.ID.String()
		answer.Message = "This attendee already has this very slot: booking " + answer.BookingID +
			". Nothing more needs to be done; to change it, use reschedule_booking or cancel_booking."
	}
	return answer
}

// unavailable lists alternatives from the workspace as it is now. A move leaves its own
// booking out of account.
func (s *Service) unavailable(ctx context.Context, actor Actor, start time.Time, no refusal,
	own *slotd.Booking) (*slotd.Error, error) {
	p, err := s.cache.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	answer := slotd.Errorf(slotd.SlotUnavailable, "%s %s", slotd.Instant(start), sentence(no.reason))
	if e := p.EventTypeByID(no.eventType.ID); e != nil && p.Schedule(e) != nil {
		q, err := s.Query(p, e, own)
		if err != nil { // nobody knows at the moment
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

func sentence(reason slots.Reason) string {
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
