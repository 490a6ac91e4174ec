package workspace

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// linesWith returns the rows of the database that contain a workspace's id.
func linesWith(t *testing.T, target string, id int64) (lines []string) {
	t.Helper()
	for _, line := range strings.Split(testdb.Dump(t, target), "\n") {
		if strings.Contains(line, fmt.Sprint(id)) {
			lines = append(lines, line)
		}
	}
	return lines
}

func tableOf(line string) string { table, _, _ := strings.Cut(line, ": "); return table }

// fillTables inserts one row per workspace into every table with a workspace column. The values need not make sense.
func fillTables(t *testing.T, target string, ids ...int64) {
	t.Helper()
	raw, err := sql.Open("sqlite", target+"?_pragma=busy_timeout(5000)")
	must(t, err)
	defer raw.Close()
	rows, err := raw.Query(`SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`)
	must(t, err)
	columns := map[string][][2]string{}
	for rows.Next() {
		var table, column, kind string
		must(t, rows.Scan(&table, &column, &kind))
		columns[table] = append(columns[table], [2]string{column, kind})
	}
	must(t, rows.Err())
	_, err = raw.Exec(`INSERT INTO users (id, email, name, password, created_at) VALUES (1, '', '', '', 0)`)
	must(t, err)
	for table, tableColumns := range columns {
		owned := slices.ContainsFunc(tableColumns,
			func(c [2]string) bool { return c[0] == "workspace_id" || table == "stripe_events" })
		for _, id := range ids {
			if owned && table != "workspace_versions" {
				fillTable(t, raw, table, tableColumns, id)
			}
		}
	}
}

func fillTable(t *testing.T, raw *sql.DB, table string, columns [][2]string, id int64) {
	t.Helper()
	var names, placeholders []string
	var values []any
	for _, c := range columns {
		names, placeholders = append(names, c[0]), append(placeholders, "?")
		switch {
		case c[0] == "workspace_id" || c[0] == "account" && c[1] == "BIGINT":
			values = append(values, id)
		case c[0] == "state":
			values = append(values, "canceled")
		case c[0] == "closed": // no payment is open
			values = append(values, 1)
		case c[0] == "ends_at" || c[0] == "until_at":
			values = append(values, 2)
		case c[1] == "TEXT" || c[1] == "BYTEA":
			values = append(values, fmt.Sprint("x", id))
		default:
			values = append(values, 1)
		}
	}
	_, err := raw.Exec(fmt.Sprintf(`INSERT INTO "%s" (%s) VALUES (%s)`, table, strings.Join(names, ", "),
		strings.Join(placeholders, ", ")), values...)
	if err != nil {
		t.Fatalf("%s: %v", table, err)
	}
}

func remove(db *store.DB, force bool) error {
	_, err := Delete(ctx, db, "acme", force, accounts.AllOpenPayments)
	return err
}

func TestDelete_TakesEveryTablesRowsAndNobodyElses(t *testing.T) {
	target := testdb.SQLite(t)
	db := testdb.Open(t, target)
	acme, other := with("intro"), with("intro")
	other.Slug = "other"
	apply(t, db, acme)
	apply(t, db, other)
	id, otherID := config(t, db, "acme").WorkspaceID, config(t, db, "other").WorkspaceID
	fillTables(t, target, id, otherID)
	before := linesWith(t, target, otherID)
	if len(linesWith(t, target, id)) < 20 {
		t.Fatalf("only these tables have something: %v", linesWith(t, target, id))
	}
	must(t, remove(db, false))
	for _, line := range linesWith(t, target, id) {
		// Sessions belong to their users.
		if !slices.Contains([]string{"workspace_versions", "sessions"}, tableOf(line)) {
			t.Errorf("left behind: %s", line)
		}
		if tableOf(line) == "sessions" && strings.Contains(line, fmt.Sprintf(" | %d | ", id)) {
			t.Errorf("a session shows it still: %s", line)
		}
	}
	if after := linesWith(t, target, otherID); !slices.Equal(before, after) {
		t.Errorf("another workspace was\n%s\nand is\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

func TestDelete_ServersThatRunNoticeIt(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		apply(t, db, with("intro"))
		cache, err := snapshot.NewCache(ctx, testdb.Open(t, target), testdb.NewClock(now).Now)
		must(t, err)
		defer cache.Close()
		old, err := cache.Workspace(ctx, "acme")
		must(t, err)
		must(t, remove(db, false))
		if _, err := cache.Latest(ctx, old.WorkspaceID); !slotd.Is(err, slotd.WorkspaceNotFound) {
			t.Fatalf("after it was deleted: %v", err)
		}
		for round := range 4 { // a new workspace with the same slug, whose versions start again
			apply(t, db, with("second"))
			p, err := cache.Latest(ctx, config(t, db, "acme").WorkspaceID)
			must(t, err)
			if p.WorkspaceID == old.WorkspaceID || order(&p.Workspace) != "second" {
				t.Fatalf("shows %d %s", p.WorkspaceID, order(&p.Workspace))
			}
			if _, err := cache.WorkspaceByID(ctx, old.WorkspaceID); !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Fatalf("by the number of the one before: %v", err)
			}
			old = p
			must(t, remove(db, false))
			if round%2 == 1 { // do not read between deleting and creating
				continue
			}
			if _, err := cache.Latest(ctx, p.WorkspaceID); !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Fatal(err)
			}
		}
	})
}

// sell adds a booking that is paid into the given account.
func sell(t *testing.T, db *store.DB, account string) (id int64, booking string) {
	t.Helper()
	apply(t, db, with("intro"))
	book(t, db, "intro", now)
	id = config(t, db, "acme").WorkspaceID
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		rows, err := tx.ClaimsBetween(ctx,
			sqlcgen.ClaimsBetweenParams{WorkspaceID: id, HostID: config(t, db, "acme").HostID,
				FromAt_2: now.AddDate(1, 0, 0).UnixMilli()})
		if err != nil || len(rows) != 1 {
			return fmt.Errorf("no booking: %v", err)
		}
		booking = rows[0].BookingID
		return tx.InsertCheckout(ctx, sqlcgen.InsertCheckoutParams{WorkspaceID: id, BookingID: booking,
			Account: account})
	}))
	return id, booking
}

func TestDelete_WaitsForOpenMoneyUnlessForced(t *testing.T) {
	for _, account := range []string{"operator", "workspace"} {
		for name, due := range map[string]bool{"a guest is paying": false, "money is due": true} {
			t.Run(account+": "+name, func(t *testing.T) {
				db := testdb.Open(t, testdb.SQLite(t))
				id, booking := sell(t, db, account)
				if due {
					must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
						return errors.Join(
							tx.UpdateCheckout(ctx, sqlcgen.UpdateCheckoutParams{WorkspaceID: id, BookingID: booking,
								Payment: "pi_1", Closed: true}),
							tx.InsertPayment(ctx, sqlcgen.InsertPaymentParams{WorkspaceID: id, BookingID: booking,
								Kind: "paid", AmountCents: 5000, Reference: "pi_1"}),
							tx.InsertPayment(ctx, sqlcgen.InsertPaymentParams{WorkspaceID: id, BookingID: booking,
								Kind: "refund_requested", AmountCents: 5000, Reference: "all"}))
					}))
				}
				if err := remove(db, false); !slotd.Is(err, slotd.InvalidArgument) ||
					!strings.Contains(err.Error(), string(slotd.PaymentsOpen)) {
					t.Fatalf("got %v", err)
				}
				config(t, db, "acme") // fails unless it still exists
				must(t, remove(db, true))
				if err := remove(db, true); !slotd.Is(err, slotd.WorkspaceNotFound) {
					t.Errorf("a second time: %v", err)
				}
			})
		}
	}
}
