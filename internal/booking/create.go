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

// Create books a slot that costs nothing.
func (s *Service) Create(ctx context.Context, actor Actor, r Request) (*slotd.Booking, error) {
	return s.book(ctx, actor, r, "")
}

// book books a slot or, if an account is given, holds it until it is paid for.
func (s *Service) book(ctx context.Context, actor Actor, r Request, account string) (*slotd.Booking, error) {
	if b, err := s.firstResult(ctx, s.db.Read(), actor, r); b != nil || err != nil {
		return b, err
	}
	p, err := s.cache.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	e, err := s.bookable(p.Config, r, account)
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
	n := &creation{service: s, actor: actor, request: r, account: account, snap: p,
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

// bookable returns the requested event type if it can be booked. Without an account, only free event types can be
// booked.
func (s *Service) bookable(c *snapshot.Config, r Request, account string) (*slotd.EventType, error) {
	e := c.EventTypeBySlug(r.EventType)
	if e == nil || !e.Public() {
		return nil, EventTypeNotFound(c.Slug, r.EventType)
	}
	if e.Price != nil && account == "" {
		return nil, slotd.NewError(slotd.PaymentRequired, slotd.Facts{EventType: e.Slug, Price: e.Price,
			BookingURL: s.URL(c.Slug, e.Slug) + "?slot=" + slotd.Instant(r.StartsAt)})
	}
	if account != "" && (e.Price == nil || r.ShownPrice != nil && *r.ShownPrice != ShownPriceOf(e)) {
		return nil, ErrPriceChanged
	}
	return e, nil
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

// creation is one run of Create.
type creation struct {
	service *Service
	actor   Actor
	request Request
	snap    *snapshot.Snapshot
	account string
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
	e, err := s.bookable(c.Config, r, n.account)
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
	n.booking, n.endedHolds = s.newBooking(c.Config, e, r, now), c.endedHolds
	if n.account != "" {
		n.booking.State, n.booking.HeldUntil = slotd.Held, n.booking.CreatedAt.Add(s.holdFor)
		if n.booking.StartsAt.Before(n.booking.HeldUntil) { // a later payment is too late
			n.booking.HeldUntil = n.booking.StartsAt
		}
	}
	if err := insertBooking(ctx, tx, n.actor, c.Config, n.booking); err != nil {
		return err
	}
	if err := saveIdempotency(ctx, tx, n.actor, r, n.booking); err != nil {
		return err
	}
	if err := n.followUp(ctx, tx, c.Config); err != nil {
		return err
	}
	return n.commit.bump(ctx, tx)
}

// followUp enqueues what has to happen after the transaction.
func (n *creation) followUp(ctx context.Context, tx *store.Tx, c *snapshot.Config) error {
	if n.account != "" {
		return n.insertCheckout(ctx, tx, n.booking.CreatedAt)
	}
	if err := enqueueMails(ctx, tx, c.WorkspaceID, n.booking, mail.Booked, time.Time{},
		n.booking.CreatedAt); err != nil {
		return err
	}
	return enqueueWriteBack(ctx, tx, c, n.booking, n.booking.CreatedAt)
}

func (s *Service) newBooking(c *snapshot.Config, e *slotd.EventType, r Request, now time.Time) *slotd.Booking {
	b := &slotd.Booking{
		ID:           uuid.Must(uuid.NewV7()),
		EventTypeID:  e.ID,
		State:        slotd.Confirmed,
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
	return b
}

func insertBooking(ctx context.Context, tx *store.Tx, actor Actor, c *snapshot.Config, b *slotd.Booking) error {
	row, err := rowOf(c.WorkspaceID, c.HostID, b)
	if err != nil {
		return err
	}
	if err := tx.InsertBooking(ctx, row); err != nil {
		return fmt.Errorf("insert booking: %w", err)
	}
	if err := insertClaim(ctx, tx, c.WorkspaceID, c.HostID, b); err != nil {
		return err
	}
	kind := "created"
	if b.State == slotd.Held {
		kind = "held"
	}
	return recordEvent(ctx, tx, actor, b.ID, b.CreatedAt, kind,
		map[string]string{"starts_at": slotd.Instant(b.StartsAt)})
}

func insertClaim(ctx context.Context, tx *store.Tx, workspaceID, hostID int64, b *slotd.Booking) error {
	claim := claimOf(b)
	row := sqlcgen.InsertClaimParams{
		WorkspaceID: workspaceID, HostID: hostID, BookingID: b.ID.String(), EventTypeID: b.EventTypeID,
		StartsAt: b.StartsAt.UnixMilli(), FromAt: claim.Start.UnixMilli(), UntilAt: claim.End.UnixMilli(),
	}
	if !b.HeldUntil.IsZero() {
		row.HeldUntil = b.HeldUntil.UnixMilli()
	}
	if err := tx.InsertClaim(ctx, row); err != nil {
		return fmt.Errorf("insert claim: %w", err)
	}
	return nil
}
