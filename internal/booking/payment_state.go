package booking

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// SettleJob settles what is open with the payment service about one booking.
const SettleJob = "settle"

// PaymentState is everything about the payment of one booking, whatever the booking's state.
type PaymentState struct {
	Booking *slotd.Booking
	HostID  int64
	sqlcgen.Checkout
	Ledger ledger.Ledger
}

// Held reports whether the booking and its time are held until it is paid for.
func (m *PaymentState) Held() bool { return m.Booking.IsHeldFor(slotd.ForPayment) }

// HoldEnded reports whether the hold has ended, so that somebody else may have booked the time.
func (m *PaymentState) HoldEnded(now time.Time) bool { return m.Booking.Hold.IsOver(now) }

// LedgerAccount returns the account from which the ledger decides what happens next.
func (m *PaymentState) LedgerAccount() *ledger.Account {
	return &ledger.Account{
		State: m.Booking.State, Ledger: m.Ledger, Payment: m.Payment, Closed: m.Closed,
		GuestKnown: m.Booking.Attendee.Email != "",
	}
}

// PaymentState loads the payment state of a booking. It returns nil if the booking has no checkout.
func (s *Service) PaymentState(ctx context.Context, workspaceID int64, id uuid.UUID) (*PaymentState, error) {
	return LoadPaymentState(ctx, s.db.Read(), workspaceID, id)
}

// LoadPaymentState is like Service.PaymentState, with the given queries.
func LoadPaymentState(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*PaymentState, error) {
	m, err := loadCheckout(ctx, q, workspaceID, id)
	if err != nil || m == nil {
		return nil, err
	}
	if m.Booking, m.HostID, err = readBooking(ctx, q, workspaceID, id); err != nil {
		return nil, err
	} else if m.Booking == nil {
		return nil, fmt.Errorf("booking %s has a checkout but does not exist", id)
	}
	m.Ledger, err = LoadLedger(ctx, q, workspaceID, id)
	return m, err
}

// loadCheckout returns a payment state that has only the checkout. It returns nil if there is none.
func loadCheckout(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*PaymentState, error) {
	m := &PaymentState{}
	var err error
	m.Checkout, err = q.Checkout(ctx, sqlcgen.CheckoutParams{WorkspaceID: workspaceID, BookingID: id.String()})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("load the checkout of booking %s: %w", id, err)
	}
	return m, nil
}

// LoadLedger reads the ledger of a booking.
func LoadLedger(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (ledger.Ledger, error) {
	rows, err := q.Payments(ctx, sqlcgen.PaymentsParams{WorkspaceID: workspaceID, BookingID: id.String()})
	if err != nil {
		return nil, fmt.Errorf("load the payments of booking %s: %w", id, err)
	}
	var l ledger.Ledger
	for _, row := range rows {
		l = append(l, ledger.Entry{
			Kind: ledger.Kind(row.Kind), Amount: row.AmountCents, Currency: row.Currency, Reference: row.Reference,
			At: time.UnixMilli(row.At).UTC(),
		})
	}
	return l, nil
}

// insertEntry adds a new entry to the ledger.
func (m *PaymentState) insertEntry(ctx context.Context, tx *store.Tx, e ledger.Entry, now time.Time) error {
	e.At = now
	m.Ledger, _ = m.Ledger.Post(e)
	err := tx.InsertPayment(ctx, sqlcgen.InsertPaymentParams{
		WorkspaceID: m.WorkspaceID, BookingID: m.BookingID, At: now.UnixMilli(), Kind: string(e.Kind),
		AmountCents: e.Amount, Currency: e.Currency, Reference: e.Reference,
	})
	if err != nil {
		return fmt.Errorf("add to the payments of booking %s: %w", m.BookingID, err)
	}
	return nil
}

// requestRefund requests a refund of the whole balance and returns its amount. The balance may grow later: a dispute
// may be won, or a refund that was made by hand may be returned.
func (m *PaymentState) requestRefund(ctx context.Context, tx *store.Tx, now time.Time) (int64, error) {
	if m.Ledger.Payment() == "" {
		return 0, nil
	}
	amount := max(0, m.Ledger.Balance())
	request := ledger.Entry{Kind: ledger.RefundRequested, Amount: amount, Currency: m.Booking.Price.Currency,
		Reference: "all"}
	if err := m.insertEntry(ctx, tx, request, now); err != nil {
		return 0, err
	}
	return amount, m.scheduleSettlement(ctx, tx, now, now)
}

// scheduleSettlement schedules the settle job for the given time, unless it is already due earlier.
func (m *PaymentState) scheduleSettlement(ctx context.Context, tx *store.Tx, at, now time.Time) error {
	return scheduleSettlement(ctx, tx, m.WorkspaceID, m.Booking.ID, at, now)
}

func scheduleSettlement(ctx context.Context, tx *store.Tx, workspaceID int64, id uuid.UUID, at, now time.Time) error {
	job := jobs.Job{
		WorkspaceID: workspaceID, Booking: id, ID: id.String() + "." + SettleJob, Queue: jobs.Payment,
		Kind: SettleJob, Detail: "{}", CreatedAt: now, DueAt: at,
	}
	if err := jobs.BringForward(ctx, tx, job); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{job})
}
