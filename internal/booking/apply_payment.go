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

// Payments returns the actor for changes that follow from a payment, or from a payment that did not arrive.
func Payments(workspaceID int64) Actor {
	return Actor{workspaceID, slotd.Actor{Kind: slotd.PaymentActor}}
}

// ApplyPayment posts the new entries of a statement to the booking's ledger and changes the booking accordingly. A
// payment confirms a held booking. If the hold has ended, the payment confirms the booking only if its time is still
// free; otherwise it is refunded.
func (s *Service) ApplyPayment(ctx context.Context, workspaceID int64, id uuid.UUID, st ledger.Statement) error {
	p, err := s.cache.Latest(ctx, workspaceID)
	if err != nil {
		return err
	}
	m, err := s.PaymentState(ctx, workspaceID, id)
	if err != nil || m == nil {
		return err
	}
	st = m.plausible(m.withDefaults(st))
	var reads map[int64]time.Time
	if a := m.LedgerAccount(); len(a.Post(st)) > 0 && a.Effect(m.HoldEnded(s.now())) == ledger.Recheck {
		reads = s.readCalendars(ctx, p.Config)
	}
	return s.inPaymentTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *paymentTx) error {
		now := s.now()
		isNew, err := t.post(ctx, tx, st, now)
		if err != nil {
			return err
		}
		switch t.LedgerAccount().Effect(t.HoldEnded(now)) {
		case ledger.Confirm:
			return t.confirm(ctx, tx, p.Config, now)
		case ledger.Recheck:
			return t.confirmLate(ctx, tx, p, reads, now)
		case ledger.StartRefund:
			if !isNew { // the refund job exists already, and paces its own retries
				return nil
			}
			return t.scheduleSettlement(ctx, tx, now, now)
		case ledger.ReleaseHold:
			return t.releaseHold(ctx, tx, now)
		}
		return nil
	})
}

// releaseHold ends the hold of a booking that nobody can pay for anymore.
func (t *paymentTx) releaseHold(ctx context.Context, tx *store.Tx, now time.Time) error {
	if !t.Held() {
		return nil
	}
	return t.transition(ctx, tx, Payments(t.WorkspaceID), slotd.ByHoldEnd, now)
}

// ForgetGuest erases the guest's data of a booking that was never paid for.
func (s *Service) ForgetGuest(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.inPaymentTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *paymentTx) error {
		if t.LedgerAccount().NextStep(true, true) != ledger.Forget {
			return nil
		}
		return tx.EraseAttendee(ctx, workspaceID, t.BookingID)
	})
}

// post writes the new entries of a statement to the ledger, and reports whether there were any.
func (t *paymentTx) post(ctx context.Context, tx *store.Tx, st ledger.Statement,
	now time.Time) (isNew bool, err error) {
	a := t.LedgerAccount()
	for _, e := range a.Post(st) {
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

// confirm makes a booking definite that is paid for.
func (t *paymentTx) confirm(ctx context.Context, tx *store.Tx, c *snapshot.Config, now time.Time) error {
	if err := t.transition(ctx, tx, Payments(t.WorkspaceID), slotd.ByPayment, now); err != nil {
		return err
	}
	return enqueueConfirmed(ctx, tx, c, t.Booking, now)
}

// confirmLate confirms a booking after its hold has ended. Somebody else may have booked the time since.
func (t *paymentTx) confirmLate(ctx context.Context, tx *store.Tx, p *snapshot.Snapshot, reads map[int64]time.Time,
	now time.Time) error {
	if t.Held() {
		if err := t.transition(ctx, tx, Payments(t.WorkspaceID), slotd.ByHoldEnd, now); err != nil {
			return err
		}
	}
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
	t.removed = append(t.removed, c.endedHolds...)
	return t.confirm(ctx, tx, c.Config, now)
}

// stillFree reports whether a late payer can still have the time. It does not apply the minimum notice, and uses the
// duration and buffers of the booking: this guest booked in time and has paid since.
func (t *paymentTx) stillFree(ctx context.Context, c *txWorkspace, reads map[int64]time.Time, now time.Time) (bool,
	error) {
	e := c.EventTypeByID(t.Booking.EventTypeID)
	// An empty address means that the guest's data was erased.
	if e == nil || c.Schedule(e) == nil || !t.Booking.StartsAt.After(now) || t.Booking.Attendee.Email == "" {
		return false, nil
	}
	asBooked := *e
	asBooked.MinimumNoticeMinutes = 0
	asBooked.DurationMinutes = int(t.Booking.EndsAt.Sub(t.Booking.StartsAt) / time.Minute)
	asBooked.BufferBeforeMinutes, asBooked.BufferAfterMinutes = t.Booking.BufferBeforeMinutes,
		t.Booking.BufferAfterMinutes
	reason, _, err := c.check(ctx, &asBooked, t.Booking.StartsAt, now, nil, reads)
	if slotd.Is(err, slotd.CalendarUnavailable) { // a refund is better than a payment that waits for an answer
		return false, nil
	}
	return reason == slots.Free, err
}

// refundLate cancels the booking and refunds the payment, because the time is taken.
func (t *paymentTx) refundLate(ctx context.Context, tx *store.Tx, now time.Time) error {
	b := t.Booking
	amount, err := t.requestRefund(ctx, tx, now)
	if err != nil {
		return err
	}
	b.RefundedCents = amount
	b.Sequence++
	if err := t.transition(ctx, tx, Payments(t.WorkspaceID), slotd.ByLatePayment, now); err != nil {
		return err
	}
	if b.Attendee.Email == "" { // erased, because nobody expected a payment anymore
		return nil
	}
	return enqueueMails(ctx, tx, t.WorkspaceID, b, mail.PaidTooLate, time.Time{}, now)
}

// PaidTooLate reports whether a canceled booking was never confirmed, because its time was taken when it was paid
// for.
func (s *Service) PaidTooLate(ctx context.Context, workspaceID int64, b *slotd.Booking) (bool, error) {
	if b.State != slotd.Canceled || b.Price == nil {
		return false, nil
	}
	events, err := s.db.Read().BookingEvents(ctx,
		sqlcgen.BookingEventsParams{WorkspaceID: workspaceID, BookingID: b.ID.String()})
	if err != nil {
		return false, fmt.Errorf("load the history of booking %s: %w", b.ID, err)
	}
	return slices.ContainsFunc(events,
		func(e sqlcgen.BookingEventsRow) bool { return e.Kind == string(slotd.ByLatePayment) }), nil
}
