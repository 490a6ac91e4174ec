package payments

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// payment is an entry of slotd payments list.
type payment struct {
	BookingID string    `json:"booking_id"`
	StartsAt  time.Time `json:"starts_at"`
	State     string
	Due       struct {
		Cents int64 `json:"amount_cents"`
	}
	Ledger []struct {
		Kind   string
		Amount int64 `json:"amount_cents"`
	}
}

// entries returns a short form of the ledger.
func (p payment) entries() string {
	var all []string
	for _, e := range p.Ledger {
		all = append(all, fmt.Sprint(e.Kind, " ", e.Amount))
	}
	return strings.Join(all, ", ")
}

// payment returns the payment of the guest who wanted hour n.
func (o *office) payment(n int) (found payment) {
	o.t.Helper()
	var all []payment
	output := o.Run(o.t, "payments", "list", "--workspace", "acme", "--json")
	if err := json.Unmarshal([]byte(output), &all); err != nil {
		o.t.Fatalf("%s: %v", output, err)
	}
	for _, p := range all {
		if p.StartsAt.Equal(slot(n)) {
			found = p
		}
	}
	return found
}

// unlisted is the state of a booking that was not paid for and cannot be paid for any more.
const unlisted = ""

// await waits until the booking of hour n is in the state.
func (o *office) await(n int, state string) payment {
	o.t.Helper()
	return o.awaitPayment(n, fmt.Sprintf("booking %d is %q", n, state),
		func(p payment) bool { return p.State == state })
}

// awaitPayment waits until the payment of hour n is as it should be. It runs the command only when the database has
// changed, because starting it again and again would slow down the server.
func (o *office) awaitPayment(n int, what string, holds func(payment) bool) (p payment) {
	o.t.Helper()
	db := o.DB(o.t)
	defer db.Close() // with nobody else on the file, the next server recovers it as it does after a crash
	seen := "nothing yet"
	await.True(o.t, what, func() bool {
		stored := storedPayments(o.t, db)
		if stored == seen {
			return false
		}
		seen, p = stored, o.payment(n)
		return holds(p)
	})
	return p
}

// storedPayments returns what the list of payments depends on.
func storedPayments(t *testing.T, db *sql.DB) (text string) {
	t.Helper()
	rows, err := db.Query(`SELECT b.id, b.state, c.closed, c.payment,
			(SELECT COUNT(*) FROM payments p WHERE p.workspace_id = b.workspace_id AND p.booking_id = b.id)
		FROM bookings b JOIN checkouts c ON c.workspace_id = b.workspace_id AND c.booking_id = b.id ORDER BY b.id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, state, payment string
		var closed bool
		var entries int
		if err := rows.Scan(&id, &state, &closed, &payment, &entries); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintln(id, state, closed, payment, entries)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text
}

// awaitIdle waits until no job is due within the next half day, and none was given up.
func (o *office) awaitIdle() {
	o.t.Helper()
	db := o.DB(o.t)
	defer db.Close()
	await.True(o.t, "there are no jobs left", func() bool {
		var n int
		if err := db.QueryRow(`SELECT COUNT(*) FROM jobs WHERE run_at < $1 OR failed_at <> 0`,
			o.Now().Add(12*time.Hour).UnixMilli()).Scan(&n); err != nil {
			o.t.Fatal(err)
		}
		return n == 0
	})
}
