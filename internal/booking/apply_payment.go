package booking

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/mail"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// PaymentActor is who acts when money comes or does not.
func PaymentActor(workspaceID int64) Actor { return Actor{WorkspaceID: workspaceID, Name: "payments"} }

// Hear writes down what is new and does what follows from it: a payment confirms a held booking, and where
// the hold has ended, the booking if its time is still free; if not, the money goes back.
func (s *Service) ApplyPayment(ctx context.Context, workspaceID int64, id uuid.UUID, h ledger.Statement) error {
	p, err := s.cache.Latest(ctx, workspaceID)
	if err != nil {
		return err
	}
	m, err := s.PaymentState(ctx, workspaceID, id)
	if err != nil || m == nil {
		return err
	}
	h = m.believed(m.whole(h))
	var reads map[int64]time.Time
	if a := m.LedgerAccount(); len(a.Post(h)) > 0 && a.Effect(m.HoldEnded(s.now())) == ledger.Recheck {
		reads = s.readCalendars(ctx, p.Config)
	}
	return s.inMoneyTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *moneyTx) error {
		now := s.now()
		isNew, err := t.post(ctx, tx, h, now)
		if err != nil {
			return err
		}
		switch t.LedgerAccount().Effect(t.HoldEnded(now)) {
		case ledger.Confirm:
			return t.confirm(ctx, tx, p.Config, now)
		case ledger.Recheck:
			return t.confirmLate(ctx, tx, p, reads, now)
		case ledger.StartRefund:
			if !isNew { // the job that gives it back is there, and takes its time between its tries
				return nil
			}
			return t.scheduleSettlement(ctx, tx, now, now)
		case ledger.ReleaseHold:
			return t.releaseHold(ctx, tx, now)
		}
		return nil
	})
}

// letGo ends the hold of a booking that nobody can pay for any more.
func (t *moneyTx) releaseHold(ctx context.Context, tx *store.Tx, now time.Time) error {
	if !t.Held() {
		return nil
	}
	return t.expire(ctx, tx, PaymentActor(t.WorkspaceID), now)
}

// Forget erases who wanted a booking that came to nothing.
func (s *Service) ForgetGuest(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.inMoneyTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *moneyTx) error {
		if t.LedgerAccount().NextStep(true, true) != ledger.Forget {
			return nil
		}
		return tx.ForgetExpiredAttendee(ctx,
			sqlcgen.ForgetExpiredAttendeeParams{WorkspaceID: workspaceID, ID: t.BookingID})
	})
}

// hear writes down what is new, and reports whether there was any.
func (t *moneyTx) post(ctx context.Context, tx *store.Tx, h ledger.Statement, now time.Time) (isNew bool, err error) {
	a := t.LedgerAccount()
	for _, e := range a.Post(h) {
		isNew = true
		if err := t.insertEntry(ctx, tx, e, now); err != nil {
			return isNew, err
		}
		if e.Kind != ledger.Disputed {
			continue
		}
		if err := t.enqueueOwnerMail(ctx, tx, mail.PaymentDisputed, now); err != nil {
			return isNew, err
		}
	}
	if a.Payment == t.Payment && a.Closed == t.Closed {
		return isNew, nil
	}
	t.Payment, t.Closed = a.Payment, a.Closed
	err = tx.UpdateCheckout(ctx, sqlcgen.UpdateCheckoutParams{WorkspaceID: t.WorkspaceID, BookingID: t.BookingID,
		Payment: a.Payment, Closed: a.Closed})
	if err != nil {
		return isNew, fmt.Errorf("note the payment of booking %s: %w", t.BookingID, err)
	}
	return isNew, nil
}

// confirm makes a held booking one like any other.
func (t *moneyTx) confirm(ctx context.Context, tx *store.Tx, c *snapshot.Config, now time.Time) error {
	b := t.Booking
	t.removed, t.changed = append(t.removed, claimOf(b)), true
	b.State, b.HeldUntil = slotd.Confirmed, time.Time{}
	t.added = append(t.added, claimOf(b))
	err := tx.SetBookingState(ctx,
		sqlcgen.SetBookingStateParams{WorkspaceID: t.WorkspaceID, ID: t.BookingID, State: string(b.State)})
	if err != nil {
		return fmt.Errorf("confirm booking %s: %w", b.ID, err)
	}
	n, err := tx.KeepClaim(ctx, sqlcgen.KeepClaimParams{WorkspaceID: t.WorkspaceID, HostID: t.HostID,
		BookingID: t.BookingID})
	if err == nil && n != 1 {
		err = fmt.Errorf("it has %d claims", n)
	}
	if err != nil {
		return fmt.Errorf("keep the claim of booking %s: %w", b.ID, err)
	}
	if err := recordEvent(ctx, tx, PaymentActor(t.WorkspaceID), b.ID, now, "paid",
		map[string]string{"starts_at": slotd.Instant(b.StartsAt)}); err != nil {
		return err
	}
	if err := enqueueMails(ctx, tx, t.WorkspaceID, b, mail.Booked, time.Time{}, now); err != nil {
		return err
	}
	return writeBack(ctx, tx, c, b, now)
}

// confirmLate is confirm after the hold has ended: the time may have gone to somebody else.
func (t *moneyTx) confirmLate(ctx context.Context, tx *store.Tx, p *snapshot.Snapshot, reads map[int64]time.Time,
	now time.Time) error {
	b := t.Booking
	if t.Held() {
		if err := t.expire(ctx, tx, PaymentActor(t.WorkspaceID), now); err != nil {
			return err
		}
	}
	b.HeldUntil = time.Time{}
	c, err := loadInTx(ctx, tx, p, now)
	if err != nil {
		return err
	}
	free, err := t.stillFree(ctx, c, reads, now)
	if err != nil {
		return err
	}
	if !free {
		return t.refundLate(ctx, tx, now)
	}
	t.removed = append(t.removed, c.ended...)
	if err := insertClaim(ctx, tx, c.WorkspaceID, c.HostID, b); err != nil {
		return err
	}
	return t.confirm(ctx, tx, c.Config, now)
}

// stillFree asks less than a guest who comes now would be asked: this one came in time, and has paid since.
func (t *moneyTx) stillFree(ctx context.Context, c *txWorkspace, reads map[int64]time.Time, now time.Time) (bool,
	error) {
	e := c.EventTypeByID(t.Booking.EventTypeID)
	// or who it was is forgotten
	if e == nil || c.Schedule(e) == nil || !t.Booking.StartsAt.After(now) || t.Booking.Attendee.Email == "" {
		return false, nil
	}
	asBooked := *e
	asBooked.MinimumNoticeMinutes = 0
	asBooked.DurationMinutes = int(t.Booking.EndsAt.Sub(t.Booking.StartsAt) / time.Minute)
	asBooked.BufferBeforeMinutes, asBooked.BufferAfterMinutes = t.Booking.BufferBeforeMinutes,
		t.Booking.BufferAfterMinutes
	reason, _, err := c.check(ctx, &asBooked, t.Booking.StartsAt, now, nil, reads)
	if slotd.Is(err, slotd.CalendarUnavailable) { // nobody knows; money that waits is worse than money that goes back
		return false, nil
	}
	return reason == slots.Free, err
}

// paidTooLate is how the history calls it.
const PaidTooLateEvent = "paid_too_late"

// refuseLate gives the money back, because the time is another's.
func (t *moneyTx) refundLate(ctx context.Context, tx *store.Tx, now time.Time) error {
	b := t.Booking
	amount, err := t.requestRefund(ctx, tx, now)
	if err != nil {
		return err
	}
	err = tx.CancelBooking(ctx, sqlcgen.CancelBookingParams{WorkspaceID: t.WorkspaceID, ID: t.BookingID,
		RefundedCents: amount})
	if err != nil {
		return fmt.Errorf("cancel booking %s: %w", b.ID, err)
	}
	b.State, b.RefundedCents = slotd.Canceled, amount
	b.Sequence++
	if err := recordEvent(ctx, tx, PaymentActor(t.WorkspaceID), b.ID, now, PaidTooLateEvent,
		map[string]string{"starts_at": slotd.Instant(b.StartsAt)}); err != nil {
		return err
	}
	if b.Attendee.Email == "" { // forgotten, as nobody expected it any more
		return nil
	}
	return enqueueMails(ctx, tx, t.WorkspaceID, b, mail.PaidTooLate, time.Time{}, now)
}

// CameTooLate reports whether a canceled booking never was one: its time was another's when it was paid for.
func (s *Service) PaidTooLate(ctx context.Context, workspaceID int64, b *slotd.Booking) (bool, error) {
	if b.State != slotd.Canceled || b.Price == nil {
		return false, nil
	}
	events, err := s.db.Read().BookingEvents(ctx,
		sqlcgen.BookingEventsParams{WorkspaceID: workspaceID, BookingID: b.ID.String()})
	if err != nil {
		return false, fmt.Errorf("load the history of booking %s: %w", b.ID, err)
	}
	return slices.ContainsFunc(events, func(e sqlcgen.BookingEventsRow) bool { return e.Kind == PaidTooLateEvent }), nil
}
