package worker

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// At most so many mails go to one address in an hour. When it gets close, each mail takes a turn;
// those beyond get one that lies an hour after the one so many before it, and wait for it.
const (
	turnsPerHour = 30
	turnLasts    = time.Minute // who comes later, after a failure or a standstill, gets a new one
	// freely many go without one: the rest is room for what several servers send at this moment.
	freely = 10
)

// takeTurn is nil if the mail may go now.
func (m *Mailer) takeTurn(ctx context.Context, j *jobs.Job, address []byte) error {
	now := m.Booking.Now()
	n, err := m.Booking.DB.Read().CountMailTurns(ctx, sqlcgen.CountMailTurnsParams{WorkspaceID: j.WorkspaceID, AddressHash: address, TurnAt: now.Add(-time.Hour).UnixMilli()})
	if err == nil && n < freely {
		return nil
	}
	var turn time.Time
	if err == nil {
		err = m.Booking.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			if err := tx.LockNumber(ctx, int64(binary.BigEndian.Uint64(address))); err != nil {
				return err
			}
			turn, err = nextTurn(ctx, tx, j, address, now)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("wait for the turn of mail %s: %w", j.ID, err)
	}
	if turn.After(now) {
		return jobs.NotBefore(turn, fmt.Sprintf("waits: at most %d mails go to one address in an hour", turnsPerHour))
	}
	return nil
}

func nextTurn(ctx context.Context, tx *store.Tx, j *jobs.Job, address []byte, now time.Time) (time.Time, error) {
	own, err := tx.MailTurn(ctx, sqlcgen.MailTurnParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, err
	}
	if turn := time.UnixMilli(own); err == nil && now.Sub(turn) < turnLasts {
		return turn, nil
	}
	others, err := tx.MailTurns(ctx, sqlcgen.MailTurnsParams{WorkspaceID: j.WorkspaceID, AddressHash: address, ID: j.ID, Limit: turnsPerHour})
	if err != nil {
		return time.Time{}, err
	}
	turn := now
	if len(others) == turnsPerHour {
		if free := time.UnixMilli(others[turnsPerHour-1]).Add(time.Hour); free.After(now) {
			turn = free
		}
	}
	return turn, tx.PutMailTurn(ctx, sqlcgen.PutMailTurnParams{
		WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID, AddressHash: address, TurnAt: turn.UnixMilli(),
	})
}

// addressHash stands for an address where the address itself must not stand.
func addressHash(workspaceID int64, address string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", workspaceID, strings.ToLower(address)))
	return sum[:16]
}
