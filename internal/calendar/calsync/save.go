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

// errOvertaken is a read that another one has overtaken: what it knew of the copy is no longer so.
var errOvertaken = errors.New("another read was quicker")

// freshFor is how long a copy that is still right is not worth a write.
const freshFor = time.Minute

// keep writes what a read has found: items, busy times, cursor and next run in one transaction.
func (s *Service) keep(ctx context.Context, src *source, f *found) error {
	now := s.Now()
	if f.same && src.isFresh(f, now) {
		return nil
	}
	var version int64
	var busyChanged bool
	settle := func() {}
	defer func() { settle() }()
	err := s.DB.InHostTx(ctx, src.workspaceID, src.hostID, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := putState(ctx, tx, s.success(src, f, now)); err != nil {
			return err
		}
		if busyChanged, err = src.keepCopy(ctx, tx, f); err != nil {
			return err
		}
		if version, err = tx.Bump(ctx, src.workspaceID); err == nil && !busyChanged {
			settle()
			settle = s.Cache.Committing(src.workspaceID, version)
		}
		return err
	})
	if err == nil && busyChanged {
		s.Cache.Changed(src.workspaceID, version)
	} else if err == nil {
		s.Cache.CalendarRead(src.workspaceID, version, src.calendar.ID, f.began)
	}
	return err
}

// isFresh reports whether what is kept is as good as new. A read that was due is not: the next one has
// to be set.
func (src *source) isFresh(f *found, now time.Time) bool {
	kept := src.state
	age := now.Sub(time.UnixMilli(kept.ReadAt))
	return f.changes.Cursor == kept.Cursor && kept.Failures == 0 && age >= 0 && age < freshFor &&
		now.UnixMilli() < kept.NextAt
}

// success is the state after a read that went well.
func (s *Service) success(src *source, f *found, now time.Time) sqlcgen.PutCalendarReadParams {
	state := stateOf(src)
	state.Cursor, state.ReadAt = f.changes.Cursor, f.began.UnixMilli()
	state.TriedAt, state.NextAt = f.began.UnixMilli(), now.Add(s.interval(src, now.Sub(f.began))).UnixMilli()
	state.WaitUntil, state.Failures, state.LastError, state.Broken, state.Told = 0, 0, "", false, false
	if !f.same {
		state.ExpandedUntil, state.Events, state.Warning = f.expanded.UnixMilli(), int64(f.events), ShortURL(f.warning)
	}
	return state
}

// interval is shorter for calendars whose copies may not grow as old as others, and longer for those that
// keep us busy: a tenth of the time is enough for each, unless their copies would be too old by then.
func (s *Service) interval(src *source, took time.Duration) time.Duration {
	stale := src.calendar.StaleAfter()
	return max(min(s.Every, stale/3), min(10*took, stale/2))
}

func stateOf(src *source) sqlcgen.PutCalendarReadParams {
	return sqlcgen.PutCalendarReadParams(src.state)
}

func putState(ctx context.Context, tx *store.Tx, state sqlcgen.PutCalendarReadParams) error {
	n, err := tx.PutCalendarRead(ctx, state)
	switch {
	case err != nil:
		return fmt.Errorf("keep the state of calendar %d: %w", state.CalendarID, err)
	case n == 0:
		return errOvertaken
	}
	return nil
}

// keepCopy writes what is different in the copy, and counts the change if busy times are.
func (src *source) keepCopy(ctx context.Context, tx *store.Tx, f *found) (busyChanged bool, err error) {
	if f.same {
		return false, nil
	}
	if err := src.keepItems(ctx, tx, f); err != nil {
		return false, fmt.Errorf("keep the items of calendar %d: %w", src.calendar.ID, err)
	}
	if busyChanged, err = src.keepBusy(ctx, tx, f.busy); err != nil {
		return false, fmt.Errorf("keep the busy times of calendar %d: %w", src.calendar.ID, err)
	}
	if busyChanged {
		err = tx.BumpBusyVersion(ctx, src.workspaceID)
	}
	return busyChanged, err
}

func (src *source) keepItems(ctx context.Context, tx *store.Tx, f *found) error {
	if f.changes.Whole {
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

// oneByOne is up to how many busy times are deleted singly; beyond, all are written anew.
const oneByOne = 200

func (src *source) keepBusy(ctx context.Context, tx *store.Tx, busy []busyTime) (changed bool, err error) {
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
	if len(old) > oneByOne {
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

// Shortened bounds what a stranger's calendar can make us keep, and makes it one line of text.
func ShortURL(text string) string {
	const most = 1000
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text) // which also mends what is not UTF-8
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
