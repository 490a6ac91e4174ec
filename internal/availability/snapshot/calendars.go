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

// Calendars holds the busy times from the copies of the host's calendars, and how old the copies are. It is immutable.
type Calendars struct {
	Version int64               // busy_version in the database
	readAt  map[int64]time.Time // when each calendar was last read, by its id
	others  []slots.Span        // events that no booking made; merged
	own     []ownEvent          // events that carry a booking's UID
	all     []slots.Span        // merged from both
}

type ownEvent struct {
	slots.Span
	booking uuid.UUID
}

// Busy returns all busy times of all calendars.
func (c *Calendars) Busy() []slots.Span { return c.all }

// BusyWithout is like Busy, but leaves out the events that the booking itself put into the calendars.
func (c *Calendars) BusyWithout(booking uuid.UUID) []slots.Span {
	return c.busyWhere(func(e ownEvent) bool { return e.booking != booking })
}

// BusyAround returns the busy times that touch s. It is meant for transactions, which know more than the copies:
// for each booking with an event that touches s, include decides whether the event counts as busy.
func (c *Calendars) BusyAround(s slots.Span, include func(booking uuid.UUID) (bool, error)) ([]slots.Span, error) {
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
		included, err := include(e.booking)
		if err != nil {
			return nil, err
		}
		if included {
			busy = append(busy, e.Span)
		}
	}
	return slots.Merge(busy), nil
}

func (c *Calendars) busyWhere(include func(ownEvent) bool) []slots.Span {
	if len(c.own) == 0 {
		return c.others
	}
	busy := slices.Clone(c.others)
	for _, e := range c.own {
		if include(e) {
			busy = append(busy, e.Span)
		}
	}
	return slots.Merge(busy)
}

// eventsOf returns the spans of a booking's events.
func (c *Calendars) eventsOf(booking uuid.UUID) (spans []slots.Span) {
	for _, e := range c.own {
		if e.booking == booking {
			spans = append(spans, e.Span)
		}
	}
	return spans
}

// without returns the calendars without a booking's events. A canceled booking's event may still be in a calendar.
func (c *Calendars) without(booking uuid.UUID) *Calendars {
	if len(c.eventsOf(booking)) == 0 {
		return c
	}
	next := *c
	next.own = slices.DeleteFunc(slices.Clone(c.own), func(e ownEvent) bool { return e.booking == booking })
	next.all = next.busyWhere(func(ownEvent) bool { return true })
	return &next
}

// withRead returns the calendars after a read at the given time found one of them unchanged.
func (c *Calendars) withRead(calendar int64, at time.Time) *Calendars {
	next := *c
	next.readAt = maps.Clone(c.readAt)
	next.readAt[calendar] = at
	return &next
}

// ReadAt returns when a calendar was last read. It is zero if it was never read.
func (c *Calendars) ReadAt(calendar int64) time.Time { return c.readAt[calendar] }

// ReadBy is like ReadAt, but ignores a read in the future, which happens when the clock was set back.
func (c *Calendars) ReadBy(calendar int64, now time.Time) time.Time {
	if at := c.readAt[calendar]; !at.After(now.Add(time.Minute)) {
		return at
	}
	return time.Time{}
}

// BusyValidUntil returns the instant from which on the copies are too old to be used. It is zero if there are no
// calendars. A copy that is exactly as old as its limit can still be used, hence the extra nanosecond.
func (c *Config) BusyValidUntil(copies *Calendars, now time.Time) (until time.Time) {
	for i := range c.Calendars {
		cal := &c.Calendars[i]
		ends := copies.ReadBy(cal.ID, now).Add(cal.StaleAfter() + time.Nanosecond)
		if until.IsZero() || ends.Before(until) {
			until = ends
		}
	}
	return until
}

// CalendarUnavailable returns the error for a calendar that has not been read for too long. Guests see it, so it
// does not name the calendar; the owner learns that elsewhere.
func CalendarUnavailable() error {
	return slotd.NewError(slotd.CalendarUnavailable, slotd.Facts{})
}

// LoadCalendars loads the copies. It leaves out events that ended more than keepEndedFor ago.
func LoadCalendars(ctx context.Context, q *sqlcgen.Queries, c *Config, version int64, now time.Time) (*Calendars,
	error) {
	copies := &Calendars{Version: version, readAt: map[int64]time.Time{}}
	if len(c.Calendars) == 0 {
		return copies, nil
	}
	reads, err := q.CalendarReads(ctx, c.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("load the reads of workspace %d: %w", c.WorkspaceID, err)
	}
	for _, r := range reads {
		if r.ReadAt > 0 {
			copies.readAt[r.CalendarID] = time.UnixMilli(r.ReadAt).UTC()
		}
	}
	if err := copies.loadBusy(ctx, q, c.WorkspaceID, now); err != nil {
		return nil, fmt.Errorf("load the busy times of workspace %d: %w", c.WorkspaceID, err)
	}
	return copies, nil
}

func (c *Calendars) loadBusy(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, now time.Time) error {
	rows, err := q.BusyTimes(ctx, sqlcgen.BusyTimesParams{WorkspaceID: workspaceID,
		UntilAt: now.Add(-keepEndedFor).UnixMilli()})
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
