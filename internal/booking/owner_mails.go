package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// OwnerJob tells the owner of trouble with a payment. Its detail is which.
const OwnerMailJob = "tell_owner_of_money"

// tellOwner has the owner mailed once about each trouble.
func (t *moneyTx) enqueueOwnerMail(ctx context.Context, tx *store.Tx, what mail.PaymentProblemKind,
	now time.Time) error {
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: t.WorkspaceID, Booking: t.Booking.ID, ID: fmt.Sprintf("%s.%s", t.BookingID, what),
		Queue: jobs.Mail, Kind: OwnerMailJob, Sequence: t.Booking.Sequence, Detail: string(what), CreatedAt: now,
		DueAt: now,
	}})
}

// TellDue tells the owner, once, that a refund cannot be made.
func (s *Service) MailRefundDue(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.mailOwnerOnce(ctx, workspaceID, id, mail.RefundDue, func(t *moneyTx) bool { return t.Ledger.Due() > 0 })
}

// TellUnknown tells the owner, once, that nobody knows whether a guest has paid.
func (s *Service) MailPaymentUnknown(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.mailOwnerOnce(ctx, workspaceID, id, mail.MoneyUnknown, func(t *moneyTx) bool { return !t.Closed })
}

// TellAnew has the owner told of the next trouble: this one is over.
func (s *Service) ResetOwnerMail(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.inMoneyTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *moneyTx) error {
		if !t.Told {
			return nil
		}
		return t.setOwnerMailed(ctx, tx, false)
	})
}

func (s *Service) mailOwnerOnce(ctx context.Context, workspaceID int64, id uuid.UUID, what mail.PaymentProblemKind,
	isSo func(*moneyTx) bool) error {
	return s.inMoneyTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *moneyTx) error {
		if t.Told || !isSo(t) {
			return nil
		}
		if err := t.setOwnerMailed(ctx, tx, true); err != nil {
			return err
		}
		return t.enqueueOwnerMail(ctx, tx, what, s.now())
	})
}

func (t *moneyTx) setOwnerMailed(ctx context.Context, tx *store.Tx, told bool) error {
	t.Told = told
	err := tx.SetTold(ctx, sqlcgen.SetToldParams{WorkspaceID: t.WorkspaceID, BookingID: t.BookingID, Told: told})
	if err != nil {
		return fmt.Errorf("note whether the owner was told of booking %s: %w", t.BookingID, err)
	}
	return nil
}
