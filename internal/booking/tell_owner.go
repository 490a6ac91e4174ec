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
const OwnerJob = "tell_owner_of_money"

// tellOwner has the owner mailed once about each trouble.
func (t *turn) tellOwner(ctx context.Context, tx *store.Tx, what mail.MoneyTrouble, now time.Time) error {
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: t.WorkspaceID, Booking: t.Booking.ID, ID: fmt.Sprintf("%s.%s", t.BookingID, what),
		Queue: jobs.Mail, Kind: OwnerJob, Sequence: t.Booking.Sequence, Detail: string(what), CreatedAt: now, DueAt: now,
	}})
}

// TellDue tells the owner, once, that a refund cannot be made.
func (s *Service) TellDue(ctx context.Context, workspaceID int64, id uuid.UUID) error {
	return s.withMoney(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *turn) error {
		if t.Told || t.Ledger.Due() == 0 {
			return nil
		}
		if err := tx.TellOfCheckout(ctx, sqlcgen.TellOfCheckoutParams{WorkspaceID: workspaceID, BookingID: t.BookingID}); err != nil {
			return fmt.Errorf("note that the owner was told of booking %s: %w", t.BookingID, err)
		}
		return t.tellOwner(ctx, tx, mail.RefundDue, s.Now())
	})
}
