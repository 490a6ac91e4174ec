package calsync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// errSuperseded means that another read finished first: what this read knew about the copy is outdated.
var errSuperseded = errors.New("another read was quicker")

// freshFor is how long an unchanged copy is not worth a write.
const freshFor = time.Minute

// save writes the result of a read: items, busy times, cursor and next run in one transaction.
func (s *Service) save(ctx context.Context, src *source, f *readResult) error {
	now := s.Now()
	if f.unchanged && src.isFresh(f, now) {
		return nil
	}
	var version int64
	var busyChanged bool
	finishCommit := func() {}
	defer func() { finishCommit() }()
	err := s.DB.InHostTx(ctx, src.workspaceID, src.hostID, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := putState(ctx, tx, s.successState(src, f, now)); err != nil {
			return err
		}
		if busyChanged, err = src.saveCopy(ctx, tx, f); err != nil {
			return err
		}
		if version, err = tx.BumpVersion(ctx, src.workspaceID); err == nil && !busyChanged {
			finishCommit()
			finishCommit = s.Cache.Committing(src.workspaceID, version)
		}
		return err
	})
	if err == nil && busyChanged {
		s.Cache.NoteVersion(src.workspaceID, version)
	} else if err == nil {
		s.Cache.ApplyCalendarRead(src.workspaceID, version, src.calendar.ID, f.startedAt)
	}
	return err
}

// isFresh reports whether the stored copy is as good as new. It is not if a read was due, because the next one has to
// be scheduled.
func (src *source) isFresh(f *readResult, now time.Time) bool {
	stored := src.state
	age := now.Sub(time.UnixMilli(stored.ReadAt))
	return f.changes.Cursor == stored.Cursor && stored.Failures == 0 && age >= 0 && age < freshFor &&
		now.UnixMilli() < stored.NextAt
}

// successState returns the state after a successful read.
func (s *Service) successState(src *source, f *readResult, now time.Time) sqlcgen.PutCalendarReadParams {
	state := stateOf(src)
	state.Cursor, state.ReadAt = f.changes.Cursor, f.startedAt.UnixMilli()
	state.TriedAt, state.NextAt = f.startedAt.UnixMilli(), now.Add(s.interval(src, now.Sub(f.startedAt))).UnixMilli()
	state.WaitUntil, state.Failures, state.LastError, state.Broken, state.Told = 0, 0, "", false, false
	if !f.unchanged {
		state.ExpandedUntil, state.Events, state.Warning = f.expandedUntil.UnixMilli(), int64(f.events),
			Shorten(f.warning)
	}
	return state
}

// interval is shorter for calendars whose copies become stale sooner, and longer for calendars that take long to
// read: reading may take a tenth of the time, unless the copy would become stale.
func (s *Service) interval(src *source, took time.Duration) time.Duration {
	stale := src.calendar.StaleAfter()
	return max(min(s.Interval, stale/3), min(10*took, stale/2))
}

// stateOf returns the state that was loaded before the read. If the next read is made due meanwhile, because an entry
// was written, it stays due.
func stateOf(src *source) sqlcgen.PutCalendarReadParams {
	r := src.state
	return sqlcgen.PutCalendarReadParams{
		WorkspaceID: r.WorkspaceID, CalendarID: r.CalendarID, Round: r.Round, Cursor: r.Cursor, ReadAt: r.ReadAt,
		ExpandedUntil: r.ExpandedUntil, Events: r.Events, Warning: r.Warning, TriedAt: r.TriedAt, NextAt: r.NextAt,
		WaitUntil: r.WaitUntil, Failures: r.Failures, LastError: r.LastError, Broken: r.Broken, Told: r.Told,
		SeenNextAt: r.NextAt,
	}
}

func putState(ctx context.Context, tx *store.Tx, state sqlcgen.PutCalendarReadParams) error {
	n, err := tx.PutCalendarRead(ctx, state)
	switch {
	case err != nil:
		return fmt.Errorf("keep the state of calendar %d: %w", state.CalendarID, err)
	case n == 0:
		return errSuperseded
	}
	return nil
}

// saveCopy writes the changed parts of the copy, and increments the version if busy times have changed.
func (src *source) saveCopy(ctx context.Context, tx *store.Tx, f *readResult) (busyChanged bool, err error) {
	if f.unchanged {
		return false, nil
	}
	if err := src.saveItems(ctx, tx, f); err != nil {
		return false, fmt.Errorf("keep the items of calendar %d: %w", src.calendar.ID, err)
	}
	if busyChanged, err = src.saveBusyTimes(ctx, tx, f.busy); err != nil {
		return false, fmt.Errorf("keep the busy times of calendar %d: %w", src.calendar.ID, err)
	}
	if busyChanged {
		err = tx.BumpBusyVersion(ctx, src.workspaceID)
	}
	return busyChanged, err
}

func (src *source) saveItems(ctx context.Context, tx *store.Tx, f *readResult) error {
	if f.changes.Complete {
		err := tx.DeleteCalendarItems(ctx,
			sqlcgen.DeleteCalendarItemsParams{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID})
		if err != nil {
			return err
		}
	}
	for _, id := range f.changes.Gone {
		err := tx.DeleteCalendarItem(ctx,
			sqlcgen.DeleteCalendarItemParams{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID, ID: id})
		if err != nil {
			return err
		}
	}
	rows := map[string]sqlcgen.CalendarItem{} // one statement cannot write a row twice
	for _, item := range f.changes.Items {
		rows[item.ID] = sqlcgen.CalendarItem{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID, ID: item.ID,
			Tag: item.Tag, Text: item.Text}
	}
	return tx.PutCalendarItems(ctx, slices.Collect(maps.Values(rows)))
}

// maxSingleDeletes is up to how many busy times are deleted one by one; above that, all are written again.
const maxSingleDeletes = 200

func (src *source) saveBusyTimes(ctx context.Context, tx *store.Tx, busy []busyTime) (changed bool, err error) {
	rows, err := tx.CalendarBusy(ctx,
		sqlcgen.CalendarBusyParams{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID})
	if err != nil {
		return false, err
	}
	old := make(map[busyTime]bool, len(rows))
	for _, row := range rows {
		old[busyTime{row.FromAt, row.UntilAt, row.BookingID}] = true
	}
	var added []sqlcgen.CalendarBusy
	for _, b := range busy {
		if !old[b] {
			added = append(added, src.busyRow(b))
		}
		delete(old, b)
	}
	if len(old) == 0 && len(added) == 0 {
		return false, nil
	}
	if len(old) > maxSingleDeletes {
		added = added[:0]
		for _, b := range busy {
			added = append(added, src.busyRow(b))
		}
		err = tx.DeleteCalendarBusy(ctx,
			sqlcgen.DeleteCalendarBusyParams{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID})
		old = nil
	}
	for b := range old {
		if err == nil {
			err = tx.DeleteCalendarBusyAt(ctx, sqlcgen.DeleteCalendarBusyAtParams{
				WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID, FromAt: b.from, UntilAt: b.until,
				BookingID: b.booking,
			})
		}
	}
	if err != nil {
		return false, err
	}
	return true, tx.InsertCalendarBusy(ctx, added)
}

func (src *source) busyRow(b busyTime) sqlcgen.CalendarBusy {
	return sqlcgen.CalendarBusy{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID, FromAt: b.from,
		UntilAt: b.until, BookingID: b.booking}
}

// Shorten limits how much text from a calendar is stored, and turns it into one line.
func Shorten(text string) string {
	const limit = 1000
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text) // this also replaces invalid UTF-8
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
