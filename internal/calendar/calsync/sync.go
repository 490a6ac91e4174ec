package calsync

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/store/sqlcgen"
)

// LongestWait is more than the time between any two reads. A longer wait was scheduled by a clock that has since been
// set back.
const LongestWait = 25 * time.Hour

// Sync reads a calendar if it is due, and returns when it is due next. The time is zero for a calendar that only its
// owner can fix. ErrGone means that there is nothing left to read.
func (s *Service) Sync(ctx context.Context, workspaceID, calendarID int64) (next time.Time, err error) {
	next, err = s.nextRead(ctx, workspaceID, calendarID)
	if err != nil || next.IsZero() {
		return next, err
	}
	if wait := next.Sub(s.Now()); wait > 0 && wait <= LongestWait {
		return next, nil
	}
	err = s.Read(ctx, workspaceID, calendarID)
	var calErr *calendar.Error
	if err != nil && !errors.As(err, &calErr) { // an unreadable calendar has already been recorded
		return next, err
	}
	return s.nextRead(ctx, workspaceID, calendarID)
}

func (s *Service) nextRead(ctx context.Context, workspaceID, calendarID int64) (next time.Time, err error) {
	row, err := s.DB.Read().CalendarRead(ctx,
		sqlcgen.CalendarReadParams{WorkspaceID: workspaceID, CalendarID: calendarID})
	if errors.Is(err, sql.ErrNoRows) {
		return next, ErrGone
	} else if err != nil {
		return next, fmt.Errorf("load the state of calendar %d: %w", calendarID, err)
	}
	if row.Broken {
		return next, nil
	}
	return time.UnixMilli(max(row.NextAt, row.WaitUntil)), nil
}
