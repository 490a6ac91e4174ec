package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Reschedule moves a booking. Moving a booking to its current time succeeds and changes nothing.
func (s *Service) Reschedule(ctx context.Context, actor Actor, id uuid.UUID, start time.Time) (*slotd.Booking, error) {
	return s.RescheduleWithReason(ctx, actor, id, start, "")
}

// RescheduleWithReason is like Reschedule, with a reason for the mails. It replaces the reason of an earlier move.
func (s *Service) RescheduleWithReason(ctx context.Context, actor Actor, id uuid.UUID, start time.Time,
	reason string) (*slotd.Booking, error) {
	p, err := s.cache.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	m := &move{service: s, actor: actor, id: id, start: start, reason: reason, snap: p,
		commit: s.newCommit(p.WorkspaceID)}
	defer m.commit.end()
	if err := m.readCalendars(ctx); wasRefused(err) {
		return nil, m.refuse(ctx)
	} else if err != nil {
		return nil, err
	}
	err = s.db.InHostTx(ctx, p.WorkspaceID, p.HostID,
		func(ctx context.Context, tx *store.Tx) error { return m.run(ctx, tx) })
	if err != nil {
		m.commit.end()
	}
	if wasRefused(err) {
		return nil, m.refuse(ctx)
	} else if err != nil {
		return nil, err
	}
	m.commit.publish(append(m.endedHolds, claimOf(m.before)), []slots.Claim{claimOf(m.after)})
	return m.after, nil
}

// move is one run of Reschedule.
type move struct {
	service *Service
	actor   Actor
	id      uuid.UUID
	start   time.Time
	reason  string
	snap    *snapshot.Snapshot
	reads   map[int64]time.Time // calendars that were just read live

	before, after *slotd.Booking
	endedHolds    []slots.Claim // holds that overlapped and were over
	refusal       refusal
	commit        commit
}

// load reads the booking, and reports whether it already starts at the requested time.
func (m *move) load(ctx context.Context, q *sqlcgen.Queries, now time.Time) (done bool, err error) {
	b, _, err := findBooking(ctx, q, m.actor, m.id)
	if err != nil {
		return false, err
	}
	m.before = b
	switch {
	case !b.State.TakesTime():
		return false, slotd.NewError(slotd.BookingCanceled, slotd.Facts{Booking: b.ID.String()})
	case b.Ended(now):
		return false, slotd.NewError(slotd.BookingPast, slotd.Facts{Booking: b.ID.String(), EndedAt: b.EndsAt})
	case b.StartsAt.Equal(m.start):
		m.after = b
		return true, nil
	}
	return false, nil
}

func (m *move) eventType(c *snapshot.Config) (*slotd.EventType, error) {
	e := c.EventTypeByID(m.before.EventTypeID)
	if e == nil || c.Schedule(e) == nil {
		return nil, fmt.Errorf("booking %s: its event type %d or its schedule is gone", m.id, m.before.EventTypeID)
	}
	return e, nil
}

// readCalendars reads the calendars live, but only if the move is possible as far as we know.
func (m *move) readCalendars(ctx context.Context) error {
	if len(m.snap.Calendars) == 0 {
		return nil
	}
	done, err := m.load(ctx, m.service.db.Read(), m.service.now())
	if done || err != nil {
		return err
	}
	e, err := m.eventType(m.snap.Config)
	if err != nil {
		return err
	}
	q := m.service.query(m.snap, e, m.before)
	m.refusal = refusal{slots.Check(q, m.start), e, q.Claims}
	if m.refusal.reason != slots.Free {
		return errRefused
	}
	m.reads = m.service.readCalendars(ctx, m.snap.Config)
	return nil
}

func (m *move) run(ctx context.Context, tx *store.Tx) error {
	m.commit.begin()
	now := m.service.now()
	done, err := m.load(ctx, tx.Queries, now)
	if done || err != nil {
		return err
	}
	c, err := loadInTx(ctx, tx, m.snap, now)
	if err != nil {
		return err
	}
	e, err := m.eventType(c.Config)
	if err != nil {
		return err
	}
	reason, claims, err := c.check(ctx, e, m.start, now, m.before, m.reads)
	if err != nil {
		return err
	}
	m.refusal = refusal{slots.Busy, e, claims}
	if reason != slots.Free {
		m.refusal.reason = reason
		return errRefused
	}
	m.endedHolds = c.endedHolds
	return m.write(ctx, tx, c.Config, e, now)
}

func (m *move) refuse(ctx context.Context) error {
	answer, err := m.service.unavailable(ctx, m.actor, m.start, m.refusal, m.before)
	if err != nil {
		return err
	}
	return answer
}

func (m *move) write(ctx context.Context, tx *store.Tx, c *snapshot.Config, e *slotd.EventType,
	now time.Time) (err error) {
	after := *m.before
	after.Sequence++
	after.MoveReason = m.reason
	setTime(&after, c, e, m.start)
	m.after = &after
	err = tx.MoveBooking(ctx, sqlcgen.MoveBookingParams{
		WorkspaceID: c.WorkspaceID, ID: after.ID.String(),
		StartsAt: after.StartsAt.UnixMilli(), EndsAt: after.EndsAt.UnixMilli(), HostWall: after.HostWall,
		HostZone:            after.HostZone,
		BufferBeforeMinutes: int64(after.BufferBeforeMinutes), BufferAfterMinutes: int64(after.BufferAfterMinutes),
		MoveReason: after.MoveReason,
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
	if err := recordEvent(ctx, tx, m.actor, after.ID, now, "rescheduled", detail); err != nil {
		return err
	}
	if err := enqueueMails(ctx, tx, c.WorkspaceID, &after, mail.Rescheduled, m.before.StartsAt, now); err != nil {
		return err
	}
	if err := enqueueWriteBack(ctx, tx, c, &after, now); err != nil {
		return err
	}
	return m.commit.bump(ctx, tx)
}
