package mcp

import (
	"context"

	"slotd"
)

type cancelResult struct {
	Canceled      bool   `json:"canceled"`
	BookingID     string `json:"booking_id"`
	EventTitle    string `json:"event_title"`
	RefundedCents int64  `json:"refunded_cents"`
}

func (c *call) cancelBooking(ctx context.Context, token slotd.Token, args arguments) (any, error) {
	if err := args.allowOnly("booking_id"); err != nil {
		return nil, err
	}
	id, err := args.uuid("booking_id")
	if err != nil {
		return nil, err
	}
	b, err := c.h.Booking.Cancel(ctx, c.actor(token), id, "")
	if err != nil {
		return nil, err
	}
	return cancelResult{true, b.ID.String(), b.EventTitle, b.RefundedCents}, nil
}
