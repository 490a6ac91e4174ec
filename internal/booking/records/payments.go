package records

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/lib/say"
	"slotd/internal/money/ledger"
	"slotd/internal/store/sqlcgen"
)

// PaymentSummary is the state of one booking's payment.
type PaymentSummary struct {
	BookingID  string        `json:"booking_id"`
	EventTitle string        `json:"event_title"`
	StartsAt   time.Time     `json:"starts_at"`
	State      slotd.State   `json:"state"`
	Account    string        `json:"account"`
	Price      slotd.Price   `json:"price"`
	Paid       slotd.Price   `json:"paid"`
	Refunded   slotd.Price   `json:"refunded"`
	Due        slotd.Price   `json:"due"`      // requested as a refund, and not refunded yet
	Disputed   bool          `json:"disputed"` // and not won
	Ledger     ledger.Ledger `json:"ledger"`
}

// Note returns what needs the owner's attention, or an empty string.
func (p *PaymentSummary) Note() string {
	switch {
	case p.Due.AmountCents > 0:
		return say.T("refund due: %s", p.Due)
	case p.Disputed:
		return say.T("disputed")
	}
	return ""
}

// ListPayments lists a workspace's payments since a time, newest first. It leaves out checkouts that were never paid.
func (s *Service) ListPayments(ctx context.Context, workspaceID int64, since time.Time, limit int) ([]PaymentSummary,
	error) {
	from := int64(0)
	if !since.IsZero() {
		from = since.UnixMilli()
	}
	rows, err := s.DB.Read().Checkouts(ctx,
		sqlcgen.CheckoutsParams{WorkspaceID: workspaceID, CreatedAt: from, Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list the payments: %w", err)
	}
	all := make([]PaymentSummary, len(rows))
	for i, row := range rows {
		if all[i], err = s.paymentSummary(ctx, workspaceID, row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Service) paymentSummary(ctx context.Context, workspaceID int64, row sqlcgen.CheckoutsRow) (p PaymentSummary,
	err error) {
	price, err := booking.PriceInTerms(row.Terms)
	if err != nil || price == nil {
		return p, fmt.Errorf("terms of booking %s: %w", row.BookingID, err)
	}
	id, err := uuid.Parse(row.BookingID)
	if err != nil {
		return p, err
	}
	l, err := booking.LoadLedger(ctx, s.DB.Read(), workspaceID, id)
	if err != nil {
		return p, err
	}
	if l == nil {
		l = ledger.Ledger{} // in JSON, [] and not null
	}
	amount := func(cents int64) slotd.Price { return slotd.Price{AmountCents: cents, Currency: price.Currency} }
	return PaymentSummary{
		BookingID: row.BookingID, EventTitle: row.EventTitle, StartsAt: time.UnixMilli(row.StartsAt).UTC(),
		State: slotd.State(row.State), Account: row.Account,
		Price: *price, Paid: amount(l.Paid()), Refunded: amount(l.Refunded()), Due: amount(l.Due()),
		Disputed: l.IsDisputed(), Ledger: l,
	}, nil
}
