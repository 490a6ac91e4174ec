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
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// ApplyPaymentJob applies an event of the payment service.
const ApplyPaymentJob = "stripe_event"

// eventRetention is how long events are remembered. The payment service resends an event for three days.
const eventRetention = 40 * 24 * time.Hour

// ReceiveEvent stores an event once, with the job that applies it. account is the id of a workspace with its own
// account, or 0 for the operator's account. An event may only be about payments into its account. ReceiveEvent returns
// why it ignores an event, or an empty string.
func (s *Service) ReceiveEvent(ctx context.Context, account int64, e *stripe.Event) (ignored string, err error) {
	m, reason, err := s.paymentStateOf(ctx, account, e)
	if err != nil || reason != "" {
		return reason, err
	}
	statement := m.withDefaults(ledger.Statement{Entries: e.Entries, Payment: e.Payment, Closed: e.Expired})
	detail, err := json.Marshal(statement)
	if err != nil {
		return "", err
	}
	now := s.now()
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.ForgetStripeEvents(ctx, now.Add(-eventRetention).UnixMilli()); err != nil {
			return fmt.Errorf("forget old events: %w", err)
		}
		n, err := tx.InsertStripeEvent(ctx,
			sqlcgen.InsertStripeEventParams{Account: account, ID: e.ID, Kind: e.Kind, ReceivedAt: now.UnixMilli()})
		if err != nil {
			return fmt.Errorf("keep the event: %w", err)
		}
		if n == 0 {
			ignored = say.T("it was received before")
			return nil
		}
		if reject := m.rejectReason(statement); reject != "" {
			ignored = say.T("%s; Stripe is asked instead", reject)
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

// paymentStateOf finds the payment that an event is about, or returns why the event is ignored. An event with a
// checkout session or a known payment is matched by that alone. A refund may be reported before its payment: then the
// event itself names the booking.
func (s *Service) paymentStateOf(ctx context.Context, account int64, e *stripe.Event) (m *PaymentState, ignored string,
	err error) {
	if len(e.Entries) == 0 && !e.Expired {
		return nil, say.T("it says nothing that concerns bookings"), nil
	}
	found, err := s.bookingOfEvent(ctx, account, e)
	if errors.Is(err, sql.ErrNoRows) && e.Session == "" && e.Booking.ID != uuid.Nil {
		found, err = e.Booking, nil
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, say.T("no booking is paid for by it into this account"), nil
	} else if err != nil {
		return nil, "", fmt.Errorf("find the booking of event %s: %w", e.ID, err)
	}
	m, err = s.PaymentState(ctx, found.WorkspaceID, found.ID)
	switch {
	case err != nil:
		return nil, "", err
	case m == nil:
		return nil, say.T("there is no such booking"), nil
	case m.ownAccount() != account:
		return nil, say.T("the booking is paid for into another account"), nil
	case e.Payment != "" && m.Payment != "" && e.Payment != m.Payment:
		return nil, say.T("the booking was paid for by another payment"), nil
	}
	return m, "", nil
}

func (s *Service) bookingOfEvent(ctx context.Context, account int64,
	e *stripe.Event) (found stripe.Booking, err error) {
	var id string
	if e.Session != "" {
		row, rowErr := s.db.Read().CheckoutBySession(ctx,
			sqlcgen.CheckoutBySessionParams{SessionID: e.Session, OfAccount: account})
		found.WorkspaceID, id, err = row.WorkspaceID, row.BookingID, rowErr
	} else {
		row, rowErr := s.db.Read().CheckoutByPayment(ctx,
			sqlcgen.CheckoutByPaymentParams{Payment: e.Payment, OfAccount: account})
		found.WorkspaceID, id, err = row.WorkspaceID, row.BookingID, rowErr
	}
	if err != nil {
		return found, err
	}
	found.ID, err = uuid.Parse(id)
	return found, err
}

// ownAccount returns the workspace's id if the workspace's own account is used, and 0 if it is the operator's.
func (m *PaymentState) ownAccount() int64 {
	if m.Account == accounts.Own {
		return m.WorkspaceID
	}
	return 0
}

// withDefaults fills in what a statement leaves out: a payment without an amount is about the whole price, and an
// entry without a currency is in the currency of the price.
func (m *PaymentState) withDefaults(st ledger.Statement) ledger.Statement {
	st.Entries = slices.Clone(st.Entries)
	for i := range st.Entries {
		e := &st.Entries[i]
		if e.Currency == "" {
			e.Currency = m.Booking.Price.Currency
		}
		if e.Amount == 0 && (e.Kind == ledger.Paid || e.Kind == ledger.Authorized) {
			e.Amount = m.Booking.Price.AmountCents
		}
	}
	return st
}

// rejectReason returns why an event is not trusted, or an empty string. Whoever owns an account can sign anything.
func (m *PaymentState) rejectReason(st ledger.Statement) string {
	switch {
	case len(m.plausible(st).Entries) < len(st.Entries):
		return say.T("it speaks of money that was not asked for by booking %s", m.BookingID)
	case len(st.Entries) > maxStatementEntries || len(m.Ledger) > maxLedgerEntries:
		return say.T("too much was said about booking %s", m.BookingID)
	}
	return ""
}

// Both limits are many times what a payment service reports about one booking.
const maxStatementEntries, maxLedgerEntries = 100, 1000

// plausible removes impossible entries: payments and refunds are always in the currency of the price.
func (m *PaymentState) plausible(st ledger.Statement) ledger.Statement {
	const maxAmount = 1e12 // so that no sum overflows
	st.Entries = slices.DeleteFunc(slices.Clone(st.Entries), func(e ledger.Entry) bool {
		return e.Amount <= 0 || e.Amount > maxAmount || e.Currency != m.Booking.Price.Currency || e.Reference == ""
	})
	return st
}
