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

// Status is the status of a calendar as its owner sees it.
type Status struct {
	slotd.Calendar
	ReadAt     time.Time // zero: never
	NextAt     time.Time // zero: not scheduled
	Events     int       // busy times until the end of the horizon
	Warning    string
	Error      string // why it could not be read; empty: it could
	Broken     bool   // only its owner can fix it
	Unwritten  int    // bookings that could not be written to it, or not in their current form
	WriteError string // why
}

// showFailuresFor is how long an owner sees that a booking was not written.
const showFailuresFor = 30 * 24 * time.Hour

// List returns the status of a workspace's calendars.
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
				WrittenAt: s.Now().Add(-showFailuresFor).UnixMilli()})
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

// TestResult is the result of testing a calendar.
type TestResult struct {
	Items    int
	Events   int
	Warnings string
	Took     time.Duration
}

// Test reads a calendar from the start and stores nothing.
func (s *Service) Test(ctx context.Context, workspaceID, calendarID int64) (t TestResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	startedAt := s.Now()
	src, err := s.load(ctx, workspaceID, calendarID)
	if err != nil {
		return t, err
	}
	provider, err := s.open(src)
	if err != nil {
		return t, err
	}
	changes, err := s.changes(safehttp.WithBodyLimit(ctx, maxReadBytes), provider, "", nil)
	if err != nil {
		return t, err
	}
	changes.Complete = true
	f := &readResult{changes: changes}
	if err := s.expand(ctx, src, f); err != nil {
		return t, err
	}
	return TestResult{Items: len(changes.Items), Events: f.events, Warnings: f.warning,
		Took: s.Now().Sub(startedAt)}, nil
}
