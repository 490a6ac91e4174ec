package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/mail"
	"slotd/internal/slots"
	"slotd/internal/snapshot"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Reschedule moves a booking. Moving it to where it is changes nothing and succeeds.
func (s *Service) Reschedule(ctx context.Context, actor Actor, id uuid.UUID, start time.Time) (*slotd.Booking, error) {
	p, err := s.Shelf.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	m := &move{service: s, actor: actor, id: id, start: start, picture: p, commit: s.newCommit(p.WorkspaceID)}
	defer m.commit.end()
	err = s.DB.InHostTx(ctx, p.WorkspaceID, p.HostID, func(ctx context.Context, tx *store.Tx) error { return m.run(ctx, tx) })
	if err != nil {
		m.commit.end()
	}
	if wasRefused(err) {
		answer, err := s.unavailable(ctx, actor, start, m.refusal, m.before)
		if err != nil {
			return nil, err
		}
		return nil, answer
	}
	if err != nil {
		return nil, err
	}
	m.commit.publish([]slots.Claim{claimOf(m.before)}, []slots.Claim{claimOf(m.after)})
	return m.after, nil
}

// move is one Reschedule under way.
type move struct {
	service *Service
	actor   Actor
	id      uuid.UUID
	start   time.Time
	picture *snapshot.Picture

	before, after *slotd.Booking
	refusal       refusal
	commit        commit
}

func (m *move) run(ctx context.Context, tx *store.Tx) error {
	m.commit.begin()
	b, _, err := find(ctx, tx.Queries, m.actor, m.id)
	if err != nil {
		return err
	}
	m.before = b
	now := m.service.Now()
	switch {
	case b.State == slotd.Canceled:
		return slotd.Errorf(slotd.BookingCanceled, "Booking %s was canceled and cannot be moved. Make a new one with create_booking.", b.ID)
	case b.Ended(now):
		return slotd.Errorf(slotd.BookingPast, "Booking %s ended at %s and cannot be moved. Make a new one with create_booking.", b.ID, slotd.Instant(b.EndsAt))
	case b.StartsAt.Equal(m.start):
		m.after = b
		return nil
	}
	c, err := config(ctx, tx, m.picture)
	if err != nil {
		return err
	}
	e := c.EventTypeByID(b.EventTypeID)
	if e == nil || c.Schedule(e) == nil {
		return fmt.Errorf("booking %s: its event type %d or its schedule is gone", b.ID, b.EventTypeID)
	}
	claims, err := claimsAround(ctx, tx, c, e, m.start)
	if err != nil {
		return err
	}
	claims = claims.Without(claimOf(b))
	m.refusal = refusal{slots.Busy, e, claims}
	if reason := slots.Check(c.Query(e, claims, now), m.start); reason != slots.Free {
		m.refusal.reason = reason
		return errRefused
	}
	return m.write(ctx, tx, c, e, now)
}

func (m *move) write(ctx context.Context, tx *store.Tx, c *snapshot.Config, e *slotd.EventType, now time.Time) (err error) {
	after := *m.before
	after.Sequence++
	place(&after, c, e, m.start)
	m.after = &after
	err = tx.MoveBooking(ctx, sqlcgen.MoveBookingParams{
		WorkspaceID: c.WorkspaceID, ID: after.ID.String(),
		StartsAt: after.StartsAt.UnixMilli(), EndsAt: after.EndsAt.UnixMilli(), HostWall: after.HostWall, HostZone: after.HostZone,
		BufferBeforeMinutes: int64(after.BufferBeforeMinutes), BufferAfterMinutes: int64(after.BufferAfterMinutes),
	})
	if err != nil {
		return fmt.Errorf("move booking %s: %w", after.ID, err)
	}
	claim := claimOf(&after)
	err = tx.MoveClaim(ctx, sqlcgen.MoveClaimParams{
		WorkspaceID: c.WorkspaceID, HostID: c.HostID, BookingID: after.ID.String(),
		StartsAt: after.StartsAt.UnixMilli(), FromAt: claim.Start.UnixMilli(), UntilAt: claim.End.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("move the claim of booking %s: %w", after.ID, err)
	}
	detail := map[string]string{"from": slotd.Instant(m.before.StartsAt), "to": slotd.Instant(after.StartsAt)}
	if err := record(ctx, tx, m.actor, after.ID, now, "rescheduled", detail); err != nil {
		return err
	}
	if err := tell(ctx, tx, c.WorkspaceID, &after, mail.Rescheduled, m.before.StartsAt, now); err != nil {
		return err
	}
	return m.commit.bump(ctx, tx)
}
