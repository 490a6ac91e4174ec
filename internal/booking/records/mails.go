package records

import (
	"context"
	"fmt"
	"time"

	"slotd"

	"github.com/google/uuid"

	"slotd/internal/identity"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// FailedMail is a mail that has failed for good.
type FailedMail struct {
	ID        string // of the job
	BookingID string // of the job; the zero UUID if the mail is not about a booking
	Kind      string // of the job
	Detail    string // of the job
	Failures  int64
	FailedAt  int64 // Unix milliseconds
	LastError string
}

// IsAboutBooking reports whether the mail is about a booking.
func (m *FailedMail) IsAboutBooking() bool {
	id, err := uuid.Parse(m.BookingID)
	return err == nil && id != uuid.Nil
}

// FailedMails lists the workspace's failed mails, newest first.
func (s *Service) FailedMails(ctx context.Context, workspaceID int64, limit int) ([]FailedMail, error) {
	rows, err := s.DB.Read().FailedMails(ctx, sqlcgen.FailedMailsParams{WorkspaceID: workspaceID, Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list the mails that were given up: %w", err)
	}
	all := make([]FailedMail, len(rows))
	for i, row := range rows {
		all[i] = FailedMail{row.ID, row.BookingID, row.Kind, row.Detail, row.Failures, row.FailedAt, row.LastError}
	}
	return all, nil
}

// RetryMail retries one of the workspace's failed mails, for as long as a new mail. It returns the number of retried
// mails: 0 if the mail was sent, retried or dropped meanwhile.
func (s *Service) RetryMail(ctx context.Context, workspaceID int64, bookingID, job string, by slotd.Actor,
	now time.Time) (n int64, err error) {
	return s.retry(ctx, workspaceID, by, now, func(ctx context.Context, tx *store.Tx) (int64, string, error) {
		n, err := tx.RetryFailedMail(ctx, sqlcgen.RetryFailedMailParams{WorkspaceID: workspaceID, BookingID: bookingID,
			ID: job, DueAt: now.UnixMilli()})
		return n, job, err
	})
}

// RetryMails is like RetryMail, for all failed mails of the workspace.
func (s *Service) RetryMails(ctx context.Context, workspaceID int64, by slotd.Actor,
	now time.Time) (n int64, err error) {
	return s.retry(ctx, workspaceID, by, now, func(ctx context.Context, tx *store.Tx) (int64, string, error) {
		n, err := tx.RetryFailedMails(ctx,
			sqlcgen.RetryFailedMailsParams{WorkspaceID: workspaceID, DueAt: now.UnixMilli()})
		return n, fmt.Sprintf("%d mails", n), err
	})
}

func (s *Service) retry(ctx context.Context, workspaceID int64, by slotd.Actor, now time.Time,
	retry func(context.Context, *store.Tx) (n int64, detail string, err error)) (n int64, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		var detail string
		if n, detail, err = retry(ctx, tx); err != nil || n == 0 {
			return err
		}
		return identity.RecordActivity(ctx, tx, workspaceID, by, "mail.retried", detail, now)
	})
	if err != nil {
		return 0, fmt.Errorf("try mails again: %w", err)
	}
	if s.Wake != nil {
		s.Wake()
	}
	return n, nil
}
