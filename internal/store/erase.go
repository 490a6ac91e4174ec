package store

import (
	"context"
	"fmt"
	"strings"
)

// EraseAttendee erases the attendee of a booking from all tables.
func (tx *Tx) EraseAttendee(ctx context.Context, workspaceID int64, bookingID string) error {
	for _, e := range erasures {
		if err := tx.erase(ctx, e, workspaceID, bookingID); err != nil {
			return err
		}
	}
	return nil
}

// EraseAttendeeFrom erases the attendee of a booking from one table.
func (tx *Tx) EraseAttendeeFrom(ctx context.Context, table string, workspaceID int64, bookingID string) error {
	for _, e := range erasures {
		if e.table != table {
			continue
		}
		if err := tx.erase(ctx, e, workspaceID, bookingID); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) erase(ctx context.Context, e *erasure, workspaceID int64, bookingID string) error {
	if _, err := tx.tx.ExecContext(ctx, e.statement(), append([]any{workspaceID, bookingID}, e.values...)...); err != nil {
		return fmt.Errorf("erase from %s: %w", e.table, err)
	}
	return nil
}

// erasures are the statements that AttendeeData asks for. Data in the same rows is erased at once.
var erasures = func() (all []*erasure) {
	byRows := map[string]*erasure{}
	for _, d := range AttendeeData {
		if d.Erasure == Kept {
			continue
		}
		rows := fmt.Sprint(d.Table, d.Rows, d.Erasure)
		e, ok := byRows[rows]
		if !ok {
			e = &erasure{table: d.Table, rows: d.Rows, drop: d.Erasure == Dropped}
			byRows[rows], all = e, append(all, e)
		}
		if !e.drop {
			e.clear(d.Columns)
		}
	}
	return all
}()

// erasure erases a booking's attendee from the rows of one table. Its statement consists of constants; the workspace,
// the booking and the empty values are parameters.
type erasure struct {
	table, rows string
	drop        bool
	sets        []string
	values      []any
}

func (e *erasure) clear(columns []PersonalColumn) {
	for _, c := range columns {
		e.values = append(e.values, c.empty())
		e.sets = append(e.sets, fmt.Sprintf("%s = $%d", c.Name, len(e.values)+2))
	}
}

// empty returns empty text, or empty bytes for a hash: SQLite does not take one for the other.
func (c *PersonalColumn) empty() any {
	if strings.HasSuffix(c.Name, "_hash") {
		return []byte{}
	}
	return ""
}

func (e *erasure) statement() string {
	s := "UPDATE " + e.table + " SET " + strings.Join(e.sets, ", ")
	if e.drop {
		s = "DELETE FROM " + e.table
	}
	key := "booking_id"
	if e.table == "bookings" {
		key = "id"
	}
	s += " WHERE workspace_id = $1 AND " + key + " = $2"
	if e.rows != "" {
		s += " AND (" + e.rows + ")"
	}
	return s
}
