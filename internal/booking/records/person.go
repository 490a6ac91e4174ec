package records

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// Person is everything that a workspace stores about one attendee. It contains no identifiers of others: no ids of
// the payment service, no tokens or owners, and no links that grant access.
type Person struct {
	Email    string          `json:"email"` // as requested; the bookings contain it as it was typed then
	Bookings []PersonBooking `json:"bookings"`
}

// PersonBooking is one booking, with everything that is known about it.
type PersonBooking struct {
	ID           string              `json:"booking_id"`
	State        slotd.State         `json:"state"`
	EventTitle   string              `json:"event_title"`
	StartsAt     string              `json:"starts_at"`
	EndsAt       string              `json:"ends_at"`
	HostWall     string              `json:"host_wall"`
	HostZone     string              `json:"host_time_zone"`
	Location     string              `json:"location"`
	JoinURL      string              `json:"join_url"`
	Name         string              `json:"attendee_name"`
	Email        string              `json:"attendee_email"`
	TimeZone     string              `json:"attendee_time_zone"`
	Notes        string              `json:"notes"`
	Phone        string              `json:"phone,omitempty"`
	CancelReason string              `json:"cancel_reason"`
	MoveReason   string              `json:"move_reason"`
	Price        *slotd.Price        `json:"price"` // null if it was free
	RefundPolicy *slotd.RefundPolicy `json:"refund_policy"`
	Refunded     int64               `json:"refunded_cents"`
	Reminders    []int               `json:"reminders_minutes_before"`
	Moves        int                 `json:"sequence"`
	CreatedAt    string              `json:"created_at"`
	Payments     []PersonPayment     `json:"payments"`
	History      []PersonEvent       `json:"history"`
	Mails        []PersonEvent       `json:"mails"`
}

// PersonPayment is an entry of the ledger.
type PersonPayment struct {
	Kind     string `json:"kind"`
	Amount   int64  `json:"amount_cents"`
	Currency string `json:"currency"`
	At       string `json:"at"`
}

// PersonEvent is something that happened, or was mailed.
type PersonEvent struct {
	Kind string `json:"kind"`
	At   string `json:"at"`
}

// CountPerson returns the number of a person's bookings in a workspace, whatever their state.
func (s *Service) CountPerson(ctx context.Context, workspaceID int64, email string) (int, error) {
	if err := checkEmail(email); err != nil {
		return 0, err
	}
	n, err := s.DB.Read().CountBookingsOfPerson(ctx,
		sqlcgen.CountBookingsOfPersonParams{WorkspaceID: workspaceID, Email: email})
	if err != nil {
		return 0, fmt.Errorf("count a person's bookings: %w", err)
	}
	return int(n), nil
}

func checkEmail(email string) error {
	if err := workspace.CheckEmail(email); err != nil {
		return slotd.Because(slotd.NotAnEmail, slotd.Facts{})
	}
	return nil
}

// Export returns everything that is stored about the person with this address, ignoring case. The activity records
// the export, but not whose data it was.
func (s *Service) Export(ctx context.Context, workspaceID int64, email string, by slotd.Actor) (*Person, error) {
	if err := checkEmail(email); err != nil {
		return nil, err
	}
	p := &Person{Email: email}
	err := s.DB.InReadTx(ctx, func(q *sqlcgen.Queries) error {
		rows, err := q.BookingsOfPerson(ctx, sqlcgen.BookingsOfPersonParams{WorkspaceID: workspaceID, Email: email})
		if err != nil {
			return fmt.Errorf("look for a person's bookings: %w", err)
		}
		p.Bookings = make([]PersonBooking, len(rows))
		for i, row := range rows {
			if p.Bookings[i], err = personFile(ctx, q, row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(p.Bookings) == 0 {
		return p, err
	}
	return p, s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return identity.RecordActivity(ctx, tx, workspaceID, by, "person.exported", bookingCount(len(p.Bookings)),
			s.Now())
	})
}

func bookingCount(n int) string {
	if n == 1 {
		return "1 booking"
	}
	return fmt.Sprintf("%d bookings", n)
}

func personFile(ctx context.Context, q *sqlcgen.Queries, row sqlcgen.Booking) (f PersonBooking, err error) {
	b, err := booking.FromRow(row)
	if err != nil {
		return f, err
	}
	f = PersonBooking{
		ID: b.ID.String(), State: b.State, EventTitle: b.EventTitle, StartsAt: slotd.Instant(b.StartsAt),
		EndsAt:   slotd.Instant(b.EndsAt),
		HostWall: b.HostWall, HostZone: b.HostZone, Location: b.Location, JoinURL: b.JoinURL,
		Name: b.Attendee.Name, Email: b.Attendee.Email, TimeZone: b.Attendee.TimeZone, Notes: b.Notes,
		Phone:        b.Attendee.Phone,
		CancelReason: b.CancelReason, MoveReason: b.MoveReason,
		Price: b.Price, RefundPolicy: b.RefundPolicy, Refunded: b.RefundedCents, Reminders: b.Reminders,
		Moves:     b.Sequence,
		CreatedAt: slotd.Instant(b.CreatedAt),
	}
	if f.Payments, err = personPayments(ctx, q, row.WorkspaceID, b.ID); err != nil {
		return f, err
	}
	if f.History, err = personHistory(ctx, q, row.WorkspaceID, b.ID); err != nil {
		return f, err
	}
	f.Mails, err = personMails(ctx, q, row.WorkspaceID, b.ID)
	return f, err
}

func personPayments(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) ([]PersonPayment, error) {
	l, err := booking.LoadLedger(ctx, q, workspaceID, id)
	all := make([]PersonPayment, len(l))
	for i, e := range l {
		all[i] = PersonPayment{Kind: string(e.Kind), Amount: e.Amount, Currency: e.Currency, At: slotd.Instant(e.At)}
	}
	return all, err
}

func personHistory(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) ([]PersonEvent, error) {
	rows, err := q.BookingEvents(ctx, sqlcgen.BookingEventsParams{WorkspaceID: workspaceID, BookingID: id.String()})
	if err != nil {
		return nil, fmt.Errorf("load the history of booking %s: %w", id, err)
	}
	all := make([]PersonEvent, len(rows))
	for i, row := range rows {
		all[i] = PersonEvent{row.Kind, instant(row.At)}
	}
	return all, nil
}

func instant(milli int64) string { return slotd.Instant(time.UnixMilli(milli)) }

// personMails returns the mails to the attendee. A mail's id consists of the booking's id, a number, the kind of mail
// and its recipient.
func personMails(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id uuid.UUID) ([]PersonEvent, error) {
	rows, err := q.MailsToPerson(ctx, sqlcgen.MailsToPersonParams{WorkspaceID: workspaceID, BookingID: id.String()})
	if err != nil {
		return nil, fmt.Errorf("load the mails about booking %s: %w", id, err)
	}
	all := []PersonEvent{}
	for _, row := range rows {
		parts := strings.Split(strings.TrimPrefix(row.ID, id.String()+"."), ".")
		if len(parts) == 3 && (parts[1] == string(mail.Reminder) || parts[2] == string(mail.ToAttendee)) {
			all = append(all, PersonEvent{parts[1], instant(row.SentAt)})
		}
	}
	return all, nil
}
