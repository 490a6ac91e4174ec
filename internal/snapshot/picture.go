package snapshot

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/slots"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Picture is one workspace at one version: its configuration and every claim on its host's time
// from two days ago on. It never changes.
type Picture struct {
	*Config
	Version int64
	Claims  slots.Claims
}

// Query asks the engine about an event type. The claims are an argument because a move leaves
// its own out, and a transaction brings those it has just read.
func (c *Config) Query(e *slotd.EventType, claims slots.Claims, now time.Time) slots.Query {
	return slots.Query{Schedule: c.Schedule(e), Rules: e.Rules(), EventType: e.ID, Claims: claims, Now: now}
}

// Today's earlier bookings count against the daily limit, and no local date lasts longer.
const keptAfterEnd = 48 * time.Hour

func load(ctx context.Context, db *store.DB, slug string, now time.Time) (*Picture, error) {
	var p *Picture
	err := db.Snapshot(ctx, func(q *sqlcgen.Queries) error {
		c, err := LoadConfig(ctx, q, slug)
		if err != nil {
			return err
		}
		version, err := q.Version(ctx, c.WorkspaceID)
		if err != nil {
			return fmt.Errorf("load the version of %s: %w", slug, err)
		}
		claims, err := LoadClaims(ctx, q, c, slots.Span{Start: now.Add(-keptAfterEnd), End: time.UnixMilli(math.MaxInt64)})
		p = &Picture{Config: c, Version: version.Version, Claims: claims}
		return err
	})
	return p, err
}

// LoadClaims reads the claims that touch the span.
func LoadClaims(ctx context.Context, q *sqlcgen.Queries, c *Config, s slots.Span) (slots.Claims, error) {
	rows, err := q.ClaimsBetween(ctx, sqlcgen.ClaimsBetweenParams{
		WorkspaceID: c.WorkspaceID,
		HostID:      c.HostID,
		FromAt:      s.Start.Add(-slots.LongestClaim).UnixMilli() - 1,
		FromAt_2:    s.End.UnixMilli(),
		UntilAt:     s.Start.UnixMilli(),
	})
	if err != nil {
		return slots.Claims{}, fmt.Errorf("load the claims of workspace %d: %w", c.WorkspaceID, err)
	}
	claims := make([]slots.Claim, len(rows))
	for i, row := range rows {
		if claims[i], err = claimOf(row); err != nil {
			return slots.Claims{}, err
		}
	}
	return slots.NewClaims(claims), nil
}

func claimOf(row sqlcgen.ClaimsBetweenRow) (slots.Claim, error) {
	id, err := uuid.Parse(row.BookingID)
	if err != nil {
		return slots.Claim{}, fmt.Errorf("claim of booking %q: %w", row.BookingID, err)
	}
	return slots.Claim{
		Booking:   id,
		EventType: row.EventTypeID,
		StartsAt:  time.UnixMilli(row.StartsAt).UTC(),
		Span:      slots.Span{Start: time.UnixMilli(row.FromAt).UTC(), End: time.UnixMilli(row.UntilAt).UTC()},
	}, nil
}
