package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// One address gets at most mailsPerHour mails in an hour. Each mail reserves quota before it is sent. When the quota is
// used up, a mail waits until the oldest reservation is an hour old, and tries again.
const (
	mailsPerHour = 30
	// filesWithoutQuota is how many mails may be written as files without a reservation. Writing a file twice does no
	// harm, and 9 files plus a batch of 10 from each of two servers are still below 30.
	filesWithoutQuota = 10
)

// reserveQuota returns nil if the mail may be sent now. If the server dies before it records the outcome, the
// reservation stays used.
func (m *Mailer) reserveQuota(ctx context.Context, j *jobs.Job, address []byte) error {
	now := m.Now()
	used, err := quotaUsed(ctx, m.DB.Read(), j, address, now)
	switch {
	case err != nil:
		return err
	case used.Taken >= mailsPerHour:
		return quotaUsedUp(used)
	case m.ToFiles && used.Taken < filesWithoutQuota:
		return nil
	}
	return m.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockKey(ctx, int64(binary.BigEndian.Uint64(address))); err != nil {
			return err
		}
		used, err := quotaUsed(ctx, tx.Queries, j, address, now)
		if err != nil {
			return err
		}
		if used.Taken >= mailsPerHour {
			return quotaUsedUp(used)
		}
		return writeQuota(ctx, tx, j, address, now, 0)
	})
}

func quotaUsedUp(used sqlcgen.MailQuotaUsedRow) error {
	free := time.UnixMilli(used.Oldest).Add(time.Hour)
	return jobs.RetryAt(free, say.T("waiting: at most %d emails per hour go to one address", mailsPerHour))
}

// releaseQuota releases the reservation of a mail that was not sent.
func (m *Mailer) releaseQuota(ctx context.Context, j *jobs.Job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	return m.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.ReleaseMailQuota(ctx,
			sqlcgen.ReleaseMailQuotaParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID})
	})
}

const releaseTimeout = 10 * time.Second

// clockSkew is how far ahead of our clock a reservation may be dated and still counts: another server's clock may be
// ahead, and a mail that it finishes between our look at the clock and our query is dated later, too.
const clockSkew = time.Minute

// quotaUsed counts the other mails to the address within the last hour, including those that are being sent.
func quotaUsed(ctx context.Context, q *sqlcgen.Queries, j *jobs.Job, address []byte,
	now time.Time) (sqlcgen.MailQuotaUsedRow, error) {
	used, err := q.MailQuotaUsed(ctx, sqlcgen.MailQuotaUsedParams{
		WorkspaceID: j.WorkspaceID, AddressHash: address, ID: j.ID, TurnAt: now.Add(-time.Hour).UnixMilli(),
		TurnAt_2: now.Add(clockSkew).UnixMilli(),
	})
	if err != nil {
		return used, fmt.Errorf("count the mails to the address of %s: %w", j.ID, err)
	}
	return used, nil
}

func writeQuota(ctx context.Context, tx *store.Tx, j *jobs.Job, address []byte, reservedAt time.Time,
	sentAt int64) error {
	return tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{
		WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, AddressHash: address,
		TurnAt: reservedAt.UnixMilli(), SentAt: sentAt,
	})
}
