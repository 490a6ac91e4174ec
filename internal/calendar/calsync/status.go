package calsync

import (
	"context"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/safehttp"
	"slotd/internal/store/sqlcgen"
)

// Status is how a calendar is, as its owner sees it.
type Status struct {
	slotd.Calendar
	ReadAt     time.Time // zero: never
	NextAt     time.Time // zero: not by itself
	Events     int       // busy times until the end of the horizon
	Warning    string
	Error      string // why it could not be read; empty: it could
	Broken     bool   // only its owner can mend it
	Unwritten  int    // bookings that could not be written into it, or not as they are now
	WriteError string // why
}

// shownFor is how long an owner is told of a booking that was not written.
const shownFor = 30 * 24 * time.Hour

// List shows how the calendars of a workspace are.
func (s *Service) List(ctx context.Context, c *snapshot.Config) (all []Status, err error) {
	rows, err := s.DB.Read().CalendarReads(ctx, c.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("load the state of calendars: %w", err)
	}
	states := map[int64]sqlcgen.CalendarRead{}
	for _, row := range rows {
		states[row.CalendarID] = row
	}
	for _, cal := range c.Calendars {
		entries, err := s.DB.Read().FailedEntries(ctx,
			sqlcgen.FailedEntriesParams{WorkspaceID: c.WorkspaceID, CalendarID: cal.ID,
				WrittenAt: s.Now().Add(-shownFor).UnixMilli()})
		if err != nil {
			return nil, fmt.Errorf("count what was not written into calendar %s: %w", cal.Name, err)
		}
		r := states[cal.ID]
		status := Status{Calendar: cal, Events: int(r.Events), Warning: r.Warning, Error: r.LastError, Broken: r.Broken,
			Unwritten: int(entries.Failed), WriteError: entries.LastError}
		if r.ReadAt > 0 {
			status.ReadAt = time.UnixMilli(r.ReadAt).UTC()
		}
		if !r.Broken && r.NextAt > 0 {
			status.NextAt = time.UnixMilli(max(r.NextAt, r.WaitUntil)).UTC()
		}
		all = append(all, status)
	}
	return all, nil
}

// Trial is what a test of a calendar has shown.
type TestResult struct {
	Items    int
	Events   int
	Warnings string
	Took     time.Duration
}

// Try reads a calendar from the start and keeps nothing.
func (s *Service) Test(ctx context.Context, workspaceID, calendarID int64) (t TestResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	began := s.Now()
	src, err := s.load(ctx, workspaceID, calendarID)
	if err != nil {
		return t, err
	}
	provider, err := s.open(src)
	if err != nil {
		return t, err
	}
	changes, err := s.changes(safehttp.WithAllowance(ctx, maxRead), provider, "", nil)
	if err != nil {
		return t, err
	}
	changes.Whole = true
	f := &found{changes: changes}
	if err := s.expand(ctx, src, f); err != nil {
		return t, err
	}
	return TestResult{Items: len(changes.Items), Events: f.events, Warnings: f.warning, Took: s.Now().Sub(began)}, nil
}
