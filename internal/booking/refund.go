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
func (s *Service) refund(ctx context.Context, tx *store.Tx, actor Actor, b *slotd.Booking, now time.Time) (int64, error) {
	m, err := loadMoney(ctx, tx.Queries, actor.WorkspaceID, b.ID)
	if err != nil || m == nil {
		return 0, err
	}
	if actor.Attendee {
		until, err := refundableUntil(ctx, tx.Queries, actor.WorkspaceID, b)
		if err != nil || !now.Before(until) {
			return 0, err
		}
	}
	return m.giveBack(ctx, tx, now)
}

// Refundable is what the attendee gets back who cancels at present, and until when that is so.
func (s *Service) Refundable(ctx context.Context, workspaceID int64, b *slotd.Booking) (amount int64, until time.Time, err error) {
	m, err := s.Money(ctx, workspaceID, b.ID)
	if err != nil || m == nil {
		return 0, until, err
	}
	until, err = refundableUntil(ctx, s.DB.Read(), workspaceID, b)
	if err != nil || !s.Now().Before(until) {
		return 0, until, err
	}
	return max(0, m.Ledger.Sum()), until, nil
}

// refundableUntil is before when an attendee must cancel to get the money back; zero: they never do. Who was
// too late for that and moved the booking away is still too late.
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
	for _, e := range events {
		var moved struct{ From string }
		if e.Kind != "rescheduled" || e.Actor != AttendeeName || json.Unmarshal([]byte(e.Detail), &moved) != nil {
			continue
		}
		from, wrong := slotd.ParseInstant(moved.From)
		if wrong == "" && !time.UnixMilli(e.At).Before(from.Add(-notice)) {
			return time.UnixMilli(e.At).UTC(), nil
		}
	}
	return b.StartsAt.Add(-notice), nil
}
