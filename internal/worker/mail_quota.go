package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// At most so many mails go to one address in an hour. Each mail takes a turn before it is sent; those
// beyond wait until the oldest turn is an hour old, and ask again.
const (
	mailsPerHour = 30
	// freely many files are written without one: a file may be written again, and 9 and two servers'
	// rounds of 10 are still below 30.
	filesWithoutQuota = 10
)

// takeTurn is nil if the mail may go now. A server that dies before it says what became of the mail
// has used the turn.
func (m *Mailer) reserveQuota(ctx context.Context, j *jobs.Job, address []byte) error {
	now := m.Now()
	turns, err := quotaUsed(ctx, m.DB.Read(), j, address, now)
	switch {
	case err != nil:
		return err
	case turns.Taken >= mailsPerHour:
		return quotaUsedUp(turns)
	case m.ToFiles && turns.Taken < filesWithoutQuota:
		return nil
	}
	return m.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockNumber(ctx, int64(binary.BigEndian.Uint64(address))); err != nil {
			return err
		}
		turns, err := quotaUsed(ctx, tx.Queries, j, address, now)
		if err != nil {
			return err
		}
		if turns.Taken >= mailsPerHour {
			return quotaUsedUp(turns)
		}
		return writeQuota(ctx, tx, j, address, now, 0)
	})
}

func quotaUsedUp(turns sqlcgen.MailQuotaUsedRow) error {
	free := time.UnixMilli(turns.Oldest).Add(time.Hour)
	return jobs.RetryAt(free, fmt.Sprintf("waits: at most %d mails go to one address in an hour", mailsPerHour))
}

// returnTurn is for mails that were not sent.
func (m *Mailer) releaseQuota(ctx context.Context, j *jobs.Job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	return m.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.ReleaseMailQuota(ctx,
			sqlcgen.ReleaseMailQuotaParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID})
	})
}

const releaseTimeout = 10 * time.Second

// turnsWithinTheHour counts the other mails that went or go to the address.
func quotaUsed(ctx context.Context, q *sqlcgen.Queries, j *jobs.Job, address []byte,
	now time.Time) (sqlcgen.MailQuotaUsedRow, error) {
	turns, err := q.MailQuotaUsed(ctx, sqlcgen.MailQuotaUsedParams{
		WorkspaceID: j.WorkspaceID, AddressHash: address, ID: j.ID, TurnAt: now.Add(-time.Hour).UnixMilli(),
		TurnAt_2: now.UnixMilli(),
	})
	if err != nil {
		return turns, fmt.Errorf("count the mails to the address of %s: %w", j.ID, err)
	}
	return turns, nil
}

func writeQuota(ctx context.Context, tx *store.Tx, j *jobs.Job, address []byte, turn time.Time, sentAt int64) error {
	return tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{
		WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, AddressHash: address,
		TurnAt: turn.UnixMilli(), SentAt: sentAt,
	})
}
