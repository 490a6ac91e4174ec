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

// What is asked besides the engine's rules.
const (
	RuleEventType slots.Rule = "event_type" // is it offered at all
	RulePayments  slots.Rule = "payments"
	RuleCalendars slots.Rule = "calendars" // are they known
)

// Question is a time that somebody expected to be offered.
type Question struct {
	EventType string // slug; hidden and retired ones too
	Start     time.Time
	CanPay    bool // guests of this workspace can pay
}

// Explanation is why a time is offered or not, as facts; Lines says it in words.
type Explanation struct {
	EventType *slotd.EventType
	Span      slots.Span // the slot itself
	Zone      string     // that the hours are in
	Verdicts  []slots.Verdict
	Conflicts []Conflict  // who takes the time, or the buffers around it
	Unread    []Unread    // calendars that are too long unread
	Nearest   []time.Time // open starts

	now       time.Time
	canPay    bool
	calendars int
}

// Taker is what takes the host's time: a booking, a held time, or an event of a calendar.
type Conflict struct {
	slots.Span                // as it counts, with its own buffers
	Booking    *slotd.Booking // nil: a calendar's
	HeldUntil  time.Time      // zero: it is not waiting for a payment
	Calendar   string         // name; empty: not known
	ByBuffer   bool           // it is in the way of buffers only
}

// Unread is a calendar whose copy is too old to be believed.
type Unread struct {
	Name   string
	ReadAt time.Time // zero: never
}

// Explain asks every rule about one start, from what the server knows now. It reads no calendar.
func (s *Service) Explain(ctx context.Context, workspaceID int64, asked Question) (*Explanation, error) {
	p, err := s.Cache.Latest(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	e := p.EventTypeBySlug(asked.EventType)
	if e == nil || p.Schedule(e) == nil {
		return nil, slotd.Errorf(slotd.EventTypeNotFound, "Workspace %s has no event type %.64q.", p.Slug,
			asked.EventType)
	}
	q := booking.QueryAt(p, e, nil, s.Now())
	x := &Explanation{
		EventType: e, Span: slots.Span{Start: asked.Start, End: asked.Start.Add(q.Rules.Duration)},
		Zone: q.Schedule.Zone.Name(),
		now:  q.Now, canPay: asked.CanPay, calendars: len(p.Calendars),
	}
	x.Verdicts = slots.Explain(q, asked.Start)
	x.Unread = unread(p, q.Now)
	if len(x.Unread) == 0 {
		x.Nearest = slots.Nearest(q, asked.Start, 3)
	}
	return x, s.nameConflicts(ctx, p, x)
}

func unread(p *snapshot.Snapshot, now time.Time) (all []Unread) {
	for i := range p.Calendars {
		cal := &p.Calendars[i]
		readAt := p.Busy.ReadBy(cal.ID, now)
		if now.After(readAt.Add(cal.StaleAfter())) {
			all = append(all, Unread{cal.Name, readAt})
		}
	}
	return all
}

// Offered reports whether a guest finds the time on the page.
func (x *Explanation) Offered() bool {
	against := func(v slots.Verdict) bool { return !v.Yes }
	return x.EventType.Public() && x.payable() && len(x.Unread) == 0 && !slices.ContainsFunc(x.Verdicts, against)
}

func (x *Explanation) payable() bool { return x.EventType.Price == nil || x.canPay }

// nameTakers finds out who is behind what the engine knows as times only.
func (s *Service) nameConflicts(ctx context.Context, p *snapshot.Snapshot, x *Explanation) error {
	rules := x.EventType.Rules()
	wide := x.Span.Grow(rules.BufferBefore, rules.BufferAfter)
	for _, v := range x.Verdicts {
		for _, o := range v.InTheWay {
			if o.Claim == nil {
				if err := s.nameCalendars(ctx, p, x, wide, o.Span); err != nil {
					return err
				}
				continue
			}
			t := Conflict{Span: o.Span, HeldUntil: o.Claim.HeldUntil}
			var err error
			if t.Booking, err = s.bookingOfClaim(ctx, p.WorkspaceID, o.Claim.Booking); err != nil {
				return err
			}
			own := o.Span
			if t.Booking != nil {
				own = slots.Span{Start: t.Booking.StartsAt, End: t.Booking.EndsAt}
			}
			t.ByBuffer = !own.Touches(x.Span)
			x.Conflicts = append(x.Conflicts, t)
		}
	}
	return nil
}

// nameCalendars: the engine knows the calendars' times merged, so that one of them may be several calendars'.
func (s *Service) nameCalendars(ctx context.Context, p *snapshot.Snapshot, x *Explanation, wide,
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
	if !named { // it was read anew meanwhile
		x.Conflicts = append(x.Conflicts, Conflict{Span: merged, ByBuffer: !merged.Touches(x.Span)})
	}
	return nil
}

// bookingOfClaim also finds one that waits for its payment. It is nil if it went away meanwhile.
func (s *Service) bookingOfClaim(ctx context.Context, workspaceID int64, id uuid.UUID) (*slotd.Booking, error) {
	row, err := s.DB.Read().Booking(ctx, sqlcgen.BookingParams{WorkspaceID: workspaceID, ID: id.String()})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("load booking %s: %w", id, err)
	}
	return booking.FromRow(row)
}
