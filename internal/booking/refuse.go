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
	answer := slotd.NewError(slotd.SlotUnavailable, slotd.Facts{Start: start, Slot: why.reason})
	if e := p.EventTypeByID(why.eventType.ID); e != nil && p.Schedule(e) != nil {
		q, err := s.Query(p, e, moving)
		if err != nil { // a calendar cannot be read at the moment
			answer.Unknown = true
			return answer, nil
		}
		answer.Alternatives = slots.Nearest(q, start, 3)
	}
	return answer, nil
}
