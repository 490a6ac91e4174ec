package booking

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd/internal/jobs"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// HearJob does what follows from an event of the payment service.
const ApplyPaymentJob = "stripe_event"

// keptEvents is for how long an event is known: the payment service repeats one for three days.
const keptEvents = 40 * 24 * time.Hour

// Receive keeps an event once, and the job that follows from it. The account is a workspace with one of its own,
// or 0 for the operator's; it may only speak of what was paid into it. What is not ours is ignored, with the reason.
func (s *Service) Receive(ctx context.Context, account int64, e *stripe.Event) (ignored string, err error) {
	m, why, err := s.moneyOf(ctx, account, e)
	if err != nil || why != "" {
		return why, err
	}
	heard := m.whole(ledger.Statement{Entries: e.News, Payment: e.Payment, Closed: e.Expired})
	detail, err := json.Marshal(heard)
	if err != nil {
		return "", err
	}
	now := s.now()
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.ForgetStripeEvents(ctx, now.Add(-keptEvents).UnixMilli()); err != nil {
			return fmt.Errorf("forget old events: %w", err)
		}
		n, err := tx.InsertStripeEvent(ctx,
			sqlcgen.InsertStripeEventParams{Account: account, ID: e.ID, Kind: e.Kind, ReceivedAt: now.UnixMilli()})
		if err != nil {
			return fmt.Errorf("keep the event: %w", err)
		}
		if n == 0 {
			ignored = "it was received before"
			return nil
		}
		if doubt := m.doubt(heard); doubt != "" {
			ignored = doubt + "; Stripe is asked instead"
			return m.scheduleSettlement(ctx, tx, now, now)
		}
		return jobs.Enqueue(ctx, tx, []jobs.Job{{
			WorkspaceID: m.WorkspaceID, Booking: m.Booking.ID, ID: m.BookingID + "." + ApplyPaymentJob + "." + e.ID,
			Queue: jobs.Event, Kind: ApplyPaymentJob, Detail: string(detail), CreatedAt: now, DueAt: now,
		}})
	})
	if err == nil && s.wake != nil {
		s.wake()
	}
	return ignored, err
}

// moneyOf finds what an event is about, or why it is none of the account's. What knows its checkout or its payment
// is found by that alone. A refund may be told of before its payment: it says itself which booking it is for.
func (s *Service) moneyOf(ctx context.Context, account int64, e *stripe.Event) (m *PaymentState, why string,
	err error) {
	if len(e.News) == 0 && !e.Expired {
		return nil, "it says nothing that concerns bookings", nil
	}
	of, err := s.find(ctx, account, e)
	if errors.Is(err, sql.ErrNoRows) && e.Session == "" && e.Booking.ID != uuid.Nil {
		of, err = e.Booking, nil
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "no booking is paid for by it into this account", nil
	} else if err != nil {
		return nil, "", fmt.Errorf("find the booking of event %s: %w", e.ID, err)
	}
	m, err = s.PaymentState(ctx, of.WorkspaceID, of.ID)
	switch {
	case err != nil:
		return nil, "", err
	case m == nil:
		return nil, "there is no such booking", nil
	case m.ownAccount() != account:
		return nil, "the booking is paid for into another account", nil
	case e.Payment != "" && m.Payment != "" && e.Payment != m.Payment:
		return nil, "the booking was paid for by another payment", nil
	}
	return m, "", nil
}

func (s *Service) find(ctx context.Context, account int64, e *stripe.Event) (of stripe.Booking, err error) {
	var id string
	if e.Session != "" {
		row, wrong := s.db.Read().CheckoutBySession(ctx,
			sqlcgen.CheckoutBySessionParams{SessionID: e.Session, OfAccount: account})
		of.WorkspaceID, id, err = row.WorkspaceID, row.BookingID, wrong
	} else {
		row, wrong := s.db.Read().CheckoutByPayment(ctx,
			sqlcgen.CheckoutByPaymentParams{Payment: e.Payment, OfAccount: account})
		of.WorkspaceID, id, err = row.WorkspaceID, row.BookingID, wrong
	}
	if err != nil {
		return of, err
	}
	of.ID, err = uuid.Parse(id)
	return of, err
}

// ownAccount is the workspace if the money is its own, and 0 if it is the operator's.
func (m *PaymentState) ownAccount() int64 {
	if m.Account == accounts.Own {
		return m.WorkspaceID
	}
	return 0
}

// whole takes from the order what is not said: who has paid has paid all of it, and in its currency.
func (m *PaymentState) whole(h ledger.Statement) ledger.Statement {
	h.Entries = slices.Clone(h.Entries)
	for i := range h.Entries {
		e := &h.Entries[i]
		if e.Currency == "" {
			e.Currency = m.Booking.Price.Currency
		}
		if e.Amount == 0 && (e.Kind == ledger.Paid || e.Kind == ledger.Authorized) {
			e.Amount = m.Booking.Price.AmountCents
		}
	}
	return h
}

// doubt is what is wrong with what an event says. Whoever has an account can sign anything.
func (m *PaymentState) doubt(h ledger.Statement) string {
	switch {
	case len(m.believed(h).Entries) < len(h.Entries):
		return fmt.Sprintf("it speaks of money that was not asked for by booking %s", m.BookingID)
	case len(h.Entries) > mostNews || len(m.Ledger) > mostEntries:
		return fmt.Sprintf("too much was said about booking %s", m.BookingID)
	}
	return ""
}

// What a payment service has to say about one booking, and many times more.
const mostNews, mostEntries = 100, 1000

// believed leaves out what cannot be: money comes and goes in the currency that was asked for.
func (m *PaymentState) believed(h ledger.Statement) ledger.Statement {
	const most = 1e12 // so that no sum runs over
	h.Entries = slices.DeleteFunc(slices.Clone(h.Entries), func(e ledger.Entry) bool {
		return e.Amount <= 0 || e.Amount > most || e.Currency != m.Booking.Price.Currency || e.Reference == ""
	})
	return h
}
