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

// LongestWait is more than there ever is between two reads. Who waits longer was put off by a clock that
// has been put back since.
const LongestWait = 25 * time.Hour

// Sync reads a calendar if it is its time, and says when it is the next time. A calendar that only its
// owner can mend has none: then it is zero. ErrGone says that there is nothing left to read.
func (s *Service) Sync(ctx context.Context, workspaceID, calendarID int64) (next time.Time, err error) {
	next, err = s.nextRead(ctx, workspaceID, calendarID)
	if err != nil || next.IsZero() {
		return next, err
	}
	if wait := next.Sub(s.Now()); wait > 0 && wait <= LongestWait {
		return next, nil
	}
	err = s.Read(ctx, workspaceID, calendarID)
	var unreadable *calendar.Error
	if err != nil && !errors.As(err, &unreadable) { // what is unreadable has been noted
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
