// Package booking implements what can be done with bookings: find open slots, book, move, cancel and pay. It alone
// changes a booking's state, its claim on the host's time or its ledger. Every change is one transaction with the
// host locked: load, check, write, and increment the workspace's version.
package booking

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Config holds what the service needs.
type Config struct {
	DB        *store.DB
	Cache     *snapshot.Cache
	Links     *links.Signer
	Calendars *calsync.Service  // reads the hosts' calendars before a booking
	Accounts  *accounts.Service // finds the account that guests pay into
	Now       func() time.Time
	Wait      func(time.Duration) // time.Sleep, or a test's replacement
	Wake      func()              // called when there are new jobs; may be nil

	BaseURL  string          // without a trailing slash
	VideoURL string          // template for new video rooms, with {room}
	MailFrom netmail.Address // sender of the server's mails
	HoldFor  time.Duration   // how long a slot is held while its guest pays
}

// Service creates, moves and cancels bookings, and handles their payments.
type Service struct {
	db        *store.DB
	cache     *snapshot.Cache
	links     *links.Signer
	calendars *calsync.Service
	accounts  *accounts.Service
	now       func() time.Time
	wait      func(time.Duration)
	wake      func()

	baseURL  string
	videoURL string
	mailFrom netmail.Address
	holdFor  time.Duration
}

// New returns a service. Callers may leave out of the config what their commands do not use.
func New(c Config) *Service {
	return &Service{
		db: c.DB, cache: c.Cache, links: c.Links, calendars: c.Calendars, accounts: c.Accounts,
		now: c.Now, wait: c.Wait, wake: c.Wake,
		baseURL: c.BaseURL, videoURL: c.VideoURL, mailFrom: c.MailFrom, holdFor: c.HoldFor,
	}
}

// Actor is who acts in a workspace.
type Actor struct {
	WorkspaceID int64
	slotd.Actor
}

// Page returns the actor for a guest who books on a page.
func Page(workspaceID int64) Actor { return Actor{workspaceID, slotd.Actor{Kind: slotd.PageActor}} }

// Attendee returns the actor for a guest who uses one of the booking's links.
func Attendee(workspaceID int64) Actor {
	return Actor{workspaceID, slotd.Actor{Kind: slotd.AttendeeActor}}
}

// Token returns the actor for an agent with a token.
func Token(workspaceID int64, tokenID, address string) Actor {
	return Actor{workspaceID, slotd.Actor{Kind: slotd.TokenActor, ID: tokenID, Address: address}}
}

// URL returns the address of an event type's public page.
func (s *Service) URL(workspace, eventType string) string {
	return s.baseURL + "/" + workspace + "/" + eventType
}

// CancelURL returns the link with which the attendee cancels the booking.
func (s *Service) CancelURL(workspaceID int64, booking uuid.UUID) string {
	return s.baseURL + s.links.Path(links.Cancel, workspaceID, booking)
}

// RescheduleURL returns the link with which the attendee moves the booking.
func (s *Service) RescheduleURL(workspaceID int64, booking uuid.UUID) string {
	return s.baseURL + s.links.Path(links.Reschedule, workspaceID, booking)
}

// Query returns the query for the slots that are open now. It ignores the booking that is being moved, if any. It
// returns an error if the copy of a calendar is too old, because then nobody knows which slots are open.
func (s *Service) Query(p *snapshot.Snapshot, e *slotd.EventType, moving *slotd.Booking) (slots.Query, error) {
	q := s.query(p, e, moving)
	if !q.BusyValidUntil.IsZero() && !q.Now.Before(q.BusyValidUntil) {
		return q, snapshot.CalendarUnavailable()
	}
	return q, nil
}

func (s *Service) query(p *snapshot.Snapshot, e *slotd.EventType, moving *slotd.Booking) slots.Query {
	return QueryAt(p, e, moving, s.now())
}

// QueryAt is like Query, at a given time. It uses the copies of the calendars as they are, however old.
func QueryAt(p *snapshot.Snapshot, e *slotd.EventType, moving *slotd.Booking, now time.Time) slots.Query {
	claims, busy := p.Claims, p.Busy.Busy()
	if moving != nil {
		claims, busy = claims.Without(claimOf(moving)), p.Busy.BusyWithout(moving.ID)
	}
	q := p.Query(e, claims, busy, now)
	q.BusyValidUntil = p.BusyValidUntil(p.Busy, q.Now)
	return q
}

// joinURL returns the address of a video meeting, and an empty string for other locations.
func (s *Service) joinURL(l slotd.Location) string {
	switch {
	case l.Type != slotd.Video:
		return ""
	case l.URL != "":
		return l.URL
	default:
		return strings.ReplaceAll(s.videoURL, "{room}", strings.ToLower(rand.Text()))
	}
}

// claimOf returns the claim of a booking on the host's time.
func claimOf(b *slotd.Booking) slots.Claim {
	span := slots.Span{Start: b.StartsAt, End: b.EndsAt}
	claim := slots.Claim{
		Booking:   b.ID,
		EventType: b.EventTypeID,
		StartsAt:  b.StartsAt,
		Span: span.Grow(time.Duration(b.BufferBeforeMinutes)*time.Minute,
			time.Duration(b.BufferAfterMinutes)*time.Minute),
	}
	if b.IsHeld() {
		claim.HeldUntil = b.Hold.Until
	}
	return claim
}

// setTime sets the start of the booking and all that follows from it, by the event type's current rules and the
// schedule's current zone.
func setTime(b *slotd.Booking, c *snapshot.Config, e *slotd.EventType, start time.Time) {
	z := c.Schedule(e).Zone
	b.StartsAt = start
	b.EndsAt = start.Add(e.Rules().Duration)
	b.HostWall = start.In(z.Location()).Format("2006-01-02T15:04")
	b.HostZone = z.Name()
	b.BufferBeforeMinutes = e.BufferBeforeMinutes
	b.BufferAfterMinutes = e.BufferAfterMinutes
}

// recordEvent adds an event to the booking's history and, if the host's side acts, to the workspace's activity. An
// event contains times, never personal data.
func recordEvent(ctx context.Context, tx *store.Tx, actor Actor, id uuid.UUID, now time.Time, kind string,
	detail map[string]string) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	err = tx.InsertBookingEvent(ctx, sqlcgen.InsertBookingEventParams{
		WorkspaceID: actor.WorkspaceID, BookingID: id.String(), At: now.UnixMilli(), Kind: kind, Actor: actor.String(),
		Detail: string(text),
	})
	if err != nil {
		return fmt.Errorf("record that booking %s was %s: %w", id, kind, err)
	}
	if !actor.IsHostSide() { // the activity is the host's side's
		return nil
	}
	return identity.RecordActivity(ctx, tx, actor.WorkspaceID, actor.Actor, "booking."+kind, id.String(), now)
}

// findBooking reads a booking of the actor's workspace. It returns an error if there is none.
func findBooking(ctx context.Context, q *sqlcgen.Queries, actor Actor, id uuid.UUID) (*slotd.Booking, int64, error) {
	b, hostID, err := loadBooking(ctx, q, actor.WorkspaceID, id)
	if err == nil && b == nil {
		err = notFound(id)
	}
	return b, hostID, err
}

// Load reads a booking. It returns nil if there is none that people can see.
func Load(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*slotd.Booking, error) {
	b, _, err := loadBooking(ctx, q, workspaceID, id)
	return b, err
}

// Booking is like Load, with the service's own database.
func (s *Service) Booking(ctx context.Context, workspaceID int64, id uuid.UUID) (*slotd.Booking, error) {
	return Load(ctx, s.db.Read(), workspaceID, id)
}

// loadBooking is like readBooking, but returns nil for a booking that nobody can see, move or cancel.
func loadBooking(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*slotd.Booking, int64,
	error) {
	b, hostID, err := readBooking(ctx, q, workspaceID, id)
	if err != nil || b == nil || !b.State.IsVisible() {
		return nil, 0, err
	}
	return b, hostID, nil
}

// readBooking reads a booking, whatever its state. It returns nil if there is none.
func readBooking(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*slotd.Booking, int64,
	error) {
	row, err := q.Booking(ctx, sqlcgen.BookingParams{WorkspaceID: workspaceID, ID: id.String()})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, fmt.Errorf("load booking %s: %w", id, err)
	}
	b, err := FromRow(row)
	return b, row.HostID, err
}

func notFound(id uuid.UUID) error {
	return slotd.NewError(slotd.BookingNotFound, slotd.Facts{Booking: id.String()})
}
