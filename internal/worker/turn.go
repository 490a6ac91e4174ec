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
	turnsPerHour = 30
	// freely many files are written without one: a file may be written again, and 9 and two servers'
	// rounds of 10 are still below 30.
	freely = 10
)

// takeTurn is nil if the mail may go now. A server that dies before it says what became of the mail
// has used the turn.
func (m *Mailer) takeTurn(ctx context.Context, j *jobs.Job, address []byte) error {
	now := m.Booking.Now()
	turns, err := turnsWithinTheHour(ctx, m.Booking.DB.Read(), j, address, now)
	switch {
	case err != nil:
		return err
	case turns.Taken >= turnsPerHour:
		return waitForTurn(turns)
	case m.ToFiles && turns.Taken < freely:
		return nil
	}
	return m.Booking.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockNumber(ctx, int64(binary.BigEndian.Uint64(address))); err != nil {
			return err
		}
		turns, err := turnsWithinTheHour(ctx, tx.Queries, j, address, now)
		if err != nil {
			return err
		}
		if turns.Taken >= turnsPerHour {
			return waitForTurn(turns)
		}
		return putTurn(ctx, tx, j, address, now, 0)
	})
}

func waitForTurn(turns sqlcgen.MailTurnsRow) error {
	free := time.UnixMilli(turns.Oldest).Add(time.Hour)
	return jobs.NotBefore(free, fmt.Sprintf("waits: at most %d mails go to one address in an hour", turnsPerHour))
}

// returnTurn is for mails that were not sent.
func (m *Mailer) returnTurn(ctx context.Context, j *jobs.Job) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), returnsWithin)
	defer cancel()
	return m.Booking.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.ReturnMailTurn(ctx, sqlcgen.ReturnMailTurnParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID})
	})
}

const returnsWithin = 10 * time.Second

// turnsWithinTheHour counts the other mails that went or go to the address.
func turnsWithinTheHour(ctx context.Context, q *sqlcgen.Queries, j *jobs.Job, address []byte, now time.Time) (sqlcgen.MailTurnsRow, error) {
	turns, err := q.MailTurns(ctx, sqlcgen.MailTurnsParams{
		WorkspaceID: j.WorkspaceID, AddressHash: address, ID: j.ID, TurnAt: now.Add(-time.Hour).UnixMilli(), TurnAt_2: now.UnixMilli(),
	})
	if err != nil {
		return turns, fmt.Errorf("count the mails to the address of %s: %w", j.ID, err)
	}
	return turns, nil
}

func putTurn(ctx context.Context, tx *store.Tx, j *jobs.Job, address []byte, turn time.Time, sentAt int64) error {
	return tx.PutMailTurn(ctx, sqlcgen.PutMailTurnParams{
		WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, AddressHash: address, TurnAt: turn.UnixMilli(), SentAt: sentAt,
	})
}
