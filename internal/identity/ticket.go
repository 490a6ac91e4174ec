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

// TicketKind is the only thing that a ticket can be used for.
type TicketKind string

const (
	Setup   TicketKind = "setup"   // creates the first owner
	SignIn  TicketKind = "sign_in" // signs in the owner of an e-mail address
	Invite  TicketKind = "invite"  // makes the holder an owner of a workspace
	Passkey TicketKind = "passkey" // a challenge to a device, which may respond once
)

const (
	setupLifetime   = 24 * time.Hour
	signInLifetime  = 30 * time.Minute
	inviteLifetime  = 7 * 24 * time.Hour
	passkeyLifetime = 5 * time.Minute
	// Used and expired tickets are kept for a while, to tell a second use from a forged link.
	ticketRetention = 7 * 24 * time.Hour
)

// Ticket can be used once, for what its kind says.
type Ticket struct {
	ID          uuid.UUID
	Kind        TicketKind
	Email       string // of the user it is for
	Name        string
	WorkspaceID int64  // the workspace that its holder becomes an owner of; 0 if none
	Detail      string // the page its holder wants to open, a device's challenge, or the ID of the inviting user
	ExpiresAt   time.Time
	CreatedAt   time.Time
}

// issueTicket stores a ticket and deletes those that nobody can use anymore.
func (s *Service) issueTicket(ctx context.Context, tx *store.Tx, t Ticket, lifetime time.Duration) (Ticket, error) {
	t.ID, t.CreatedAt, t.ExpiresAt = uuid.New(), s.Now(), s.Now().Add(lifetime)
	if err := tx.ForgetTickets(ctx, s.Now().Add(-ticketRetention).UnixMilli()); err != nil {
		return t, fmt.Errorf("forget old tickets: %w", err)
	}
	err := tx.InsertTicket(ctx, sqlcgen.InsertTicketParams{
		ID: t.ID.String(), Purpose: string(t.Kind), Email: t.Email, Name: t.Name, WorkspaceID: t.WorkspaceID,
		Detail:    t.Detail,
		CreatedAt: t.CreatedAt.UnixMilli(), ExpiresAt: t.ExpiresAt.UnixMilli(),
	})
	if err != nil {
		return t, fmt.Errorf("write a ticket: %w", err)
	}
	return t, nil
}

// Path returns the path of the ticket's link. The link is signed, so nobody can guess it.
func (s *Service) Path(t Ticket) string {
	if t.Kind == Setup {
		return "/setup/" + s.Links.Token(links.Setup, 0, t.ID)
	}
	return "/login/" + s.Links.Token(links.SignIn, 0, t.ID)
}

// FindTicket returns the ticket of a link's token. It changes nothing.
func (s *Service) FindTicket(ctx context.Context, purpose links.Purpose, token string) (*Ticket, error) {
	_, id, ok := s.Links.Verify(purpose, token)
	if !ok {
		return nil, errInvalidLink()
	}
	return s.loadTicket(ctx, s.DB.Read(), id)
}

func (s *Service) loadTicket(ctx context.Context, q *sqlcgen.Queries, id uuid.UUID) (*Ticket, error) {
	row, err := q.Ticket(ctx, id.String())
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errInvalidLink()
	} else if err != nil {
		return nil, fmt.Errorf("look up the ticket: %w", err)
	}
	t := ticketFromRow(row)
	if row.UsedAt != 0 {
		return t, slotd.Because(slotd.LinkUsed, slotd.Facts{})
	}
	if !s.Now().Before(t.ExpiresAt) {
		return t, slotd.Because(slotd.LinkExpired, slotd.Facts{})
	}
	return t, nil
}

func errInvalidLink() error { return slotd.Because(slotd.LinkIncomplete, slotd.Facts{}) }

func ticketFromRow(row sqlcgen.Ticket) *Ticket {
	return &Ticket{
		ID: uuid.MustParse(row.ID), Kind: TicketKind(row.Purpose), Email: row.Email, Name: row.Name,
		WorkspaceID: row.WorkspaceID, Detail: row.Detail,
		CreatedAt: fromMillis(row.CreatedAt), ExpiresAt: fromMillis(row.ExpiresAt),
	}
}

// useTicket uses up the ticket if it is of one of these kinds. Of two concurrent requests, one gets the error that the
// link was already used.
func (s *Service) useTicket(ctx context.Context, tx *store.Tx, id uuid.UUID, kinds ...TicketKind) (*Ticket, error) {
	t, err := s.loadTicket(ctx, tx.Queries, id)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(kinds, t.Kind) {
		return nil, errInvalidLink()
	}
	n, err := tx.UseTicket(ctx, sqlcgen.UseTicketParams{ID: id.String(), UsedAt: s.Now().UnixMilli()})
	if err == nil && n == 0 {
		err = slotd.Because(slotd.LinkUsed, slotd.Facts{})
	}
	return t, err
}

// LinkMailJob is the kind of the job that mails a ticket's link to its address.
const LinkMailJob = "mail_ticket"

// LinkMail is the detail of a LinkMailJob. The address is in the ticket.
type LinkMail struct {
	Ticket string `json:"ticket"`
}

// enqueueLinkMail enqueues the mail with the link. Mails that belong to no workspace have the workspace ID 0.
func (s *Service) enqueueLinkMail(ctx context.Context, tx *store.Tx, t Ticket) error {
	detail, err := json.Marshal(LinkMail{t.ID.String()})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: t.WorkspaceID, Booking: uuid.Nil, ID: "ticket." + t.ID.String(),
		Queue: jobs.Mail, Kind: LinkMailJob, Detail: string(detail), CreatedAt: t.CreatedAt, DueAt: t.CreatedAt,
	}})
}

// TicketByID returns the ticket that a mail is for, or nil if it is no longer valid.
func (s *Service) TicketByID(ctx context.Context, id string) (*Ticket, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return nil, err
	}
	t, err := s.loadTicket(ctx, s.DB.Read(), parsed)
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
