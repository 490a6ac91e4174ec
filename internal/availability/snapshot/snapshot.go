package snapshot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Picture is one workspace at one version: its configuration, and from two days ago on every claim on
// its host's time and every busy time of the host's calendars. It never changes.
type Snapshot struct {
	*Config
	Version int64
	Claims  slots.Claims
	Busy    *Calendars
	recent  []change // the last ones that led to this version, without a gap
}

// change is what one version did: to the claims, or by finding a calendar unchanged.
type change struct {
	version int64
	removed []slots.Claim
	added   []slots.Claim
	freed   []slots.Span // where events of canceled bookings lie in calendars

	calendar int64 // 0: none was read
	readAt   time.Time
}

const maxChanges = 64

// after is the picture with the next change made.
func (p *Snapshot) after(c change) *Snapshot {
	claims, busy := p.Claims, p.Busy
	for _, claim := range c.removed {
		claims = claims.Without(claim)
		if len(c.added) == 0 { // it was canceled, not moved
			c.freed = append(c.freed, busy.of(claim.Booking)...)
			busy = busy.without(claim.Booking)
		}
	}
	for _, claim := range c.added {
		claims = claims.With(claim)
	}
	if c.calendar != 0 {
		busy = busy.read(c.calendar, c.readAt)
	}
	recent := append(slices.Clone(p.recent[max(0, len(p.recent)-maxChanges+1):]), c)
	return &Snapshot{Config: p.Config, Version: c.version, Claims: claims, Busy: busy, recent: recent}
}

// unchangedSince reports whether nothing within reach has changed since the version, as far as
// the picture remembers.
func (p *Snapshot) unchangedSince(version int64, reach slots.Span) bool {
	if version == p.Version {
		return true
	}
	if len(p.recent) == 0 || version < p.recent[0].version-1 || version > p.Version {
		return false
	}
	for _, c := range p.recent {
		if c.version > version && (touch(c.removed, reach) || touch(c.added, reach) ||
			slices.ContainsFunc(c.freed, reach.Touches)) {
			return false
		}
	}
	return true
}

func touch(claims []slots.Claim, reach slots.Span) bool {
	return slices.ContainsFunc(claims, func(c slots.Claim) bool { return c.Touches(reach) })
}

// Query asks the engine about an event type. What is taken is an argument because a move leaves its
// own booking out, and a transaction brings what it has just read.
func (c *Config) Query(e *slotd.EventType, claims slots.Claims, busy []slots.Span, now time.Time) slots.Query {
	return slots.Query{Schedule: c.Schedule(e), Rules: e.Rules(), EventType: e.ID, Claims: claims, Busy: busy, Now: now}
}

// Today's earlier bookings count against the daily limit, and no local date lasts longer.
const keptAfterEnd = 48 * time.Hour

// load reads a workspace at one version. A configuration that is known and has not changed is not
// read again: most changes are bookings.
func load(ctx context.Context, db *store.DB, slug string, known *Config, now time.Time) (*Snapshot, error) {
	var p *Snapshot
	err := db.Snapshot(ctx, func(q *sqlcgen.Queries) error {
		c, err := known, error(nil)
		if c == nil {
			c, err = LoadConfig(ctx, q, slug)
		}
		if err != nil {
			return err
		}
		version, err := q.Version(ctx, c.WorkspaceID)
		if err == nil && version.ConfigVersion != c.Version {
			c, err = LoadConfig(ctx, q, slug)
		}
		if err != nil {
			return fmt.Errorf("load the version of %s: %w", slug, err)
		}
		claims, err := LoadClaims(ctx, q, c,
			slots.Span{Start: now.Add(-keptAfterEnd), End: time.UnixMilli(math.MaxInt64)})
		if err != nil {
			return err
		}
		busy, err := LoadCalendars(ctx, q, c, version.BusyVersion, now)
		p = &Snapshot{Config: c, Version: version.Version, Claims: claims, Busy: busy}
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

// instant is zero for 0.
func instant(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
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
		HeldUntil: instant(row.HeldUntil),
	}, nil
}
