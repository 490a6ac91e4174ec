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

// Snapshot is one workspace at one version: its configuration, all claims on its host's time and all busy times
// of the host's calendars, except those that ended more than two days ago. It is immutable.
type Snapshot struct {
	*Config
	Version int64
	Claims  slots.Claims
	Busy    *Calendars
	recent  []change // the last changes that led to this version, without gaps
}

// change is what one version changed: claims, or the time at which a calendar was read and found unchanged.
type change struct {
	version int64
	removed []slots.Claim
	added   []slots.Claim
	freed   []slots.Span // spans of canceled bookings' events in calendars

	calendar int64 // the calendar that was read; 0: none
	readAt   time.Time
}

// maxChanges limits Snapshot.recent.
const maxChanges = 64

// apply returns the snapshot after the next change.
func (p *Snapshot) apply(c change) *Snapshot {
	claims, busy := p.Claims, p.Busy
	for _, claim := range c.removed {
		claims = claims.Without(claim)
		if len(c.added) == 0 { // it was canceled, not moved
			c.freed = append(c.freed, busy.eventsOf(claim.Booking)...)
			busy = busy.without(claim.Booking)
		}
	}
	for _, claim := range c.added {
		claims = claims.With(claim)
	}
	if c.calendar != 0 {
		busy = busy.withRead(c.calendar, c.readAt)
	}
	recent := append(slices.Clone(p.recent[max(0, len(p.recent)-maxChanges+1):]), c)
	return &Snapshot{Config: p.Config, Version: c.version, Claims: claims, Busy: busy, recent: recent}
}

// unchangedSince reports whether nothing within reach has changed since the version. It returns false if the
// version is older than the changes that the snapshot remembers.
func (p *Snapshot) unchangedSince(version int64, reach slots.Span) bool {
	if version == p.Version {
		return true
	}
	if len(p.recent) == 0 || version < p.recent[0].version-1 || version > p.Version {
		return false
	}
	for _, c := range p.recent {
		if c.version > version && (anyTouches(c.removed, reach) || anyTouches(c.added, reach) ||
			slices.ContainsFunc(c.freed, reach.Touches)) {
			return false
		}
	}
	return true
}

func anyTouches(claims []slots.Claim, reach slots.Span) bool {
	return slices.ContainsFunc(claims, func(c slots.Claim) bool { return c.Touches(reach) })
}

// Query returns a query for an event type's slots. Claims and busy times are arguments because a move leaves out
// its own booking, and a transaction passes the claims it has just read.
func (c *Config) Query(e *slotd.EventType, claims slots.Claims, busy []slots.Span, now time.Time) slots.Query {
	return slots.Query{Schedule: c.Schedule(e), Rules: e.Rules(), EventType: e.ID, Claims: claims, Busy: busy, Now: now}
}

// keepEndedFor is how long claims and busy times stay in a snapshot after they end. Today's earlier bookings count
// against the daily limit, and no local date lasts longer than this.
const keepEndedFor = 48 * time.Hour

// load reads a workspace at one version. If known is the current configuration, load does not read it again:
// most changes are bookings.
func load(ctx context.Context, db *store.DB, slug string, known *Config, now time.Time) (*Snapshot, error) {
	var p *Snapshot
	err := db.InReadTx(ctx, func(q *sqlcgen.Queries) error {
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
			slots.Span{Start: now.Add(-keepEndedFor), End: time.UnixMilli(math.MaxInt64)})
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

// instant converts Unix milliseconds to a time. It returns the zero time for 0.
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
