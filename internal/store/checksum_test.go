package store_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

// released.txt holds the checksums of the steps that a release has brought to people's databases. Such a step never
// changes: write a new one. With a release, add the lines of its new steps, which the failing test prints.
func TestChecksums_ReleasedStepsNeverChange(t *testing.T) {
	released, err := os.ReadFile("testdata/released.txt")
	must(t, err)
	var now strings.Builder
	for _, step := range store.Migrations() {
		fmt.Fprintf(&now, "%d sqlite %s\n%d postgres %s\n", step.Version(), step.Checksum(false), step.Version(),
			step.Checksum(true))
	}
	if strings.Count(string(released), "\n") < 12 || !strings.HasPrefix(now.String(), string(released)) {
		t.Errorf("released.txt has\n%s\nthe steps are\n%s", released, now.String())
	}
}

func TestChecksums_CoverWhatRunsOnThisDatabase(t *testing.T) {
	step := store.NewMigration(1, "a", "b", "c")
	same := store.NewMigration(2, "a", "b", "other")
	if step.Checksum(false) != same.Checksum(false) || step.Checksum(true) == same.Checksum(true) {
		t.Error("SQLite's checksum must not depend on PostgreSQL's script, and PostgreSQL's must")
	}
	for _, other := range []store.Migration{store.NewMigration(1, "ab", "", "c"), store.NewMigration(1, "b", "a", "c"),
		store.NewMigration(1, "a", "B", "c"), store.NewMigration(1, "A", "b", "c")} {
		if step.Checksum(false) == other.Checksum(false) {
			t.Errorf("%v and %v have the same checksum", step, other)
		}
	}
	if store.NewMigration(1, "a\r\n", "", "").Checksum(true) != store.NewMigration(1, "a\n", "", "").Checksum(true) {
		t.Error("line endings of a checkout change the checksum")
	}
}

// checksums returns what the database has stored, in the form of released.txt.
func checksums(t *testing.T, db *store.DB) string {
	t.Helper()
	rows, err := db.Reader().Query(`SELECT version, checksum FROM schema_steps ORDER BY version`)
	must(t, err)
	defer rows.Close()
	var all strings.Builder
	for rows.Next() {
		var version int64
		var checksum string
		must(t, rows.Scan(&version, &checksum))
		fmt.Fprintln(&all, version, checksum)
	}
	must(t, rows.Err())
	return all.String()
}

func wantChecksums(t *testing.T, db *store.DB, steps []store.Migration) {
	t.Helper()
	var want strings.Builder
	for _, step := range steps {
		fmt.Fprintln(&want, step.Version(), step.Checksum(db.IsPostgres()))
	}
	if got := checksums(t, db); got != want.String() {
		t.Errorf("stored checksums\n%s\nwant\n%s", got, want.String())
	}
}

func TestMigrate_RefusesADatabaseWhoseStepRanOtherScripts(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		wantChecksums(t, db, store.Migrations())
		mustExec(t, db, `UPDATE schema_steps SET checksum = 'other' WHERE version = 3`)
		_, err := store.Open(ctx, target)
		want := "another build of slotd made schema 3 of this database, with other scripts than this one has: " +
			"run the slotd that made it, or restore the backup made before that upgrade"
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		// It does not build on such a step either.
		next := int64(len(store.Migrations()) + 1)
		fruit := store.NewMigration(next, `CREATE TABLE fruit (id BIGINT);`, "", "")
		err = db.Migrate(ctx, append(store.Migrations(), fruit))
		if err == nil || err.Error() != want || exists(t, db, "fruit") {
			t.Errorf("got  %v\nwant %s, and no new table", err, want)
		}
	})
}

// Otherwise, after a crash, another build could take the step for its own.
func TestMigrate_StoresAChecksumWithItsStep(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		n := int64(len(store.Migrations()))
		steps := append(store.Migrations(), store.NewMigration(n+1, `CREATE TABLE fruit (id BIGINT);`, "", ""),
			store.NewMigration(n+2, `SELECT * FROM no_such_table;`, "", ""))
		if err := db.Migrate(ctx, steps); err == nil {
			t.Error("the last step must fail")
		}
		wantChecksums(t, db, steps[:n+1])
	})
}

// Databases from before the checksums are trusted, once.
func TestMigrate_FillsInMissingChecksums(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		mustExec(t, db, `DROP TABLE schema_steps`)
		wantChecksums(t, testdb.Open(t, target), store.Migrations())
		mustExec(t, db, `DELETE FROM schema_steps WHERE version > 2`)
		next := int64(len(store.Migrations()) + 1)
		steps := append(store.Migrations(), store.NewMigration(next, `CREATE TABLE fruit (id BIGINT);`, "", ""))
		must(t, db.Migrate(ctx, steps))
		wantChecksums(t, db, steps)
	})
}

func TestMigrate_NeedsNoPermissionToWriteIfNothingIsToBeDone(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		reader := openForReading(t, target)
		must(t, reader.Migrate(ctx, store.Migrations()))
		mustExec(t, db, `DELETE FROM schema_steps WHERE version = 2`)
		mustExec(t, db, `UPDATE schema_steps SET checksum = 'bad' WHERE version = 1`)
		if err := reader.Migrate(ctx, store.Migrations()); err == nil {
			t.Error("a wrong checksum is no error if another is missing")
		}
		mustExec(t, db, `DROP TABLE schema_steps`)
		must(t, reader.Migrate(ctx, store.Migrations()))
		if exists(t, db, "schema_steps") {
			t.Error("the connection can write, so the test shows nothing")
		}
		next := int64(len(store.Migrations()) + 1)
		fruit := store.NewMigration(next, `CREATE TABLE fruit (id BIGINT);`, "", "")
		if err := reader.Migrate(ctx, append(store.Migrations(), fruit)); err == nil {
			t.Error("a step that cannot be taken is no error")
		}
	})
}

// openForReading opens a database through connections that cannot write.
func openForReading(t *testing.T, target string) *store.DB {
	t.Helper()
	if store.IsPostgres(target) {
		return testdb.Open(t, target+"&default_transaction_read_only=on")
	}
	db := testdb.Open(t, target)
	mustExec(t, db, `PRAGMA query_only = 1`) // there is one connection for writing
	return db
}

func mustExec(t *testing.T, db *store.DB, statement string) {
	t.Helper()
	_, err := db.Writer().Exec(statement)
	must(t, err)
}
