package snapshot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store/sqlcgen"
)

// Calendars is what the copies of the host's calendars say, and how old they are. It never changes.
type Calendars struct {
	Version int64               // busy_version in the database
	reads   map[int64]time.Time // when each was last read, by its id
	others  []slots.Span        // merged
	own     []ownEvent          // those that carry a booking's UID
	all     []slots.Span        // merged from both
}

type ownEvent struct {
	slots.Span
	booking uuid.UUID
}

// Busy is every busy time of every calendar.
func (c *Calendars) Busy() []slots.Span { return c.all }

// BusyWithout leaves out what a booking itself has put there.
func (c *Calendars) BusyWithout(booking uuid.UUID) []slots.Span {
	return c.busyWhere(func(e ownEvent) bool { return e.booking != booking })
}

// BusyAround is Busy for a transaction, which knows more than the copy: counts is asked about the
// bookings whose events touch the span, and what does not touch it is left out.
func (c *Calendars) BusyAround(s slots.Span, counts func(booking uuid.UUID) (bool, error)) ([]slots.Span, error) {
	var busy []slots.Span
	for _, span := range c.others {
		if span.Touches(s) {
			busy = append(busy, span)
		}
	}
	for _, e := range c.own {
		if !e.Touches(s) {
			continue
		}
		yes, err := counts(e.booking)
		if err != nil {
			return nil, err
		}
		if yes {
			busy = append(busy, e.Span)
		}
	}
	return slots.Merge(busy), nil
}

func (c *Calendars) busyWhere(counts func(ownEvent) bool) []slots.Span {
	if len(c.own) == 0 {
		return c.others
	}
	busy := slices.Clone(c.others)
	for _, e := range c.own {
		if counts(e) {
			busy = append(busy, e.Span)
		}
	}
	return slots.Merge(busy)
}

// of is where the events of a booking lie.
func (c *Calendars) of(booking uuid.UUID) (spans []slots.Span) {
	for _, e := range c.own {
		if e.booking == booking {
			spans = append(spans, e.Span)
		}
	}
	return spans
}

// without is the copy after a booking was canceled, whose event is still in a calendar.
func (c *Calendars) without(booking uuid.UUID) *Calendars {
	if len(c.of(booking)) == 0 {
		return c
	}
	next := *c
	next.own = slices.DeleteFunc(slices.Clone(c.own), func(e ownEvent) bool { return e.booking == booking })
	next.all = next.busyWhere(func(ownEvent) bool { return true })
	return &next
}

// read is the copy with a calendar found unchanged.
func (c *Calendars) read(calendar int64, at time.Time) *Calendars {
	next := *c
	next.reads = maps.Clone(c.reads)
	next.reads[calendar] = at
	return &next
}

// ReadAt is when a calendar was last read; zero: never.
func (c *Calendars) ReadAt(calendar int64) time.Time { return c.reads[calendar] }

// ReadBy is ReadAt for a clock that may have been put back: a read that is to come is none.
func (c *Calendars) ReadBy(calendar int64, now time.Time) time.Time {
	if at := c.reads[calendar]; !at.After(now.Add(time.Minute)) {
		return at
	}
	return time.Time{}
}

// KnownUntil is from when on the copies are too old to be used; zero: never. One that is just as old as
// it may be still is not.
func (c *Config) KnownUntil(copies *Calendars, now time.Time) (until time.Time) {
	for i := range c.Calendars {
		cal := &c.Calendars[i]
		ends := copies.ReadBy(cal.ID, now).Add(cal.StaleAfter() + time.Nanosecond)
		if until.IsZero() || ends.Before(until) {
			until = ends
		}
	}
	return until
}

// CalendarUnavailable is the one answer where a calendar is too long unread. It is for guests: which
// calendar it is, its owner learns elsewhere.
func CalendarUnavailable() error {
	return slotd.Errorf(slotd.CalendarUnavailable,
		"The host's calendar cannot be read at the moment, so it is not known which times are open. Nothing was "+
			"booked or changed; try again in a few minutes.")
}

// LoadCalendars reads the copies. What is over does not matter any more.
func LoadCalendars(ctx context.Context, q *sqlcgen.Queries, c *Config, version int64, now time.Time) (*Calendars,
	error) {
	copies := &Calendars{Version: version, reads: map[int64]time.Time{}}
	if len(c.Calendars) == 0 {
		return copies, nil
	}
	reads, err := q.CalendarReads(ctx, c.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("load the reads of workspace %d: %w", c.WorkspaceID, err)
	}
	for _, r := range reads {
		if r.ReadAt > 0 {
			copies.reads[r.CalendarID] = time.UnixMilli(r.ReadAt).UTC()
		}
	}
	if err := copies.loadBusy(ctx, q, c.WorkspaceID, now); err != nil {
		return nil, fmt.Errorf("load the busy times of workspace %d: %w", c.WorkspaceID, err)
	}
	return copies, nil
}

func (c *Calendars) loadBusy(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, now time.Time) error {
	rows, err := q.BusyTimes(ctx, sqlcgen.BusyTimesParams{WorkspaceID: workspaceID,
		UntilAt: now.Add(-keptAfterEnd).UnixMilli()})
	if err != nil {
		return err
	}
	for _, row := range rows {
		span := slots.Span{Start: time.UnixMilli(row.FromAt).UTC(), End: time.UnixMilli(row.UntilAt).UTC()}
		booking, err := uuid.Parse(row.BookingID)
		if err != nil {
			c.others = append(c.others, span)
		} else {
			c.own = append(c.own, ownEvent{span, booking})
		}
	}
	c.others = slots.Merge(c.others)
	c.all = c.busyWhere(func(ownEvent) bool { return true })
	return nil
}
