package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/mail"
	"slotd/internal/slots"
	"slotd/internal/snapshot"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Request is what a guest asks for. Its values have been checked by the door it came through.
type Request struct {
	EventType string // slug
	StartsAt  time.Time
	Attendee  slotd.Attendee
	Notes     string
	Repeat    *Repeat // nil: a second try is a second request

	// Permit may refuse a booking that could be made, as the last thing before it is. It is asked with
	// the host locked, so it must not wait. Nil: all are welcome.
	Permit func() error
}

// Create books a slot.
func (s *Service) Create(ctx context.Context, actor Actor, r Request) (*slotd.Booking, error) {
	if b, err := s.repeated(ctx, s.DB.Read(), actor, r); b != nil || err != nil {
		return b, err
	}
	p, err := s.Shelf.Latest(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	e, err := s.bookable(p.Config, r.EventType)
	if err != nil {
		return nil, err
	}
	// Most who lose a race learn it here, without queuing for the host.
	if reason := slots.Check(s.query(p, e, nil), r.StartsAt); reason != slots.Free {
		// The one who took it may be this very request, sent before.
		if b, err := s.repeated(ctx, s.DB.Read(), actor, r); b != nil || err != nil {
			return b, err
		}
		return nil, s.refuse(ctx, actor, r, refusal{reason, e, p.Claims})
	}
	n := &creation{service: s, actor: actor, request: r, picture: p, reads: s.readCalendars(ctx, p.Config), commit: s.newCommit(p.WorkspaceID)}
	defer n.commit.end()
	err = s.DB.InHostTx(ctx, p.WorkspaceID, p.HostID, func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
	if err != nil {
		n.commit.end() // what is answered now may look at the shelf itself
	}
	if wasRefused(err) {
		return nil, s.refuse(ctx, actor, r, n.refusal)
	} else if err != nil {
		return nil, err
	}
	n.commit.publish(nil, []slots.Claim{claimOf(n.booking)})
	return n.booking, nil
}

// bookable finds an event type that this door may book.
func (s *Service) bookable(c *snapshot.Config, slug string) (*slotd.EventType, error) {
	e := c.EventTypeBySlug(slug)
	if e == nil || !e.Public() {
		return nil, EventTypeNotFound(c.Slug, slug)
	}
	if e.Price != nil {
		url := s.URL(c.Slug, e.Slug)
		no := slotd.Errorf(slotd.PaymentRequired, "%q costs money and is booked on its page, where a person can pay: %s", e.Slug, url)
		no.BookingURL = url
		return nil, no
	}
	return e, nil
}

// EventTypeNotFound is the one answer to an event type that is unknown, hidden or retired.
func EventTypeNotFound(workspace, slug string) error {
	return slotd.Errorf(slotd.EventTypeNotFound, "Workspace %q offers no event type %.64q. Call list_public_event_types to see those it offers.", workspace, slug)
}

// creation is one Create under way.
type creation struct {
	service *Service
	actor   Actor
	request Request
	picture *snapshot.Picture
	reads   map[int64]time.Time // of calendars, a moment ago

	booking *slotd.Booking
	refusal refusal
	commit  commit
}

func (n *creation) run(ctx context.Context, tx *store.Tx) (err error) {
	n.commit.begin()
	s, r := n.service, n.request
	if n.booking, err = s.repeated(ctx, tx.Queries, n.actor, r); n.booking != nil || err != nil {
		return err
	}
	now := s.Now()
	c, err := load(ctx, tx, n.picture, now)
	if err != nil {
		return err
	}
	e, err := s.bookable(c.Config, r.EventType)
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
	n.booking = s.newBooking(c.Config, e, r, now)
	if err := write(ctx, tx, n.actor, c.Config, n.booking); err != nil {
		return err
	}
	if err := remember(ctx, tx, n.actor, r, n.booking); err != nil {
		return err
	}
	if err := tell(ctx, tx, c.WorkspaceID, n.booking, mail.Booked, time.Time{}, n.booking.CreatedAt); err != nil {
		return err
	}
	if err := writeBack(ctx, tx, c.Config, n.booking, n.booking.CreatedAt); err != nil {
		return err
	}
	return n.commit.bump(ctx, tx)
}

func (s *Service) newBooking(c *snapshot.Config, e *slotd.EventType, r Request, now time.Time) *slotd.Booking {
	b := &slotd.Booking{
		ID:           uuid.Must(uuid.NewV7()),
		EventTypeID:  e.ID,
		State:        slotd.Confirmed,
		EventTitle:   e.Title,
		Location:     e.Location.Sentence(c.Host),
		JoinURL:      s.room(e.Location),
		Price:        e.Price,
		RefundPolicy: e.RefundPolicy,
		Reminders:    e.RemindersMinutesBefore,
		Attendee:     r.Attendee,
		Notes:        r.Notes,
		CreatedAt:    now.UTC().Truncate(time.Millisecond),
	}
	place(b, c, e, r.StartsAt)
	return b
}

func write(ctx context.Context, tx *store.Tx, actor Actor, c *snapshot.Config, b *slotd.Booking) error {
	row, err := rowOf(c.WorkspaceID, c.HostID, b)
	if err != nil {
		return err
	}
	if err := tx.InsertBooking(ctx, row); err != nil {
		return fmt.Errorf("insert booking: %w", err)
	}
	claim := claimOf(b)
	err = tx.InsertClaim(ctx, sqlcgen.InsertClaimParams{
		WorkspaceID: c.WorkspaceID, HostID: c.HostID, BookingID: row.ID, EventTypeID: b.EventTypeID,
		StartsAt: row.StartsAt, FromAt: claim.Start.UnixMilli(), UntilAt: claim.End.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("insert claim: %w", err)
	}
	return record(ctx, tx, actor, b.ID, b.CreatedAt, "created", map[string]string{"starts_at": slotd.Instant(b.StartsAt)})
}
