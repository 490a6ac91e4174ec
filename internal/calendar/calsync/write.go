package calsync

import (
	"context"

	"slotd/internal/calendar"
)

// Writer opens a calendar for writing bookings.
func (s *Service) Writer(ctx context.Context, workspaceID, calendarID int64) (calendar.Writer, error) {
	src, err := s.load(ctx, workspaceID, calendarID)
	if err != nil {
		return nil, err
	}
	if err := s.checkReadable(src); err != nil {
		return nil, err
	}
	provider, err := s.open(src)
	if err != nil {
		return nil, err
	}
	writer, ok := provider.(calendar.Writer)
	if !ok {
		return nil, calendar.Errorf(calendar.Unusable, "It can only be read.").Advise(calendar.ChooseWritable)
	}
	return writer, nil
}
