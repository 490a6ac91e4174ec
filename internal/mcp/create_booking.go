package mcp

import (
	"context"
	"errors"
	"strings"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/booking"
	"slotd/internal/workspace"
)

type createResult struct {
	Booked        bool   `json:"booked"`
	BookingID     string `json:"booking_id"`
	StartsAt      string `json:"starts_at"`
	EndsAt        string `json:"ends_at"`
	Location      string `json:"location"`
	JoinURL       string `json:"join_url"`
	CancelURL     string `json:"cancel_url"`
	RescheduleURL string `json:"reschedule_url"`
}

func (c *call) createBooking(ctx context.Context, token slotd.Token, args arguments) (any, error) {
	request, err := createRequest(args)
	if err != nil {
		return nil, err
	}
	if request.Idempotency, err = c.idempotency(token); err != nil {
		return nil, err
	}
	s := c.h.Booking
	b, err := s.Create(ctx, c.actor(token), request)
	if err != nil {
		return nil, err
	}
	return createResult{
		Booked: true, BookingID: b.ID.String(), StartsAt: slotd.Instant(b.StartsAt), EndsAt: slotd.Instant(b.EndsAt),
		Location: b.Location, JoinURL: b.JoinURL,
		CancelURL: s.CancelURL(token.WorkspaceID, b.ID), RescheduleURL: s.RescheduleURL(token.WorkspaceID, b.ID),
	}, nil
}

func createRequest(args arguments) (r booking.Request, err error) {
	err = args.allowOnly("event_type", "slot_start", "attendee_name", "attendee_email", "attendee_time_zone", "notes")
	if err != nil {
		return r, err
	}
	if r.EventType, err = args.slug("event_type", "intro"); err != nil {
		return r, err
	}
	if r.StartsAt, err = args.instant("slot_start"); err != nil {
		return r, err
	}
	if r.Attendee.Name, err = args.validated("attendee_name", "Grace Okafor", workspace.CheckAttendeeName); err != nil {
		return r, err
	}
	if r.Attendee.Email, err = args.validated("attendee_email", "grace@example.com", workspace.CheckEmail); err != nil {
		return r, err
	}
	if r.Attendee.TimeZone, err = args.validated("attendee_time_zone", "Europe/Berlin", checkZone); err != nil {
		return r, err
	}
	const example = "Wants to talk about pricing."
	notes, err := args.text("notes", example)
	if err != nil {
		return r, err
	}
	r.Notes = strings.ReplaceAll(notes, "\r\n", "\n")
	if err := workspace.CheckText(r.Notes, workspace.MaxNotes); err != nil {
		return r, badArgument("notes", err.Error(), example)
	}
	return r, nil
}

func checkZone(s string) error {
	if _, err := zone.Load(s); err != nil {
		return errors.New("must be an IANA time zone name")
	}
	return nil
}

// idempotency reads the Idempotency-Key header. It returns nil if the header was not sent.
func (c *call) idempotency(token slotd.Token) (*booking.Idempotency, error) {
	values, sent := c.r.Header["Idempotency-Key"]
	if !sent {
		return nil, nil
	}
	key := strings.Join(values, "\n")
	if len(key) < 1 || len(key) > 255 || strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, badArgument("The header Idempotency-Key", "must hold 1 to 255 printable ASCII characters, once",
			"8f0c1c1e-5d0c-4a52-9a3c-0f6b8d9e2a11")
	}
	return &booking.Idempotency{TokenID: token.ID, Key: key}, nil
}
