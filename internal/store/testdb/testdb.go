// Package testdb provides tests with real databases: SQLite files, and a PostgreSQL server that the test process
// starts when it needs one and stops at the end.
package testdb

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"slotd/internal/store"
)

// Each runs the test once on an empty SQLite database and once on an empty PostgreSQL one.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	EachTarget(t, func(t *testing.T, target string) { test(t, Open(t, target)) })
}

// EachTarget is like Each, for tests that open the database themselves or from several processes.
func EachTarget(t *testing.T, test func(t *testing.T, target string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// Open opens the database and closes it when the test ends.
func Open(t testing.TB, target string) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

var databases atomic.Int64

// Postgres creates an empty database and returns its address. A short run skips the test. If PostgreSQL is not
// installed, the test is skipped too, or fails in CI.
func Postgres(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a short run is on SQLite only")
	}
	server, err := StartPostgres()
	if err != nil {
		SkipOrFailInCI(t, "PostgreSQL", err)
	}
	name := fmt.Sprintf("slotd_%d", databases.Add(1))
	if err := server.Create(name); err != nil {
		t.Fatal(err)
	}
	return server.URL(name)
}

// SkipOrFailInCI ends a test that needs a program that is not installed: it fails the test in CI and skips it
// elsewhere.
func SkipOrFailInCI(t testing.TB, part string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is needed in CI: %v", part, err)
	}
	t.Skipf("%s is missing (make test installs it): %v", part, err)
}

// Main runs a package's tests and then stops PostgreSQL. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	os.Exit(code)
}
