package booking

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// refund has the money go back that a cancellation gives back, and returns how much it is: all of it if the
// host cancels, and what the event type's rule says if the attendee does.
func (s *Service) refund(ctx context.Context, tx *store.Tx, actor Actor, b *slotd.Booking, now time.Time) (int64,
	error) {
	m, err := LoadPaymentState(ctx, tx.Queries, actor.WorkspaceID, b.ID)
	if err != nil || m == nil {
		return 0, err
	}
	if actor.Attendee {
		until, err := refundableUntil(ctx, tx.Queries, actor.WorkspaceID, b)
		if err != nil || !now.Before(until) {
			return 0, err
		}
	}
	return m.requestRefund(ctx, tx, now)
}

// Refundable is what the attendee gets back who cancels at present, and until when that is so.
func (s *Service) Refundable(ctx context.Context, workspaceID int64, b *slotd.Booking) (amount int64, until time.Time,
	err error) {
	m, err := s.PaymentState(ctx, workspaceID, b.ID)
	if err != nil || m == nil {
		return 0, until, err
	}
	until, err = refundableUntil(ctx, s.db.Read(), workspaceID, b)
	if err != nil || !s.now().Before(until) {
		return 0, until, err
	}
	return max(0, m.Ledger.Balance()), until, nil
}

// refundableUntil is before when an attendee must cancel to get the money back; zero: they never do. Who was
// too late for that and moved the booking away is still too late. Who was moved by the host has as much time as before.
func refundableUntil(ctx context.Context, q interface {
	BookingEvents(context.Context, sqlcgen.BookingEventsParams) ([]sqlcgen.BookingEventsRow, error)
}, workspaceID int64, b *slotd.Booking) (time.Time, error) {
	if b.RefundPolicy == nil {
		return time.Time{}, nil
	}
	notice := time.Duration(b.RefundPolicy.FullUntilHoursBefore) * time.Hour
	events, err := q.BookingEvents(ctx, sqlcgen.BookingEventsParams{WorkspaceID: workspaceID, BookingID: b.ID.String()})
	if err != nil {
		return time.Time{}, fmt.Errorf("load the history of booking %s: %w", b.ID, err)
	}
	var chosen time.Time // by the attendee, and left by the host
	for _, e := range events {
		from, ok := movedFrom(e)
		switch byAttendee := e.Actor == AttendeeName; {
		case !ok:
		case byAttendee && !time.UnixMilli(e.At).Before(latest(from, chosen).Add(-notice)):
			return latest(from, chosen).Add(-notice), nil
		case byAttendee:
			chosen = time.Time{}
		case chosen.IsZero():
			chosen = from
		}
	}
	return latest(b.StartsAt, chosen).Add(-notice), nil
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// movedFrom is the time that a booking was moved away from, if an event says so.
func movedFrom(e sqlcgen.BookingEventsRow) (time.Time, bool) {
	var moved struct{ From string }
	if e.Kind != "rescheduled" || json.Unmarshal([]byte(e.Detail), &moved) != nil {
		return time.Time{}, false
	}
	from, wrong := slotd.ParseInstant(moved.From)
	return from, wrong == ""
}
