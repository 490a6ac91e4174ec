package booking

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Request is a guest's request for a booking. The entry point that received it has validated its values.
type Request struct {
	EventType   string // slug
	StartsAt    time.Time
	Attendee    slotd.Attendee
	Notes       string
	Idempotency *Idempotency // if nil, a retry counts as a new request
	ShownPrice  *ShownPrice  // nil if no price was shown

	// Permit, if set, may reject a booking that is otherwise possible. It is called last before the booking is
	// written, with the host locked, so it must not block.
	Permit func() error

	// PermitHold is Permit for Checkout. replaces reports whether the hold replaces an earlier one of the same form.
	PermitHold func(replaces bool) error
}

// plan says how a booking starts.
type plan struct {
	start   slotd.Cause
	hold    slotd.HoldReason // what it waits for; empty if it is definite at once
	holdFor time.Duration

	// accepts returns an error if the event type cannot be booked in this way.
	accepts func(c *snapshot.Config, e *slotd.EventType, r Request) error
	// followUp enqueues what has to happen after the transaction.
	followUp func(ctx context.Context, tx *store.Tx, c *snapshot.Config, b *slotd.Booking) error
}

// Create books a slot that costs nothing.
func (s *Service) Create(ctx context.Context, actor Actor, r Request) (*slotd.Booking, error) {
	return s.book(ctx, actor, r, s.atOnce())
}

// atOnce is the plan of a booking that is definite as soon as it is made.
func (s *Service) atOnce() plan {
	return plan{start: slotd.ByBooking, accepts: s.mustCostNothing,
		followUp: func(ctx context.Context, tx *store.Tx, c *snapshot.Config, b *slotd.Booking) error {
			return enqueueConfirmed(ctx, tx, c, b, b.CreatedAt)
		}}
}

func (s *Service) mustCostNothing(c *snapshot.Config, e *slotd.EventType, r Request) error {
	if e.Price == nil {
		return nil
	}
	return slotd.NewError(slotd.PaymentRequired, slotd.Facts{EventType: e.Slug, Price: e.Price,
		BookingURL: s.URL(c.Slug, e.Slug) + "?slot=" + slotd.Instant(r.StartsAt)})
}

// book books a slot as planned.
func (s *Service) book(ctx context.Context, actor Actor, r Request, how plan) (*slotd.Booking, error) {
	if b, err := s.firstResult(ctx, s.db.Read(), actor, r); b != nil || err != nil {
		return b, err
	}
	p, err := s.cache.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	e, err := how.eventType(p.Config, r)
	if err != nil {
		return nil, err
	}
	// Most requests that lose a race end here, without waiting for the host's lock.
	if reason := slots.Check(s.query(p, e, nil), r.StartsAt); reason != slots.Free {
		// The slot may have been taken by an earlier try of this same request.
		if b, err := s.firstResult(ctx, s.db.Read(), actor, r); b != nil || err != nil {
			return b, err
		}
		return nil, s.refuse(ctx, actor, r, refusal{reason, e, p.Claims})
	}
	n := &creation{service: s, actor: actor, request: r, plan: how, snap: p,
		reads: s.readCalendars(ctx, p.Config), commit: s.newCommit(p.WorkspaceID)}
	defer n.commit.end()
	err = s.db.InHostTx(ctx, p.WorkspaceID, p.HostID,
		func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
	if err != nil {
		n.commit.end() // refuse reads the cache, which would wait for this commit
	}
	if wasRefused(err) {
		return nil, s.refuse(ctx, actor, r, n.refusal)
	} else if err != nil {
		return nil, err
	}
	n.commit.publish(n.endedHolds, []slots.Claim{claimOf(n.booking)})
	return n.booking, nil
}

// eventType returns the requested event type if it can be booked in this way.
func (how *plan) eventType(c *snapshot.Config, r Request) (*slotd.EventType, error) {
	e := c.EventTypeBySlug(r.EventType)
	if e == nil || !e.Public() {
		return nil, EventTypeNotFound(c.Slug, r.EventType)
	}
	return e, how.accepts(c, e, r)
}

// ShownPrice is the price and the refund rule that a guest agreed to.
type ShownPrice struct {
	slotd.Price
	RefundUntil int // hours before the start; -1 for never
}

// ShownPriceOf returns what the event type's page shows at present. The event type must have a price.
func ShownPriceOf(e *slotd.EventType) ShownPrice {
	s := ShownPrice{*e.Price, -1}
	if e.RefundPolicy != nil {
		s.RefundUntil = e.RefundPolicy.FullUntilHoursBefore
	}
	return s
}

// ErrPriceChanged means that the guest was shown another price or another refund rule.
var ErrPriceChanged = errors.New("the price has changed")

// EventTypeNotFound returns the same error for unknown, hidden and retired event types.
func EventTypeNotFound(workspace, slug string) error {
	return slotd.NewError(slotd.EventTypeNotFound, slotd.Facts{Workspace: workspace, EventType: slug})
}

// creation is one run of book.
type creation struct {
	service *Service
	actor   Actor
	request Request
	snap    *snapshot.Snapshot
	plan    plan
	reads   map[int64]time.Time // calendars that were just read live

	booking    *slotd.Booking
	endedHolds []slots.Claim // holds that overlapped and were over
	refusal    refusal
	commit     commit
}

func (n *creation) run(ctx context.Context, tx *store.Tx) (err error) {
	n.commit.begin()
	s, r := n.service, n.request
	if n.booking, err = s.firstResult(ctx, tx.Queries, n.actor, r); n.booking != nil || err != nil {
		return err
	}
	now := s.now()
	c, err := loadInTx(ctx, tx, n.snap, now)
	if err != nil {
		return err
	}
	e, err := n.plan.eventType(c.Config, r)
	if err != nil {
		return err
	}
	reason, claims, err := c.check(ctx, e, r.StartsAt, now, nil, n.reads)
	if err != nil {
		return err
	}
	n.refusal = refusal{slots.Busy, e, claims}
	if reason != slots.Free {
		n.refusal.reason = reason
		return errRefused
	}
	if r.Permit != nil {
		if err := r.Permit(); err != nil {
			return err
		}
	}
	n.endedHolds = c.endedHolds
	if n.booking, err = s.newBooking(c.Config, e, r, n.plan, now); err != nil {
		return err
	}
	if err := insertBooking(ctx, tx, n.actor, c.Config, n.booking, n.plan.start); err != nil {
		return err
	}
	if err := saveIdempotency(ctx, tx, n.actor, r, n.booking); err != nil {
		return err
	}
	if err := n.plan.followUp(ctx, tx, c.Config, n.booking); err != nil {
		return err
	}
	return n.commit.bump(ctx, tx)
}

// enqueueConfirmed enqueues what follows when a booking becomes definite.
func enqueueConfirmed(ctx context.Context, tx *store.Tx, c *snapshot.Config, b *slotd.Booking, now time.Time) error {
	if err := enqueueMails(ctx, tx, c.WorkspaceID, b, mail.Booked, time.Time{}, now); err != nil {
		return err
	}
	return enqueueWriteBack(ctx, tx, c, b, now)
}

func (s *Service) newBooking(c *snapshot.Config, e *slotd.EventType, r Request, how plan,
	now time.Time) (b *slotd.Booking, err error) {
	b = &slotd.Booking{
		ID:           uuid.Must(uuid.NewV7()),
		EventTypeID:  e.ID,
		EventTitle:   e.Title,
		Location:     e.Location.Sentence(c.Host),
		JoinURL:      s.joinURL(e.Location),
		Price:        e.Price,
		RefundPolicy: e.RefundPolicy,
		Reminders:    e.RemindersMinutesBefore,
		Attendee:     r.Attendee,
		Notes:        r.Notes,
		CreatedAt:    now.UTC().Truncate(time.Millisecond),
	}
	setTime(b, c, e, r.StartsAt)
	if how.hold != "" {
		b.Hold = slotd.Hold{Reason: how.hold, Until: b.CreatedAt.Add(how.holdFor)}
		if b.StartsAt.Before(b.Hold.Until) { // later is too late
			b.Hold.Until = b.StartsAt
		}
	}
	b.State, err = b.Next(how.start)
	return b, err
}

func insertBooking(ctx context.Context, tx *store.Tx, actor Actor, c *snapshot.Config, b *slotd.Booking,
	start slotd.Cause) error {
	row, err := rowOf(c.WorkspaceID, c.HostID, b)
	if err != nil {
		return err
	}
	if err := tx.InsertBooking(ctx, row); err != nil {
		return fmt.Errorf("insert booking: %w", err)
	}
	if err := changeClaim(ctx, tx, c.WorkspaceID, c.HostID, b, ""); err != nil {
		return err
	}
	return recordTransition(ctx, tx, actor, b, "", start, b.CreatedAt)
}

func insertClaim(ctx context.Context, tx *store.Tx, workspaceID, hostID int64, b *slotd.Booking) error {
	claim := claimOf(b)
	row := sqlcgen.InsertClaimParams{
		WorkspaceID: workspaceID, HostID: hostID, BookingID: b.ID.String(), EventTypeID: b.EventTypeID,
		StartsAt: b.StartsAt.UnixMilli(), FromAt: claim.Start.UnixMilli(), UntilAt: claim.End.UnixMilli(),
	}
	if b.IsHeld() {
		row.HeldUntil = b.Hold.Until.UnixMilli()
	}
	if err := tx.InsertClaim(ctx, row); err != nil {
		return fmt.Errorf("insert claim: %w", err)
	}
	return nil
}
