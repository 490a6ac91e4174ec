package booking

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd/internal/jobs"
	"slotd/internal/ledger"
	"slotd/internal/pay"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/till"
)

// HearJob does what follows from an event of the payment service.
const HearJob = "stripe_event"

// keptEvents is for how long an event is known: the payment service repeats one for three days.
const keptEvents = 40 * 24 * time.Hour

// Receive keeps an event once, and the job that follows from it. The account is a workspace with one of its own,
// or 0 for the operator's; it may only speak of what was paid into it. What is not ours is ignored, with the reason.
func (s *Service) Receive(ctx context.Context, account int64, e *pay.Event) (ignored string, err error) {
	of, why, err := s.bookingOf(ctx, account, e)
	if err != nil || why != "" {
		return why, err
	}
	detail, err := json.Marshal(ledger.Heard{News: e.News, Payment: e.Payment, Closed: e.Expired})
	if err != nil {
		return "", err
	}
	now := s.Now()
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.ForgetStripeEvents(ctx, now.Add(-keptEvents).UnixMilli()); err != nil {
			return fmt.Errorf("forget old events: %w", err)
		}
		n, err := tx.InsertStripeEvent(ctx, sqlcgen.InsertStripeEventParams{Account: account, ID: e.ID, Kind: e.Kind, ReceivedAt: now.UnixMilli()})
		if err != nil {
			return fmt.Errorf("keep the event: %w", err)
		}
		if n == 0 {
			ignored = "it was received before"
			return nil
		}
		return jobs.Enqueue(ctx, tx, []jobs.Job{{
			WorkspaceID: of.WorkspaceID, Booking: of.ID, ID: of.ID.String() + "." + HearJob + "." + e.ID,
			Queue: jobs.Payment, Kind: HearJob, Detail: string(detail), CreatedAt: now, DueAt: now,
		}})
	})
	if err == nil && s.Wake != nil {
		s.Wake()
	}
	return ignored, err
}

// bookingOf finds the booking that an event is about, and why it is none of the account's.
func (s *Service) bookingOf(ctx context.Context, account int64, e *pay.Event) (of pay.Booking, why string, err error) {
	if len(e.News) == 0 && !e.Expired {
		return of, "it says nothing that concerns bookings", nil
	}
	if of = e.Booking; of.ID == uuid.Nil {
		row, err := s.DB.Read().CheckoutByPayment(ctx, e.Payment)
		if errors.Is(err, sql.ErrNoRows) {
			return of, "no booking was paid for by it", nil
		} else if err != nil {
			return of, "", fmt.Errorf("look for payment %s: %w", e.Payment, err)
		}
		of.WorkspaceID = row.WorkspaceID
		if of.ID, err = uuid.Parse(row.BookingID); err != nil {
			return of, "", err
		}
	}
	m, err := s.Money(ctx, of.WorkspaceID, of.ID)
	switch {
	case err != nil:
		return of, "", err
	case m == nil:
		return of, "there is no such booking", nil
	case m.ownAccount() != account:
		return of, "the booking was paid for into another account", nil
	case e.Session != "" && e.Session != m.SessionID:
		return of, "the booking is paid for by another checkout", nil
	case e.Session == "" && e.Payment != "" && m.Payment != "" && e.Payment != m.Payment:
		return of, "the booking was paid for by another payment", nil
	}
	return of, "", nil
}

// ownAccount is the workspace if the money is its own, and 0 if it is the operator's.
func (m *Money) ownAccount() int64 {
	if m.Account == till.Own {
		return m.WorkspaceID
	}
	return 0
}
