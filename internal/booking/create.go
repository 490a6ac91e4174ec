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

// Request is what a guest asks for. Its values have been checked by the door it came through.
type Request struct {
	EventType   string // slug
	StartsAt    time.Time
	Attendee    slotd.Attendee
	Notes       string
	Idempotency *Idempotency // nil: a second try is a second request
	ShownPrice  *ShownPrice  // of an event type with a price; nil: nothing was

	// Permit may refuse a booking that could be made, as the last thing before it is. It is asked with
	// the host locked, so it must not wait. Nil: all are welcome.
	Permit func() error

	// PermitHold is Permit for Checkout. replaces: the hold takes the place of one that the same form made before.
	PermitHold func(replaces bool) error
}

// Create books a slot that costs nothing.
func (s *Service) Create(ctx context.Context, actor Actor, r Request) (*slotd.Booking, error) {
	return s.book(ctx, actor, r, "")
}

// make books a slot, or holds it for its payment into an account.
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
	// Most who lose a race learn it here, without queuing for the host.
	if reason := slots.Check(s.query(p, e, nil), r.StartsAt); reason != slots.Free {
		// The one who took it may be this very request, sent before.
		if b, err := s.firstResult(ctx, s.db.Read(), actor, r); b != nil || err != nil {
			return b, err
		}
		return nil, s.refuse(ctx, actor, r, refusal{reason, e, p.Claims})
	}
	n := &creation{service: s, actor: actor, request: r, account: account, picture: p,
		reads: s.readCalendars(ctx, p.Config), commit: s.newCommit(p.WorkspaceID)}
	defer n.commit.end()
	err = s.db.InHostTx(ctx, p.WorkspaceID, p.HostID,
		func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
	if err != nil {
		n.commit.end() // what is answered now may look at the shelf itself
	}
	if wasRefused(err) {
		return nil, s.refuse(ctx, actor, r, n.refusal)
	} else if err != nil {
		return nil, err
	}
	n.commit.publish(n.ended, []slots.Claim{claimOf(n.booking)})
	return n.booking, nil
}

// bookable finds an event type that this door may book: without an account, only one that costs nothing.
func (s *Service) bookable(c *snapshot.Config, r Request, account string) (*slotd.EventType, error) {
	e := c.EventTypeBySlug(r.EventType)
	if e == nil || !e.Public() {
		return nil, EventTypeNotFound(c.Slug, r.EventType)
	}
	if e.Price != nil && account == "" {
		url := s.URL(c.Slug, e.Slug) + "?slot=" + slotd.Instant(r.StartsAt)
		no := slotd.Errorf(slotd.PaymentRequired,
			"%q costs %s and is booked on its page, where a person can pay for the chosen time: %s", e.Slug, e.Price,
			url)
		no.BookingURL = url
		return nil, no
	}
	if account != "" && (e.Price == nil || r.ShownPrice != nil && *r.ShownPrice != ShownPriceOf(e)) {
		return nil, ErrPriceChanged
	}
	return e, nil
}

// Shown is what a guest agrees to pay, and may get back.
type ShownPrice struct {
	slotd.Price
	RefundUntil int // hours before; -1: never
}

// ShownBy is what an event type's page says at present. It must have a price.
func ShownPriceOf(e *slotd.EventType) ShownPrice {
	s := ShownPrice{*e.Price, -1}
	if e.RefundPolicy != nil {
		s.RefundUntil = e.RefundPolicy.FullUntilHoursBefore
	}
	return s
}

// ErrPriceChanged refuses a guest who was shown another price, or another rule.
var ErrPriceChanged = errors.New("the price has changed")

// EventTypeNotFound is the one answer to an event type that is unknown, hidden or retired.
func EventTypeNotFound(workspace, slug string) error {
	return slotd.Errorf(slotd.EventTypeNotFound,
		"Workspace %q offers no event type %.64q. Call list_public_event_types to see those it offers.", workspace,
		slug)
}

// creation is one Create under way.
type creation struct {
	service *Service
	actor   Actor
	request Request
	picture *snapshot.Snapshot
	account string
	reads   map[int64]time.Time // of calendars, a moment ago

	booking *slotd.Booking
	ended   []slots.Claim // holds that were in the way
	refusal refusal
	commit  commit
}

func (n *creation) run(ctx context.Context, tx *store.Tx) (err error) {
	n.commit.begin()
	s, r := n.service, n.request
	if n.booking, err = s.firstResult(ctx, tx.Queries, n.actor, r); n.booking != nil || err != nil {
		return err
	}
	now := s.now()
	c, err := loadInTx(ctx, tx, n.picture, now)
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
	n.booking, n.ended = s.newBooking(c.Config, e, r, now), c.ended
	if n.account != "" {
		n.booking.State, n.booking.HeldUntil = slotd.Held, n.booking.CreatedAt.Add(s.holdFor)
		if n.booking.StartsAt.Before(n.booking.HeldUntil) { // who pays after that has paid too late
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

// followUp has done what is to be done after the transaction.
func (n *creation) followUp(ctx context.Context, tx *store.Tx, c *snapshot.Config) error {
	if n.account != "" {
		return n.hold(ctx, tx, n.booking.CreatedAt)
	}
	if err := enqueueMails(ctx, tx, c.WorkspaceID, n.booking, mail.Booked, time.Time{},
		n.booking.CreatedAt); err != nil {
		return err
	}
	return writeBack(ctx, tx, c, n.booking, n.booking.CreatedAt)
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
