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

// refund requests the refund of a canceled booking and returns its amount: everything if the host cancels, and what
// the refund policy says if the attendee cancels.
func (s *Service) refund(ctx context.Context, tx *store.Tx, actor Actor, b *slotd.Booking, now time.Time) (int64,
	error) {
	m, err := LoadPaymentState(ctx, tx.Queries, actor.WorkspaceID, b.ID)
	if err != nil || m == nil {
		return 0, err
	}
	if actor.Kind == slotd.AttendeeActor {
		until, err := refundableUntil(ctx, tx.Queries, actor.WorkspaceID, b)
		if err != nil || !now.Before(until) {
			return 0, err
		}
	}
	return m.requestRefund(ctx, tx, now)
}

// Refundable returns how much the attendee gets back by canceling now, and until when.
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

// refundableUntil returns the time before which an attendee must cancel to get a refund. Zero means never. An
// attendee who was too late and then moved the booking is still too late. A move by the host takes no time away from
// the attendee.
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
	var chosenStart time.Time // the attendee's choice, if the host moved the booking since
	for _, e := range events {
		from, ok := movedFrom(e)
		switch byAttendee := slotd.ParseActor(e.Actor).Kind == slotd.AttendeeActor; {
		case !ok:
		case byAttendee && !time.UnixMilli(e.At).Before(latest(from, chosenStart).Add(-notice)):
			return latest(from, chosenStart).Add(-notice), nil
		case byAttendee:
			chosenStart = time.Time{}
		case chosenStart.IsZero():
			chosenStart = from
		}
	}
	return latest(b.StartsAt, chosenStart).Add(-notice), nil
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// movedFrom returns the start that a booking was moved away from, if the event is a move.
func movedFrom(e sqlcgen.BookingEventsRow) (time.Time, bool) {
	var moved struct{ From string }
	if e.Kind != "rescheduled" || json.Unmarshal([]byte(e.Detail), &moved) != nil {
		return time.Time{}, false
	}
	from, problem := slotd.ParseInstant(moved.From)
	return from, problem == ""
}
