package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// transition changes a booking's state, together with its claim and its history. It writes nothing and returns an error
// if slotd.Transitions has no such step. The row also gets the booking's cancel reason, refund and sequence, which the
// caller may have changed.
func transition(ctx context.Context, tx *store.Tx, actor Actor, hostID int64, b *slotd.Booking, by slotd.Cause,
	now time.Time) error {
	from := b.State
	to, err := b.Next(by)
	if err != nil {
		return fmt.Errorf("booking %s: %w", b.ID, err)
	}
	n, err := tx.SetBookingState(ctx, sqlcgen.SetBookingStateParams{
		WorkspaceID: actor.WorkspaceID, ID: b.ID.String(), FromState: string(from), ToState: string(to),
		CancelReason: b.CancelReason, RefundedCents: b.RefundedCents, Sequence: int64(b.Sequence),
	})
	if err == nil && n != 1 {
		err = fmt.Errorf("it is no longer %s", from)
	}
	if err != nil {
		return fmt.Errorf("booking %s becomes %s: %w", b.ID, to, err)
	}
	b.State = to
	if err := changeClaim(ctx, tx, actor.WorkspaceID, hostID, b, from); err != nil {
		return err
	}
	return recordTransition(ctx, tx, actor, b, from, by, now)
}

// changeClaim makes a booking's claim what its new state asks for.
func changeClaim(ctx context.Context, tx *store.Tx, workspaceID, hostID int64, b *slotd.Booking,
	from slotd.State) error {
	switch {
	case !from.TakesTime() && b.State.TakesTime():
		return insertClaim(ctx, tx, workspaceID, hostID, b)
	case from.TakesTime() && !b.State.TakesTime():
		err := tx.DeleteClaim(ctx,
			sqlcgen.DeleteClaimParams{WorkspaceID: workspaceID, HostID: hostID, BookingID: b.ID.String()})
		if err != nil {
			return fmt.Errorf("release the claim of booking %s: %w", b.ID, err)
		}
	case from.IsOnHold() && !b.IsHeld():
		n, err := tx.KeepClaim(ctx,
			sqlcgen.KeepClaimParams{WorkspaceID: workspaceID, HostID: hostID, BookingID: b.ID.String()})
		if err == nil && n != 1 {
			err = fmt.Errorf("it has %d claims", n)
		}
		if err != nil {
			return fmt.Errorf("keep the claim of booking %s: %w", b.ID, err)
		}
	}
	return nil
}

func recordTransition(ctx context.Context, tx *store.Tx, actor Actor, b *slotd.Booking, from slotd.State,
	by slotd.Cause, now time.Time) error {
	detail := map[string]string{"starts_at": slotd.Instant(b.StartsAt)}
	if from.IsOnHold() || b.IsHeld() {
		detail[HoldDetail] = string(b.Hold.Reason)
	}
	return recordEvent(ctx, tx, actor, b.ID, now, string(by), detail)
}

// HoldDetail is the name of a hold's reason in the details of a history event. Events from before holds had reasons
// lack it: those holds were for payments.
const HoldDetail = "hold"

// bookingTx is a transaction about one booking, with its host locked.
type bookingTx struct {
	service        *Service
	workspaceID    int64
	hostID         int64
	booking        *slotd.Booking
	removed, added []slots.Claim
	changed        bool // the change is visible to others
	commit         commit
}

// inBookingTx runs do in a transaction about a booking, whatever its state. It does nothing if there is none.
func (s *Service) inBookingTx(ctx context.Context, workspaceID int64, id uuid.UUID,
	do func(ctx context.Context, tx *store.Tx, t *bookingTx) error) error {
	// A booking's host never changes, so it can be read before the host is locked.
	b, hostID, err := readBooking(ctx, s.db.Read(), workspaceID, id)
	if err != nil || b == nil {
		return err
	}
	t := &bookingTx{service: s, workspaceID: workspaceID, hostID: hostID, commit: s.newCommit(workspaceID)}
	defer t.commit.end()
	err = s.db.InHostTx(ctx, workspaceID, hostID, func(ctx context.Context, tx *store.Tx) error {
		t.commit.begin()
		t.removed, t.added, t.changed = nil, nil, false
		if t.booking, _, err = readBooking(ctx, tx.Queries, workspaceID, id); err != nil || t.booking == nil {
			return err
		}
		if err := do(ctx, tx, t); err != nil || !t.changed {
			return err
		}
		return t.commit.bump(ctx, tx)
	})
	if err != nil {
		return err
	}
	t.commit.publish(t.removed, t.added)
	if s.wake != nil {
		s.wake()
	}
	return nil
}

// transition changes the booking's state. The snapshots get its new claim after the commit.
func (t *bookingTx) transition(ctx context.Context, tx *store.Tx, actor Actor, by slotd.Cause, now time.Time) error {
	before := claimOf(t.booking)
	if t.booking.State.TakesTime() {
		t.removed = append(t.removed, before)
	}
	if err := transition(ctx, tx, actor, t.hostID, t.booking, by, now); err != nil {
		return err
	}
	if t.booking.State.TakesTime() {
		t.added = append(t.added, claimOf(t.booking))
	}
	t.changed = true
	return nil
}
