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

// At most so many mails go to one address in an hour. Each mail takes a turn before it is sent;
// those beyond are told when to ask again: an hour after the turn so many before.
const (
	turnsPerHour = 30
	// freely many files are written without one: there is no harm in writing a file again, and the rest
	// is room for what a round, or two, are writing at this moment.
	freely = 10
	// askAgain is for whoever finds all turns taken and none to wait for.
	askAgain = time.Minute
)

// What stands in sent_at while it is no time.
const (
	onItsWay = 0
	waits    = -1
)

// takeTurn is nil if the mail may go now. A server that dies before it says what became of the mail
// has used the turn.
func (m *Mailer) takeTurn(ctx context.Context, j *jobs.Job, address []byte) error {
	now := m.Booking.Now()
	if m.ToFiles {
		taken, err := turnsTaken(ctx, m.Booking.DB.Read(), j, address, now)
		if err != nil || taken < freely {
			return err
		}
	}
	var turn time.Time
	err := m.Booking.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := tx.LockNumber(ctx, int64(binary.BigEndian.Uint64(address))); err != nil {
			return err
		}
		turn, err = nextTurn(ctx, tx, j, address, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("take the turn of mail %s: %w", j.ID, err)
	}
	if turn.After(now) {
		return jobs.NotBefore(turn, fmt.Sprintf("waits: at most %d mails go to one address in an hour", turnsPerHour))
	}
	return nil
}

// returnTurn is for mails that were not sent.
func (m *Mailer) returnTurn(ctx context.Context, j *jobs.Job) error {
	return m.Booking.DB.InTx(context.WithoutCancel(ctx), func(ctx context.Context, tx *store.Tx) error {
		return tx.ReturnMailTurn(ctx, sqlcgen.ReturnMailTurnParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID})
	})
}

// nextTurn is now, or when to ask again.
func nextTurn(ctx context.Context, tx *store.Tx, j *jobs.Job, address []byte, now time.Time) (time.Time, error) {
	taken, err := turnsTaken(ctx, tx.Queries, j, address, now)
	if err != nil {
		return time.Time{}, err
	}
	if taken < turnsPerHour {
		return now, putTurn(ctx, tx, j, address, now, onItsWay)
	}
	others, err := tx.MailTurns(ctx, sqlcgen.MailTurnsParams{WorkspaceID: j.WorkspaceID, AddressHash: address, ID: j.ID, Limit: turnsPerHour})
	if err != nil {
		return time.Time{}, err
	}
	turn := time.UnixMilli(others[len(others)-1]).Add(time.Hour)
	if !turn.After(now) {
		turn = now.Add(askAgain)
	}
	return turn, putTurn(ctx, tx, j, address, turn, waits)
}

// turnsTaken counts the other mails that went or go to the address in the hour until now.
func turnsTaken(ctx context.Context, q *sqlcgen.Queries, j *jobs.Job, address []byte, now time.Time) (int64, error) {
	return q.CountMailTurns(ctx, sqlcgen.CountMailTurnsParams{
		WorkspaceID: j.WorkspaceID, AddressHash: address, ID: j.ID, TurnAt: now.UnixMilli(), TurnAt_2: now.Add(-time.Hour).UnixMilli(),
	})
}

func putTurn(ctx context.Context, tx *store.Tx, j *jobs.Job, address []byte, turn time.Time, sent int64) error {
	return tx.PutMailTurn(ctx, sqlcgen.PutMailTurnParams{
		WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, AddressHash: address, TurnAt: turn.UnixMilli(), SentAt: sent,
	})
}
