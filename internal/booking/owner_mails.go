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

// OwnerMailJob mails the owner about a problem with a payment. The job's detail is the kind of problem.
const OwnerMailJob = "tell_owner_of_money"

// enqueueOwnerMail enqueues a mail to the owner, once for each kind of problem.
func (t *paymentTx) enqueueOwnerMail(ctx context.Context, tx *store.Tx, what mail.PaymentProblemKind,
	now time.Time) error {
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: t.WorkspaceID, Booking: t.Booking.ID, ID: fmt.Sprintf("%s.%s", t.BookingID, what),
		Queue: jobs.Mail, Kind: OwnerMailJob, Sequence: t.Booking.Sequence, Detail: string(what), CreatedAt: now,
		DueAt: now,
	}})
}

// MailRefundDue mails the owner, once, that a refund cannot be made.
func (s *Service) MailRefundDue(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.mailOwnerOnce(ctx, workspaceID, id, mail.RefundDue, func(t *paymentTx) bool { return t.Ledger.Due() > 0 })
}

// MailPaymentUnknown mails the owner, once, that it is unknown whether a guest has paid.
func (s *Service) MailPaymentUnknown(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.mailOwnerOnce(ctx, workspaceID, id, mail.PaymentUnknown, func(t *paymentTx) bool { return !t.Closed })
}

// ResetOwnerMail records that the problem is over, so that the owner is mailed about the next one.
func (s *Service) ResetOwnerMail(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.inPaymentTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *paymentTx) error {
		if !t.Told {
			return nil
		}
		return t.setOwnerMailed(ctx, tx, false)
	})
}

func (s *Service) mailOwnerOnce(ctx context.Context, workspaceID int64, id uuid.UUID, what mail.PaymentProblemKind,
	applies func(*paymentTx) bool) error {
	return s.inPaymentTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *paymentTx) error {
		if t.Told || !applies(t) {
			return nil
		}
		if err := t.setOwnerMailed(ctx, tx, true); err != nil {
			return err
		}
		return t.enqueueOwnerMail(ctx, tx, what, s.now())
	})
}

func (t *paymentTx) setOwnerMailed(ctx context.Context, tx *store.Tx, mailed bool) error {
	t.Told = mailed
	err := tx.SetTold(ctx, sqlcgen.SetToldParams{WorkspaceID: t.WorkspaceID, BookingID: t.BookingID, Told: mailed})
	if err != nil {
		return fmt.Errorf("note whether the owner was told of booking %s: %w", t.BookingID, err)
	}
	return nil
}
