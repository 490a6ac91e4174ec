package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Cancel cancels a booking and releases its time. Canceling a canceled booking succeeds and changes nothing, not even
// the reason. The reason goes into the mails and may be empty.
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
		if b, _, err = findBooking(ctx, tx.Queries, actor, id); err != nil || b.State == slotd.Canceled {
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
	err = tx.CancelBooking(ctx, sqlcgen.CancelBookingParams{WorkspaceID: actor.WorkspaceID, ID: b.ID.String(),
		CancelReason: reason, RefundedCents: refund})
	if err != nil {
		return fmt.Errorf("cancel booking %s: %w", b.ID, err)
	}
	err = tx.DeleteClaim(ctx, sqlcgen.DeleteClaimParams{WorkspaceID: actor.WorkspaceID, HostID: hostID,
		BookingID: b.ID.String()})
	if err != nil {
		return fmt.Errorf("release the claim of booking %s: %w", b.ID, err)
	}
	if err := recordEvent(ctx, tx, actor, b.ID, now, "canceled",
		map[string]string{"starts_at": slotd.Instant(b.StartsAt)}); err != nil {
		return err
	}
	b.State, b.CancelReason, b.RefundedCents = slotd.Canceled, reason, refund
	b.Sequence++
	return enqueueMails(ctx, tx, actor.WorkspaceID, b, mail.Canceled, time.Time{}, now)
}
