package store

import (
	"context"
	"fmt"
	"strings"

	"slotd/internal/store/sqlcgen"
)

// maxRowsPerInsert is small because the SQLite driver searches the whole parameter list for each parameter: inserting
// 265,000 rows took 74 seconds in batches of 500, and 8 seconds in batches of 40.
const maxRowsPerInsert = 40

// PutCalendarItems inserts items and replaces existing ones that have the same id.
func (tx *Tx) PutCalendarItems(ctx context.Context, items []sqlcgen.CalendarItem) error {
	return insertMany(ctx, tx, "calendar_items (workspace_id, calendar_id, id, tag, text)",
		"ON CONFLICT (workspace_id, calendar_id, id) DO UPDATE SET tag = excluded.tag, text = excluded.text",
		items, func(i sqlcgen.CalendarItem) []any { return []any{i.WorkspaceID, i.CalendarID, i.ID, i.Tag, i.Text} })
}

// InsertCalendarBusy inserts busy times.
func (tx *Tx) InsertCalendarBusy(ctx context.Context, times []sqlcgen.CalendarBusy) error {
	return insertMany(ctx, tx, "calendar_busy (workspace_id, calendar_id, from_at, until_at, booking_id)", "", times,
		func(b sqlcgen.CalendarBusy) []any {
			return []any{b.WorkspaceID, b.CalendarID, b.FromAt, b.UntilAt, b.BookingID}
		})
}

// insertMany inserts thousands of rows in a few round trips.
func insertMany[T any](ctx context.Context, tx *Tx, into, conflict string, rows []T, values func(T) []any) error {
	for len(rows) > 0 {
		n := min(len(rows), maxRowsPerInsert)
		var tuples []string
		var args []any
		for _, row := range rows[:n] {
			columns := values(row)
			placeholders := make([]string, len(columns))
			for i := range columns {
				placeholders[i] = fmt.Sprintf("$%d", len(args)+i+1)
			}
			tuples = append(tuples, "("+strings.Join(placeholders, ", ")+")")
			args = append(args, columns...)
		}
		statement := "INSERT INTO " + into + " VALUES " + strings.Join(tuples, ", ") + " " + conflict
		if _, err := tx.tx.ExecContext(ctx, statement, args...); err != nil {
			return fmt.Errorf("insert %d rows into %s: %w", n, strings.Fields(into)[0], err)
		}
		rows = rows[n:]
	}
	return nil
}
