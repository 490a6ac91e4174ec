package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/store/sqlcgen"
)

// These rules are not the engine's.
const (
	RuleEventType slots.Rule = "event_type" // whether guests can see it
	RulePayments  slots.Rule = "payments"
	RuleCalendars slots.Rule = "calendars" // whether their copies are recent
)

// Question is about a start that somebody expected to be offered.
type Question struct {
	EventType string // slug; may be hidden or retired
	Start     time.Time
	CanPay    bool // guests of this workspace can pay
}

// Explanation is why a time is offered or not, as facts. Lines puts it into words.
type Explanation struct {
	EventType      *slotd.EventType
	Span           slots.Span // the slot itself
	Zone           string     // of the opening hours
	Verdicts       []slots.Verdict
	Conflicts      []Conflict      // what overlaps the slot or its buffers
	StaleCalendars []StaleCalendar // calendars whose copy is too old
	Nearest        []time.Time     // open starts

	now       time.Time
	canPay    bool
	calendars int
}

// Conflict is what takes the host's time: a booking, a hold, or a calendar event.
type Conflict struct {
	slots.Span                // including its own buffers
	Booking    *slotd.Booking // nil for a calendar event
	HeldUntil  time.Time      // zero if the booking is definite
	Calendar   string         // name; empty if unknown
	ByBuffer   bool           // it overlaps only the buffers
}

// StaleCalendar is a calendar whose copy is too old to be trusted.
type StaleCalendar struct {
	Name   string
	ReadAt time.Time // zero if never
}

// Explain checks every rule for one start, with what the server knows now. It reads no calendar.
func (s *Service) Explain(ctx context.Context, workspaceID int64, question Question) (*Explanation, error) {
	p, err := s.Cache.Latest(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	e := p.EventTypeBySlug(question.EventType)
	if e == nil || p.Schedule(e) == nil {
		return nil, booking.EventTypeNotFound(p.Slug, question.EventType)
	}
	q := booking.QueryAt(p, e, nil, s.Now())
	x := &Explanation{
		EventType: e, Span: slots.Span{Start: question.Start, End: question.Start.Add(q.Rules.Duration)},
		Zone: q.Schedule.Zone.Name(),
		now:  q.Now, canPay: question.CanPay, calendars: len(p.Calendars),
	}
	x.Verdicts = slots.Explain(q, question.Start)
	x.StaleCalendars = unreadCalendars(p, q.Now)
	if len(x.StaleCalendars) == 0 {
		x.Nearest = slots.Nearest(q, question.Start, 3)
	}
	return x, s.addConflicts(ctx, p, x)
}

func unreadCalendars(p *snapshot.Snapshot, now time.Time) (all []StaleCalendar) {
	for i := range p.Calendars {
		cal := &p.Calendars[i]
		readAt := p.Busy.ReadBy(cal.ID, now)
		if now.After(readAt.Add(cal.StaleAfter())) {
			all = append(all, StaleCalendar{cal.Name, readAt})
		}
	}
	return all
}

// Offered reports whether guests see the time on the page.
func (x *Explanation) Offered() bool {
	against := func(v slots.Verdict) bool { return !v.Passed }
	return x.EventType.Public() && x.payable() && len(x.StaleCalendars) == 0 &&
		!slices.ContainsFunc(x.Verdicts, against)
}

func (x *Explanation) payable() bool { return x.EventType.Price == nil || x.canPay }

// addConflicts finds the bookings and calendars behind the spans in the verdicts.
func (s *Service) addConflicts(ctx context.Context, p *snapshot.Snapshot, x *Explanation) error {
	rules := x.EventType.Rules()
	wide := x.Span.Grow(rules.BufferBefore, rules.BufferAfter)
	for _, v := range x.Verdicts {
		for _, o := range v.Obstacles {
			if o.Claim == nil {
				if err := s.addCalendarConflicts(ctx, p, x, wide, o.Span); err != nil {
					return err
				}
				continue
			}
			c := Conflict{Span: o.Span, HeldUntil: o.Claim.HeldUntil}
			var err error
			if c.Booking, err = s.bookingOfClaim(ctx, p.WorkspaceID, o.Claim.Booking); err != nil {
				return err
			}
			span := o.Span
			if c.Booking != nil {
				span = slots.Span{Start: c.Booking.StartsAt, End: c.Booking.EndsAt}
			}
			c.ByBuffer = !span.Touches(x.Span)
			x.Conflicts = append(x.Conflicts, c)
		}
	}
	return nil
}

// addCalendarConflicts finds the calendars behind a busy span. The engine merges the busy times of all calendars, so
// one span may belong to several of them.
func (s *Service) addCalendarConflicts(ctx context.Context, p *snapshot.Snapshot, x *Explanation, wide,
	merged slots.Span) error {
	rows, err := s.DB.Read().BusyBetween(ctx, sqlcgen.BusyBetweenParams{
		WorkspaceID: p.WorkspaceID, UntilAt: max(wide.Start.UnixMilli(), merged.Start.UnixMilli()),
		FromAt: min(wide.End.UnixMilli(), merged.End.UnixMilli()),
	})
	if err != nil {
		return fmt.Errorf("find out whose busy time it is: %w", err)
	}
	named := false
	for _, row := range rows {
		span := slots.Span{Start: time.UnixMilli(row.FromAt).UTC(), End: time.UnixMilli(row.UntilAt).UTC()}
		if cal := p.CalendarByID(row.CalendarID); cal != nil && span.Start.Before(span.End) {
			x.Conflicts = append(x.Conflicts, Conflict{Span: span, Calendar: cal.Name, ByBuffer: !span.Touches(x.Span)})
			named = true
		}
	}
	if !named { // the calendar was read again meanwhile
		x.Conflicts = append(x.Conflicts, Conflict{Span: merged, ByBuffer: !merged.Touches(x.Span)})
	}
	return nil
}

// bookingOfClaim also finds held bookings. It returns nil if the booking was deleted meanwhile.
func (s *Service) bookingOfClaim(ctx context.Context, workspaceID int64, id uuid.UUID) (*slotd.Booking, error) {
	row, err := s.DB.Read().Booking(ctx, sqlcgen.BookingParams{WorkspaceID: workspaceID, ID: id.String()})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("load booking %s: %w", id, err)
	}
	return booking.FromRow(row)
}
