package records

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd/internal/booking"
	"slotd/internal/lib/say"
	"slotd/internal/money"
	"slotd/internal/money/accounts"
	"slotd/internal/store/sqlcgen"
)

// Difference is a point on which our ledger and the payment service disagree.
type Difference struct {
	BookingID string `json:"booking_id"`
	What      string `json:"what"`
}

// maxCompared limits one comparison: each booking takes up to three requests.
const maxCompared = 10_000

// Reconcile compares a workspace's payments since a time with those of the payment service. It changes nothing.
func (s *Service) Reconcile(ctx context.Context, workspaceID int64, since time.Time) (compared int, all []Difference,
	err error) {
	rows, err := s.DB.Read().Checkouts(ctx,
		sqlcgen.CheckoutsParams{WorkspaceID: workspaceID, CreatedAt: since.UnixMilli(), UnpaidToo: 1,
			Limit: maxCompared + 1})
	if err != nil {
		return 0, nil, fmt.Errorf("list the payments: %w", err)
	} else if len(rows) > maxCompared {
		return 0, nil, fmt.Errorf("there are more than %d payments: look at fewer days", maxCompared)
	}
	for _, row := range rows {
		if row.SessionID == "" {
			continue
		}
		id, err := uuid.Parse(row.BookingID)
		if err != nil {
			return compared, all, err
		}
		m, err := booking.LoadPaymentState(ctx, s.DB.Read(), workspaceID, id)
		if err != nil {
			return compared, all, err
		}
		differences, err := s.compare(ctx, m)
		if err != nil {
			return compared, all, fmt.Errorf("booking %s: %w", id, err)
		}
		compared++
		for _, what := range differences {
			all = append(all, Difference{row.BookingID, what})
		}
	}
	return compared, all, nil
}

// compare lists what only one side knows.
func (s *Service) compare(ctx context.Context, m *booking.PaymentState) (differences []string, err error) {
	client, err := s.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if errors.Is(err, accounts.ErrNoAccount) && m.Account == accounts.Own {
		return []string{say.T("its checkout is in an account of the workspace's own that is no longer connected")}, nil
	} else if err != nil {
		return nil, err
	}
	return money.Compare(ctx, client, m.SessionID, m.Ledger, m.Booking.Price.Currency)
}
