package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

var quoted = regexp.MustCompile(`'(\w+)'`)

// namesIn returns the quoted names in a part of a statement, sorted.
func namesIn(text string) (names []string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

func statesWhere(is func(slotd.State) bool) (names []string) {
	for _, info := range slotd.States {
		if is(info.State) {
			names = append(names, string(info.State))
		}
	}
	slices.Sort(names)
	return names
}

func TestSchema_BookingsHaveTheListedStates(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		query := `SELECT sql FROM sqlite_master WHERE name = 'bookings'`
		if db.IsPostgres() {
			query = `SELECT string_agg(pg_get_constraintdef(oid), '; ') FROM pg_constraint
				WHERE conrelid = 'bookings'::regclass AND contype = 'c'`
		}
		var text string
		must(t, db.Reader().QueryRow(query).Scan(&text))
		check := regexp.MustCompile(`state (IN|= ANY) \(.*`).FindString(text)
		want := statesWhere(func(slotd.State) bool { return true })
		if got := namesIn(check); !slices.Equal(got, want) {
			t.Errorf("the check of bookings.state has %v, and slotd.States %v", got, want)
		}
	})
}

func TestSchema_BookingsTakeTheListedStatesOnly(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db)
		insert := func(state slotd.State) error {
			return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertBooking(ctx, sqlcgen.InsertBookingParams{WorkspaceID: 1, ID: "in " + string(state),
					HostID: 1, EventTypeID: 1, State: string(state), StartsAt: 1, EndsAt: 2})
			})
		}
		for _, info := range slotd.States {
			if err := insert(info.State); err != nil {
				t.Errorf("%s: %v", info.State, err)
			}
		}
		for _, wrong := range []slotd.State{"", "parked", "Held"} {
			if insert(wrong) == nil {
				t.Errorf("a booking can be %q", wrong)
			}
		}
	})
}

// A query cannot ask the list which states take time, so those that need to know name them.
func TestQueries_NameTheStatesThatTakeTime(t *testing.T) {
	text, err := os.ReadFile("queries.sql")
	must(t, err)
	found := regexp.MustCompile(`state NOT IN \([^)]*\)`).FindAllString(string(text), -1)
	if len(found) != 2 {
		t.Errorf("%d queries name the states that take time", len(found))
	}
	for _, list := range found {
		if want := statesWhere(slotd.State.TakesTime); !slices.Equal(namesIn(list), want) {
			t.Errorf("%s, want %v", list, want)
		}
	}
}

// openAt returns a database as an older version left it.
func openAt(t *testing.T, target string, version int) *sql.DB {
	t.Helper()
	driver := "sqlite"
	if store.IsPostgres(target) {
		driver = "pgx"
	}
	db, err := sql.Open(driver, target)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	exec := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range store.Migrations()[:version] {
		for _, script := range step.Scripts(store.IsPostgres(target)) {
			exec(script)
		}
	}
	exec(`CREATE TABLE schema_version (version BIGINT NOT NULL)`)
	exec(fmt.Sprintf(`INSERT INTO schema_version (version) VALUES (%d)`, version))
	return db
}

func TestMigrate_HoldsWithoutAReasonWereForPayments(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		old := openAt(t, target, 6)
		_, err := old.Exec(`
			INSERT INTO workspaces (id, slug, name, time_zone, look, embed, created_at) VALUES (1, 'acme', '', '', '', '', 0);
			INSERT INTO hosts (workspace_id, id, name, email) VALUES (1, 1, '', '');
			INSERT INTO event_types (workspace_id, id, slug, position, retired, settings) VALUES (1, 1, '', 0, FALSE, '')`)
		must(t, err)
		for id, state := range map[string]slotd.State{"free": slotd.Confirmed, "unpaid": slotd.Held,
			"paid": slotd.Confirmed, "late": slotd.Expired} {
			_, err := old.Exec(`INSERT INTO bookings (workspace_id, id, host_id, event_type_id, state, starts_at, ends_at,
				host_wall, host_zone, buffer_before_minutes, buffer_after_minutes, event_title, location, join_url, terms,
				refunded_cents, sequence, attendee_name, attendee_email, attendee_time_zone, notes, created_at)
				VALUES (1, $1, 1, 1, $2, 1, 2, '', '', 0, 0, '', '', '', '', 0, 0, '', '', '', '', 0)`, id, string(state))
			must(t, err)
		}
		for id, until := range map[string]int64{"unpaid": 10, "paid": 20, "late": 30} {
			_, err := old.Exec(`INSERT INTO checkouts (workspace_id, booking_id, account, session_id, url, payment, held_until,
				closed, told, created_at) VALUES (1, $1, '', '', '', '', $2, FALSE, FALSE, 0)`, id, until)
			must(t, err)
		}
		must(t, old.Close())
		db := testdb.Open(t, target)
		for id, want := range map[string]string{"free": " 0", "unpaid": "payment 10", "paid": "payment 20",
			"late": "payment 30"} {
			row, err := db.Read().Booking(ctx, sqlcgen.BookingParams{WorkspaceID: 1, ID: id})
			must(t, err)
			if got := fmt.Sprint(row.HoldReason, " ", row.HeldUntil); got != want {
				t.Errorf("%s: the hold is %q, want %q", id, got, want)
			}
		}
		wantSchema(t, db, len(store.Migrations()))
	})
}
