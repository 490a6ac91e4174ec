package worlds

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"slotd"
)

// WantCode ends the test unless the error has the code.
func WantCode(t testing.TB, err error, code slotd.Code) *slotd.Error {
	t.Helper()
	var e *slotd.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	return e
}

// Counts returns the sizes of the tables that a rejected request must not change.
func (w *World) Counts() (n [4]int) {
	w.T.Helper()
	for i, table := range []string{"bookings", "booking_events", "claims", "idempotency_keys"} {
		w.Must(w.Raw.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n[i]))
	}
	return n
}

// CheckClaims checks that a workspace's claims are exactly its live bookings, widened by the buffers they were booked
// with, and that no two overlap.
func (w *World) CheckClaims(workspaceID int64, fatalf func(string, ...any)) {
	w.T.Helper()
	claims := w.claims(workspaceID, `SELECT booking_id, host_id, event_type_id, starts_at, from_at, until_at
		FROM claims WHERE workspace_id = $1 ORDER BY from_at`)
	live := w.claims(workspaceID, `SELECT id, host_id, event_type_id, starts_at,
			starts_at - buffer_before_minutes * 60000, ends_at + buffer_after_minutes * 60000
		FROM bookings WHERE workspace_id = $1 AND state IN (`+statesThatTakeTime()+`)
		ORDER BY starts_at - buffer_before_minutes * 60000`)
	if !slices.Equal(claims, live) {
		fatalf("claims %v\nlive bookings %v", claims, live)
	}
	last := int64(0)
	for _, c := range claims {
		if c.from < last {
			fatalf("claims overlap: %v", claims)
		}
		last = c.until
	}
}

// statesThatTakeTime returns the states' names as a list in SQL.
func statesThatTakeTime() string {
	var names []string
	for _, info := range slotd.States {
		if info.State.TakesTime() {
			names = append(names, "'"+string(info.State)+"'")
		}
	}
	return strings.Join(names, ", ")
}

// claim is the time that a booking takes from its host.
type claim struct {
	booking                             string
	host, eventType, start, from, until int64
}

func (c claim) String() string {
	return fmt.Sprintln(c.from, c.until, c.start, c.host, c.eventType, c.booking)
}

func (w *World) claims(workspaceID int64, query string) (all []claim) {
	w.T.Helper()
	rows, err := w.Raw.Query(query, workspaceID)
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var c claim
		w.Must(rows.Scan(&c.booking, &c.host, &c.eventType, &c.start, &c.from, &c.until))
		all = append(all, c)
	}
	w.Must(rows.Err())
	return all
}
