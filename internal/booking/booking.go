// Package booking holds the verbs: what can be booked, book it, move it, cancel it. It alone
// changes a booking's state or its claim on the host's time, and every change is one transaction
// with the host locked: load, check, write, count.
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

// Config is what the verbs need.
type Config struct {
	DB        *store.DB
	Cache     *snapshot.Cache
	Links     *links.Signer
	Calendars *calsync.Service  // reads the hosts' calendars before a booking
	Accounts  *accounts.Service // knows where guests pay
	Now       func() time.Time
	Wait      func(time.Duration) // time.Sleep, or what a test puts in its place
	Wake      func()              // called when there are new jobs; may be nil

	BaseURL  string          // without a slash at the end
	VideoURL string          // template of fresh rooms, with {room}
	MailFrom netmail.Address // the server's own, which mails come from
	HoldFor  time.Duration   // how long a slot is held while its guest pays
}

// Service books, moves and cancels.
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

// New makes the service. What a caller's commands do not need may be left out of the config.
func New(c Config) *Service {
	return &Service{
		db: c.DB, cache: c.Cache, links: c.Links, calendars: c.Calendars, accounts: c.Accounts,
		now: c.Now, wait: c.Wait, wake: c.Wake,
		baseURL: c.BaseURL, videoURL: c.VideoURL, mailFrom: c.MailFrom, holdFor: c.HoldFor,
	}
}

// Actor is who does something, as the history shows it.
type Actor struct {
	WorkspaceID int64
	Name        string // such as "token:tok_…"
	Attendee    bool   // acts for the guest, not for the host
	Address     string // of the client; empty: not known
}

// isHosts reports whether the host's side acts: an owner, a token or the operator. The activity tells of those alone.
func (a Actor) isHosts() bool {
	return strings.HasPrefix(a.Name, "user:") || strings.HasPrefix(a.Name, "token:") || a.Name == identity.Operator.Name
}

// AttendeeName is how the history calls a guest.
const AttendeeName = "attendee"

// Attendee is who acts through a link of a booking's own.
func Attendee(workspaceID int64) Actor {
	return Actor{WorkspaceID: workspaceID, Name: AttendeeName, Attendee: true}
}

// URL is the public page of an event type.
func (s *Service) URL(workspace, eventType string) string {
	return s.baseURL + "/" + workspace + "/" + eventType
}

// CancelURL and RescheduleURL are the attendee's own links.
func (s *Service) CancelURL(workspaceID int64, booking uuid.UUID) string {
	return s.baseURL + s.links.Path(links.Cancel, workspaceID, booking)
}

func (s *Service) RescheduleURL(workspaceID int64, booking uuid.UUID) string {
	return s.baseURL + s.links.Path(links.Reschedule, workspaceID, booking)
}

// Query asks the engine what is open now. A booking that is to be moved is left out of account. Where
// a calendar is too long unread nobody knows, and it is an error.
func (s *Service) Query(p *snapshot.Snapshot, e *slotd.EventType, own *slotd.Booking) (slots.Query, error) {
	q := s.query(p, e, own)
	if !q.KnownUntil.IsZero() && !q.Now.Before(q.KnownUntil) {
		return q, snapshot.CalendarUnavailable()
	}
	return q, nil
}

func (s *Service) query(p *snapshot.Snapshot, e *slotd.EventType, own *slotd.Booking) slots.Query {
	return QueryAt(p, e, own, s.now())
}

// QueryAt is Query at a given time. It takes the copies of calendars as they are, however old.
func QueryAt(p *snapshot.Snapshot, e *slotd.EventType, own *slotd.Booking, now time.Time) slots.Query {
	claims, busy := p.Claims, p.Busy.Busy()
	if own != nil {
		claims, busy = claims.Without(claimOf(own)), p.Busy.BusyWithout(own.ID)
	}
	q := p.Query(e, claims, busy, now)
	q.KnownUntil = p.KnownUntil(p.Busy, q.Now)
	return q
}

// room gives a video meeting its address.
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

// claimOf is a booking's hold on the host's time.
func claimOf(b *slotd.Booking) slots.Claim {
	span := slots.Span{Start: b.StartsAt, End: b.EndsAt}
	return slots.Claim{
		Booking:   b.ID,
		EventType: b.EventTypeID,
		StartsAt:  b.StartsAt,
		Span: span.Grow(time.Duration(b.BufferBeforeMinutes)*time.Minute,
			time.Duration(b.BufferAfterMinutes)*time.Minute),
		HeldUntil: b.HeldUntil,
	}
}

// place sets when the booking is, by the event type's rules and the schedule's zone of now.
func setTime(b *slotd.Booking, c *snapshot.Config, e *slotd.EventType, start time.Time) {
	z := c.Schedule(e).Zone
	b.StartsAt = start
	b.EndsAt = start.Add(e.Rules().Duration)
	b.HostWall = start.In(z.Location()).Format("2006-01-02T15:04")
	b.HostZone = z.Name()
	b.BufferBeforeMinutes = e.BufferBeforeMinutes
	b.BufferAfterMinutes = e.BufferAfterMinutes
}

// record adds to the booking's history, and where the host's side acts to the workspace's activity. It holds times,
// never a person's data.
func recordEvent(ctx context.Context, tx *store.Tx, actor Actor, id uuid.UUID, now time.Time, kind string,
	detail map[string]string) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	err = tx.InsertBookingEvent(ctx, sqlcgen.InsertBookingEventParams{
		WorkspaceID: actor.WorkspaceID, BookingID: id.String(), At: now.UnixMilli(), Kind: kind, Actor: actor.Name,
		Detail: string(text),
	})
	if err != nil {
		return fmt.Errorf("record that booking %s was %s: %w", id, kind, err)
	}
	if !actor.isHosts() {
		return nil
	}
	return identity.RecordActivity(ctx, tx, actor.WorkspaceID, identity.Actor{Name: actor.Name, Address: actor.Address},
		"booking."+kind, id.String(), now)
}

// find reads a booking of the actor's own workspace.
func find(ctx context.Context, q *sqlcgen.Queries, actor Actor, id uuid.UUID) (*slotd.Booking, int64, error) {
	b, hostID, err := loadBooking(ctx, q, actor.WorkspaceID, id)
	if err == nil && b == nil {
		err = notFound(id)
	}
	return b, hostID, err
}

// Load reads a booking; nil: there is none. A booking that waits for its payment counts as none.
func Load(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*slotd.Booking, error) {
	b, _, err := loadBooking(ctx, q, workspaceID, id)
	return b, err
}

// Booking is Load from the service's own database.
func (s *Service) Booking(ctx context.Context, workspaceID int64, id uuid.UUID) (*slotd.Booking, error) {
	return Load(ctx, s.db.Read(), workspaceID, id)
}

// loadBooking finds none where one waits for its payment: it is nobody's to see, move or cancel yet.
func loadBooking(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) (*slotd.Booking, int64,
	error) {
	row, err := q.Booking(ctx, sqlcgen.BookingParams{WorkspaceID: workspaceID, ID: id.String()})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, fmt.Errorf("load booking %s: %w", id, err)
	}
	b, err := FromRow(row)
	if err != nil || b.State == slotd.Held || b.State == slotd.Expired {
		return nil, 0, err
	}
	return b, row.HostID, nil
}

func notFound(id uuid.UUID) error {
	return slotd.Errorf(slotd.BookingNotFound,
		"The token's workspace has no booking %s. Use the booking_id that create_booking returned.", id)
}
