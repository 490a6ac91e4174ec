package testdb

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"slotd/internal/store"
)

// Dump returns every row of every table, one per line, so that a test can check that nothing changed or that a value
// is stored nowhere.
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

func rows(t testing.TB, db *sql.DB, query string) (lines []string) {
	t.Helper()
	result, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	columns, err := result.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for result.Next() {
		values, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			dest[i] = &values[i]
		}
		if err := result.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		fields := make([]string, len(values))
		for i, v := range values {
			fields[i] = fmt.Sprint(v)
			if b, ok := v.([]byte); ok {
				fields[i] = string(b)
			}
		}
		lines = append(lines, strings.Join(fields, " | "))
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
