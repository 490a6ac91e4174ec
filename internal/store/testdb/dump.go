package testdb

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"slotd/internal/store"
)

// Dump is every row of every table, one a line, so that a test can hold that nothing changed or that
// something stands nowhere.
func Dump(t testing.TB, target string) string {
	t.Helper()
	driver, tables := "sqlite", `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if store.IsPostgres(target) {
		driver, tables = "pgx", `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
	}
	db, err := sql.Open(driver, target)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var lines []string
	for _, table := range rows(t, db, tables) {
		for _, row := range rows(t, db, `SELECT * FROM "`+table+`"`) {
			lines = append(lines, table+": "+row)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func rows(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	found, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = fmt.Sprint(v)
			if b, ok := v.([]byte); ok {
				words[i] = string(b)
			}
		}
		all = append(all, strings.Join(words, " | "))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
