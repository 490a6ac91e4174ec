package identity

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/identity/links"
	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Purpose is the one thing a ticket is good for.
type Purpose string

const (
	Setup   Purpose = "setup"   // makes the first owner
	SignIn  Purpose = "sign_in" // signs the owner of an address in
	Invite  Purpose = "invite"  // makes somebody an owner of a workspace
	Passkey Purpose = "passkey" // a question to a device, which answers once
)

const (
	setupLives   = 24 * time.Hour
	signInLives  = 30 * time.Minute
	inviteLives  = 7 * 24 * time.Hour
	passkeyLives = 5 * time.Minute
	// Used and old ones are kept for a while, so that a second use can be told from a made-up link.
	ticketsKept = 7 * 24 * time.Hour
)

// Ticket is good for one thing, once.
type Ticket struct {
	ID          uuid.UUID
	Purpose     Purpose
	Email       string // whose it is
	Name        string
	WorkspaceID int64  // the one it makes its holder an owner of; 0: none
	Detail      string // where its holder wants to go, what a device is asked, or which user has invited
	ExpiresAt   time.Time
	CreatedAt   time.Time
}

// issue writes a ticket, and forgets those nobody can use any more.
func (s *Service) issue(ctx context.Context, tx *store.Tx, t Ticket, lives time.Duration) (Ticket, error) {
	t.ID, t.CreatedAt, t.ExpiresAt = uuid.New(), s.Now(), s.Now().Add(lives)
	if err := tx.ForgetTickets(ctx, s.Now().Add(-ticketsKept).UnixMilli()); err != nil {
		return t, fmt.Errorf("forget old tickets: %w", err)
	}
	err := tx.InsertTicket(ctx, sqlcgen.InsertTicketParams{
		ID: t.ID.String(), Purpose: string(t.Purpose), Email: t.Email, Name: t.Name, WorkspaceID: t.WorkspaceID,
		Detail:    t.Detail,
		CreatedAt: t.CreatedAt.UnixMilli(), ExpiresAt: t.ExpiresAt.UnixMilli(),
	})
	if err != nil {
		return t, fmt.Errorf("write a ticket: %w", err)
	}
	return t, nil
}

// Path is the ticket's link on the server. Only whoever is given it can have it: it is signed.
func (s *Service) Path(t Ticket) string {
	if t.Purpose == Setup {
		return "/setup/" + s.Links.Token(links.Setup, 0, t.ID)
	}
	return "/login/" + s.Links.Token(links.SignIn, 0, t.ID)
}

// Look finds the ticket of a link's token and changes nothing.
func (s *Service) FindTicket(ctx context.Context, purpose links.Purpose, token string) (*Ticket, error) {
	_, id, ok := s.Links.Verify(purpose, token)
	if !ok {
		return nil, errNoTicket()
	}
	return s.look(ctx, s.DB.Read(), id)
}

func (s *Service) look(ctx context.Context, q *sqlcgen.Queries, id uuid.UUID) (*Ticket, error) {
	row, err := q.Ticket(ctx, id.String())
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoTicket()
	} else if err != nil {
		return nil, fmt.Errorf("look up the ticket: %w", err)
	}
	t := ticketOf(row)
	if row.UsedAt != 0 {
		return t, slotd.Errorf(slotd.Unauthorized, "This link was used already. Each works once.")
	}
	if !s.Now().Before(t.ExpiresAt) {
		return t, slotd.Errorf(slotd.Unauthorized, "This link is too old.")
	}
	return t, nil
}

func errNoTicket() error {
	return slotd.Errorf(slotd.Unauthorized, "This link is not complete, or too old.")
}

func ticketOf(row sqlcgen.Ticket) *Ticket {
	return &Ticket{
		ID: uuid.MustParse(row.ID), Purpose: Purpose(row.Purpose), Email: row.Email, Name: row.Name,
		WorkspaceID: row.WorkspaceID, Detail: row.Detail,
		CreatedAt: timeOf(row.CreatedAt), ExpiresAt: timeOf(row.ExpiresAt),
	}
}

// use takes the ticket, if it is for one of these purposes: of two who come at once, one is told that it is gone.
func (s *Service) use(ctx context.Context, tx *store.Tx, id uuid.UUID, purposes ...Purpose) (*Ticket, error) {
	t, err := s.look(ctx, tx.Queries, id)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(purposes, t.Purpose) {
		return nil, errNoTicket()
	}
	n, err := tx.UseTicket(ctx, sqlcgen.UseTicketParams{ID: id.String(), UsedAt: s.Now().UnixMilli()})
	if err == nil && n == 0 {
		err = slotd.Errorf(slotd.Unauthorized, "This link was used already. Each works once.")
	}
	return t, err
}

// MailJob sends a ticket's link to its address.
const LinkMailJob = "mail_ticket"

// Mailing is the job's detail: the address itself stands in the ticket.
type LinkMail struct {
	Ticket string `json:"ticket"`
}

// post has the link mailed. What is no workspace's own is done under the number 0.
func (s *Service) post(ctx context.Context, tx *store.Tx, t Ticket) error {
	detail, err := json.Marshal(LinkMail{t.ID.String()})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: t.WorkspaceID, Booking: uuid.Nil, ID: "ticket." + t.ID.String(),
		Queue: jobs.Mail, Kind: LinkMailJob, Detail: string(detail), CreatedAt: t.CreatedAt, DueAt: t.CreatedAt,
	}})
}

// TicketByID finds a ticket for its mail; nil if it is not good any more.
func (s *Service) TicketByID(ctx context.Context, id string) (*Ticket, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return nil, err
	}
	t, err := s.look(ctx, s.DB.Read(), parsed)
	if slotd.Is(err, slotd.Unauthorized) {
		return nil, nil
	}
	return t, err
}

func (s *Service) wake() {
	if s.Wake != nil {
		s.Wake()
	}
}
