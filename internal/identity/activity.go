package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"slotd"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// maxDetail limits the bytes that one entry can store: a whole workspace file would be megabytes.
const maxDetail = 4000

// RecordActivity adds an entry to a workspace's activity log, in the same transaction as the change it describes. The
// entry may contain ids and an owner's own settings, never an attendee's data.
func RecordActivity(ctx context.Context, tx *store.Tx, workspaceID int64, by slotd.Actor, kind, detail string,
	now time.Time) error {
	if len(detail) > maxDetail {
		detail = strings.ToValidUTF8(detail[:maxDetail], "") + " …"
	}
	err := tx.InsertActivity(ctx, sqlcgen.InsertActivityParams{
		WorkspaceID: workspaceID, At: now.UnixMilli(), ID: rand.Int64(), Actor: by.String(), Kind: kind, Detail: detail,
		Address: by.Address,
	})
	if err != nil {
		return fmt.Errorf("note that %s: %w", kind, err)
	}
	return nil
}

// ActivityEntry is one action in a workspace's activity.
type ActivityEntry struct {
	At      int64 // Unix milliseconds
	ID      int64 // orders entries of the same instant
	Actor   string
	Kind    string
	Detail  string
	Address string
}

// Activity lists at most limit entries before a position, the newest first.
func (s *Service) Activity(ctx context.Context, workspaceID, beforeAt, beforeID int64,
	limit int) ([]ActivityEntry, error) {
	rows, err := s.DB.Read().ActivityBefore(ctx, sqlcgen.ActivityBeforeParams{
		WorkspaceID: workspaceID, At: beforeAt, ID: beforeID, Limit: int32(limit),
	})
	if err != nil {
		return nil, fmt.Errorf("list the activity: %w", err)
	}
	all := make([]ActivityEntry, len(rows))
	for i, row := range rows {
		all[i] = ActivityEntry(row)
	}
	return all, nil
}

// RecordActivity adds an entry in a transaction of its own, for an action that changes nothing in the database.
func (s *Service) RecordActivity(ctx context.Context, workspaceID int64, by slotd.Actor, kind, detail string,
	now time.Time) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return RecordActivity(ctx, tx, workspaceID, by, kind, detail, now)
	})
}

// ActorName returns how people know an actor of the activity: an owner's address, also of one who has left, or a
// token's name, also of a revoked one. It returns "" for an actor that is neither, or is not known.
func (s *Service) ActorName(ctx context.Context, workspaceID int64, actor slotd.Actor) (name string, err error) {
	switch actor.Kind {
	case slotd.UserActor:
		number, wrong := strconv.ParseInt(actor.ID, 10, 64)
		if wrong != nil {
			return "", nil
		}
		var row sqlcgen.User
		row, err = s.DB.Read().User(ctx, number)
		name = row.Email
	case slotd.TokenActor:
		name, err = s.DB.Read().TokenName(ctx, sqlcgen.TokenNameParams{WorkspaceID: workspaceID, ID: actor.ID})
		name = "Token " + name
	}
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return name, err
}
