package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/mail"
	"slotd/internal/store"
)

// Cancel cancels a booking and releases its time. Canceling a booking that takes no time succeeds and changes nothing,
// not even the reason. The reason goes into the mails and may be empty.
func (s *Service) Cancel(ctx context.Context, actor Actor, id uuid.UUID, reason string) (*slotd.Booking, error) {
	// A booking's host never changes, so the row can be read before the host is locked.
	b, hostID, err := findBooking(ctx, s.db.Read(), actor, id)
	if err != nil {
		return nil, err
	}
	p, err := s.cache.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	commit := s.newCommit(actor.WorkspaceID)
	defer commit.end()
	err = s.db.InHostTx(ctx, actor.WorkspaceID, hostID, func(ctx context.Context, tx *store.Tx) error {
		commit.begin()
		if b, _, err = findBooking(ctx, tx.Queries, actor, id); err != nil || !b.State.TakesTime() {
			return err
		}
		if err := s.cancel(ctx, tx, actor, hostID, b, reason); err != nil {
			return err
		}
		if err := enqueueWriteBack(ctx, tx, p.Config, b, s.now()); err != nil {
			return err
		}
		return commit.bump(ctx, tx)
	})
	if err != nil {
		return nil, err
	}
	commit.publish([]slots.Claim{claimOf(b)}, nil)
	return b, nil
}

func (s *Service) cancel(ctx context.Context, tx *store.Tx, actor Actor, hostID int64, b *slotd.Booking,
	reason string) error {
	now := s.now()
	if b.Ended(now) {
		return slotd.NewError(slotd.BookingPast, slotd.Facts{Booking: b.ID.String(), EndedAt: b.EndsAt})
	}
	refund, err := s.refund(ctx, tx, actor, b, now)
	if err != nil {
		return err
	}
	b.CancelReason, b.RefundedCents = reason, refund
	b.Sequence++
	if err := transition(ctx, tx, actor, hostID, b, slotd.ByCancel, now); err != nil {
		return err
	}
	return enqueueMails(ctx, tx, actor.WorkspaceID, b, mail.Canceled, time.Time{}, now)
}
