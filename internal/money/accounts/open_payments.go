package accounts

import (
	"context"
	"fmt"

	"slotd/internal/money/ledger"
	"slotd/internal/store/sqlcgen"
)

// OpenPayments counts the guests who may be paying into a workspace's own account, or who are owed a refund from it.
func (s *Service) OpenPayments(ctx context.Context, workspaceID int64) (int, error) {
	return openPayments(ctx, s.DB.Read(), workspaceID)
}

func openPayments(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (int, error) {
	open, err := q.CountOpenOwnCheckouts(ctx, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("count the open checkouts of workspace %d: %w", workspaceID, err)
	}
	rows, err := q.OwnPayments(ctx, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("load the payments of workspace %d: %w", workspaceID, err)
	}
	return int(open) + countRefundsDue(rows), nil
}

// AllOpenPayments is OpenPayments for all accounts, including the operator's.
func AllOpenPayments(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (int, error) {
	open, err := q.CountOpenCheckouts(ctx, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("count the open checkouts of workspace %d: %w", workspaceID, err)
	}
	rows, err := q.AllPayments(ctx, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("load the payments of workspace %d: %w", workspaceID, err)
	}
	all := make([]sqlcgen.OwnPaymentsRow, len(rows))
	for i, row := range rows {
		all[i] = sqlcgen.OwnPaymentsRow(row)
	}
	return int(open) + countRefundsDue(all), nil
}

// countRefundsDue counts the bookings with a refund that is still due.
func countRefundsDue(rows []sqlcgen.OwnPaymentsRow) (due int) {
	ledgers := map[string]ledger.Ledger{}
	for _, row := range rows {
		ledgers[row.BookingID] = append(ledgers[row.BookingID],
			ledger.Entry{Kind: ledger.Kind(row.Kind), Amount: row.AmountCents, Reference: row.Reference})
	}
	for _, l := range ledgers {
		if l.Due() > 0 {
			due++
		}
	}
	return due
}
