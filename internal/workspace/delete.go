package workspace

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Delete removes a workspace and everything that belongs to it, in one transaction. It keeps users, who may own other
// workspaces. While guests are paying or refunds are due, which countOpen counts, force is required, because afterwards
// nobody would notice them. Delete returns the ids of the workspace's bookings.
func Delete(ctx context.Context, db *store.DB, slug string, force bool,
	countOpen func(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (int, error)) (bookings []uuid.UUID,
	err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		id, err := lockWorkspace(ctx, tx, slug)
		if err != nil {
			return err
		}
		if open, err := countOpen(ctx, tx.Queries, id); err != nil {
			return err
		} else if open > 0 && !force {
			return slotd.Because(slotd.PaymentsOpen, slotd.Facts{Name: slug, Count: open})
		}
		if bookings, err = bookingIDs(ctx, tx.Queries, id); err != nil {
			return err
		}
		for _, deleteRows := range tableDeleters(tx.Queries) {
			if err := deleteRows(ctx, id); err != nil {
				return fmt.Errorf("delete workspace %s: %w", slug, err)
			}
		}
		// The row of versions outlives the workspace: it tells other servers that their snapshots are outdated.
		if err := tx.BumpConfigVersion(ctx, id); err != nil {
			return fmt.Errorf("count the change: %w", err)
		}
		_, err = tx.BumpVersion(ctx, id)
		return err
	})
	return bookings, err
}

func bookingIDs(ctx context.Context, q *sqlcgen.Queries, workspaceID int64) (ids []uuid.UUID, err error) {
	rows, err := q.BookingIDs(ctx, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list the bookings of workspace %d: %w", workspaceID, err)
	}
	for _, row := range rows {
		if id, err := uuid.Parse(row); err == nil { // a malformed id must not prevent the deletion
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// lockWorkspace prevents others from creating, changing or booking the workspace.
func lockWorkspace(ctx context.Context, tx *store.Tx, slug string) (id int64, err error) {
	if err := tx.LockSettings(ctx); err != nil {
		return 0, err
	}
	id, err = tx.WorkspaceIDBySlug(ctx, slug)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, snapshot.WorkspaceNotFound(slug)
	} else if err != nil {
		return 0, fmt.Errorf("find workspace %s: %w", slug, err)
	}
	host, err := tx.HostOf(ctx, id)
	if err != nil {
		return 0, fmt.Errorf("find the host of %s: %w", slug, err)
	}
	return id, tx.LockHost(ctx, id, host.ID)
}

// tableDeleters returns the deletions in the order that the foreign keys require.
func tableDeleters(q *sqlcgen.Queries) []func(context.Context, int64) error {
	return []func(context.Context, int64) error{
		q.EmptyJobs, q.EmptyMails,
		q.EmptyCalendarEntries, q.EmptyCalendarBusy, q.EmptyCalendarItems, q.EmptyCalendarReads, q.EmptyCalendars,
		q.EmptyIdempotencyKeys, q.EmptyPayments, q.EmptyCheckouts, q.EmptyPaymentAccounts, q.EmptyStripeEvents,
		q.EmptyClaims, q.EmptyBookingEvents, q.EmptyBookings,
		q.EmptyTokens, q.EmptyEventTypes, q.EmptySchedules, q.EmptyHosts,
		q.EmptyTickets, q.EmptyMembers, q.EmptyActivity, q.LeaveSessions,
		q.DeleteWorkspace,
	}
}
