package booking

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store/sqlcgen"
)

// terms are what a booking copies from its event type, besides the columns.
type terms struct {
	Price        *slotd.Price        `json:"price,omitempty"`
	RefundPolicy *slotd.RefundPolicy `json:"refund_policy,omitempty"`
	Reminders    []int               `json:"reminders_minutes_before"`
}

// PriceInTerms returns the price in a booking's stored terms. It returns nil if the booking costs nothing.
func PriceInTerms(stored string) (*slotd.Price, error) {
	var t terms
	err := json.Unmarshal([]byte(stored), &t)
	return t.Price, err
}

// FromRow returns the booking in a database row.
func FromRow(row sqlcgen.Booking) (*slotd.Booking, error) {
	id, err := uuid.Parse(row.ID)
	if err != nil {
		return nil, fmt.Errorf("booking %q: %w", row.ID, err)
	}
	var t terms
	if err := json.Unmarshal([]byte(row.Terms), &t); err != nil {
		return nil, fmt.Errorf("terms of booking %s: %w", row.ID, err)
	}
	return &slotd.Booking{
		ID:                  id,
		EventTypeID:         row.EventTypeID,
		State:               slotd.State(row.State),
		StartsAt:            time.UnixMilli(row.StartsAt).UTC(),
		EndsAt:              time.UnixMilli(row.EndsAt).UTC(),
		HostWall:            row.HostWall,
		HostZone:            row.HostZone,
		BufferBeforeMinutes: int(row.BufferBeforeMinutes),
		BufferAfterMinutes:  int(row.BufferAfterMinutes),
		EventTitle:          row.EventTitle,
		Location:            row.Location,
		JoinURL:             row.JoinUrl,
		Price:               t.Price,
		RefundPolicy:        t.RefundPolicy,
		RefundedCents:       row.RefundedCents,
		Reminders:           t.Reminders,
		Sequence:            int(row.Sequence),
		Attendee: slotd.Attendee{Name: row.AttendeeName, Email: row.AttendeeEmail,
			TimeZone: row.AttendeeTimeZone, Phone: row.AttendeePhone},
		Notes:        row.Notes,
		CreatedAt:    time.UnixMilli(row.CreatedAt).UTC(),
		CancelReason: row.CancelReason,
		MoveReason:   row.MoveReason,
		Hold:         holdOf(row),
	}, nil
}

func holdOf(row sqlcgen.Booking) (h slotd.Hold) {
	if row.HoldReason != "" {
		h = slotd.Hold{Reason: slotd.HoldReason(row.HoldReason), Until: time.UnixMilli(row.HeldUntil).UTC()}
	}
	return h
}

func rowOf(workspaceID, hostID int64, b *slotd.Booking) (sqlcgen.InsertBookingParams, error) {
	text, err := json.Marshal(terms{b.Price, b.RefundPolicy, b.Reminders})
	if err != nil {
		return sqlcgen.InsertBookingParams{}, err
	}
	row := sqlcgen.InsertBookingParams{
		WorkspaceID:         workspaceID,
		ID:                  b.ID.String(),
		HostID:              hostID,
		EventTypeID:         b.EventTypeID,
		State:               string(b.State),
		StartsAt:            b.StartsAt.UnixMilli(),
		EndsAt:              b.EndsAt.UnixMilli(),
		HostWall:            b.HostWall,
		HostZone:            b.HostZone,
		BufferBeforeMinutes: int64(b.BufferBeforeMinutes),
		BufferAfterMinutes:  int64(b.BufferAfterMinutes),
		EventTitle:          b.EventTitle,
		Location:            b.Location,
		JoinUrl:             b.JoinURL,
		Terms:               string(text),
		AttendeeName:        b.Attendee.Name,
		AttendeeEmail:       b.Attendee.Email,
		AttendeeTimeZone:    b.Attendee.TimeZone,
		AttendeePhone:       b.Attendee.Phone,
		Notes:               b.Notes,
		CreatedAt:           b.CreatedAt.UnixMilli(),
		HoldReason:          string(b.Hold.Reason),
	}
	if b.Hold.Reason != "" {
		row.HeldUntil = b.Hold.Until.UnixMilli()
	}
	return row, nil
}
