package mcp

import (
	"context"

	"slotd"
)

type rescheduleResult struct {
	Rescheduled bool   `json:"rescheduled"`
	BookingID   string `json:"booking_id"`
	StartsAt    string `json:"starts_at"`
	EndsAt      string `json:"ends_at"`
	Location    string `json:"location"`
	JoinURL     string `json:"join_url"`
}

func (c *call) rescheduleBooking(ctx context.Context, token slotd.Token, args arguments) (any, error) {
	if err := args.allowOnly("booking_id", "slot_start"); err != nil {
		return nil, err
	}
	id, err := args.uuid("booking_id")
	if err != nil {
		return nil, err
	}
	start, err := args.instant("slot_start")
	if err != nil {
		return nil, err
	}
	b, err := c.h.Booking.Reschedule(ctx, c.actor(token), id, start)
	if err != nil {
		return nil, err
	}
	return rescheduleResult{true, b.ID.String(), slotd.Instant(b.StartsAt), slotd.Instant(b.EndsAt), b.Location,
		b.JoinURL}, nil
}
