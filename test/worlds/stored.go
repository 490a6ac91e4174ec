package worlds

import (
	"slices"

	"slotd"
	"slotd/internal/money/ledger"
	"slotd/internal/store/sqlcgen"
)

// Row returns a booking as the database has it.
func (w *World) Row(workspaceID int64, b *slotd.Booking) sqlcgen.Booking {
	w.T.Helper()
	row, err := w.Writer.Read().Booking(background,
		sqlcgen.BookingParams{WorkspaceID: workspaceID, ID: b.ID.String()})
	w.Must(err)
	return row
}

// Texts returns the only column of a query's rows.
func (w *World) Texts(query string, args ...any) (texts []string) {
	w.T.Helper()
	rows, err := w.Raw.Query(query, args...)
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var text string
		w.Must(rows.Scan(&text))
		texts = append(texts, text)
	}
	w.Must(rows.Err())
	return texts
}

// WantState ends the test unless the database has the booking in this state.
func (w *World) WantState(b *slotd.Booking, want slotd.State) {
	w.T.Helper()
	if got := w.Texts(`SELECT state FROM bookings WHERE id = $1`, b.ID.String()); !slices.Equal(got,
		[]string{string(want)}) {
		w.T.Fatalf("the booking is %v, want %s", got, want)
	}
}

// WantLedger compares the kinds of all entries in the booking's ledger, in order.
func (w *World) WantLedger(b *slotd.Booking, want ...ledger.Kind) {
	w.T.Helper()
	var got []ledger.Kind
	for _, kind := range w.Texts(`SELECT kind FROM payments WHERE booking_id = $1 ORDER BY n`, b.ID.String()) {
		got = append(got, ledger.Kind(kind))
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("the ledger says %v, want %v", got, want)
	}
}
