package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

func schemaVersion(t *testing.T, db *store.DB) (version int64, rows int) {
	t.Helper()
	must(t, db.Reader().QueryRow(`SELECT MAX(version), COUNT(*) FROM schema_version`).Scan(&version, &rows))
	return version, rows
}

func wantSchema(t *testing.T, db *store.DB, want int) {
	t.Helper()
	if version, rows := schemaVersion(t, db); version != int64(want) || rows != 1 {
		t.Errorf("schema version %d in %d rows, want %d in one", version, rows, want)
	}
}

func TestMigrate_BringsAnEmptyDatabaseToTheNewest(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		wantSchema(t, db, len(store.Migrations()))
		must(t, db.Ping(ctx))
		seed(t, db, "a")
		must(t, claim(db, "a", 100, 200))
	})
}

func TestMigrate_AreNumberedWithoutAGap(t *testing.T) {
	files, err := os.ReadDir("migrations")
	must(t, err)
	steps := store.Migrations()
	for _, file := range files {
		var n int
		if _, err := fmt.Sscanf(file.Name(), "%04d_", &n); err != nil || n < 1 || n > len(steps) {
			t.Errorf("%s is no part of the %d steps", file.Name(), len(steps))
		}
	}
}

func TestMigrate_SecondTimeChangesNothing(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		seed(t, db, "a")
		before := catalog(t, db)
		must(t, db.Migrate(ctx, store.Migrations()))
		again := testdb.Open(t, target)
		wantSchema(t, again, len(store.Migrations()))
		if after := catalog(t, again); !sameTables(before, after) {
			t.Errorf("tables before: %v, after: %v", before, after)
		}
		if slug, err := again.Read().WorkspaceSlug(ctx, 1); err != nil || slug != "acme" {
			t.Errorf("the workspace is %q, %v", slug, err)
		}
	})
}

func TestRace_ManyHandlesOpenAnEmptyDatabase(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		const handles = 8
		errs := make([]error, handles)
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range handles {
			all.Go(func() {
				<-start
				db, err := store.Open(ctx, target)
				if errs[i] = err; err == nil {
					errs[i] = db.Ping(ctx)
					db.Close()
				}
			})
		}
		close(start)
		all.Wait()
		for i, err := range errs {
			if err != nil {
				t.Errorf("handle %d: %v", i, err)
			}
		}
		wantSchema(t, testdb.Open(t, target), len(store.Migrations()))
	})
}

const openTarget = "SLOTD_TEST_OPEN"

// TestOpenProcess runs in the processes that openInProcesses starts.
func TestOpenProcess(t *testing.T) {
	target := os.Getenv(openTarget)
	if target == "" {
		t.Skip("runs as a process of another test")
	}
	fmt.Println("ready")
	fmt.Scanln() // wait until all processes are ready
	db, err := store.Open(ctx, target)
	must(t, err)
	defer db.Close()
	must(t, db.Ping(ctx))
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.LockSettings(ctx) }))
}

func TestRace_ManyProcessesOpenAnEmptyDatabase(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		for range 3 { // the switch to WAL takes microseconds, so one try may miss the race
			openInProcesses(t, testdb.SQLite(t))
		}
	})
	t.Run("postgres", func(t *testing.T) { openInProcesses(t, testdb.Postgres(t)) })
}

func openInProcesses(t *testing.T, target string) {
	t.Helper()
	var stdins []io.Closer
	var waits []func()
	for i := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOpenProcess$")
		cmd.Env = append(os.Environ(), openTarget+"="+target)
		in, err := cmd.StdinPipe()
		must(t, err)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewReader(out)
		if line, err := lines.ReadString('\n'); line != "ready\n" {
			t.Fatalf("process %d says %q: %v", i, line, err)
		}
		stdins = append(stdins, in)
		waits = append(waits, func() {
			output, _ := io.ReadAll(lines)
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, output)
			}
		})
	}
	for _, in := range stdins {
		in.Close()
	}
	for _, wait := range waits {
		wait()
	}
	wantSchema(t, testdb.Open(t, target), len(store.Migrations()))
}

func exists(t *testing.T, db *store.DB, table string) bool {
	t.Helper()
	_, found := catalog(t, db)[table]
	return found
}

func TestMigrate_AStepThatFailsLeavesWholeStepsAndIsResumed(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		n := int64(len(store.Migrations()))
		steps := append(store.Migrations(),
			store.NewMigration(n+1, `CREATE TABLE fruit (id BIGINT PRIMARY KEY); INSERT INTO fruit (id) VALUES (1);`,
				"", ""),
			// The shared script and the first statement of each database's own script succeed, the second fails.
			store.NewMigration(n+2, `CREATE TABLE leaf (id BIGINT PRIMARY KEY); UPDATE fruit SET id = id + 1;`,
				`CREATE TABLE twig (id BIGINT); SELECT * FROM no_such_table;`,
				`CREATE TABLE twig (id BIGINT); SELECT * FROM no_such_table;`),
			store.NewMigration(n+3, `CREATE TABLE root (id BIGINT PRIMARY KEY);`, "", ""))
		for range 2 { // failing again must leave the same state
			err := db.Migrate(ctx, steps)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("bring the schema to version %d", n+2)) {
				t.Errorf("got %v, want the step that failed", err)
			}
			wantSchema(t, db, int(n)+1)
			if !exists(t, db, "fruit") || exists(t, db, "leaf") || exists(t, db, "twig") || exists(t, db, "root") {
				t.Errorf("half a step was left behind: %v", catalog(t, db))
			}
		}
		steps[n+1] = store.NewMigration(n+2, `CREATE TABLE leaf (id BIGINT PRIMARY KEY); UPDATE fruit SET id = id + 1;`,
			"", "")
		must(t, db.Migrate(ctx, steps))
		wantSchema(t, db, int(n)+3)
		var id int64
		must(t, db.Reader().QueryRow(`SELECT id FROM fruit`).Scan(&id))
		if id != 2 || !exists(t, db, "leaf") || !exists(t, db, "root") {
			t.Errorf("the fruit's id is %d, want 2: each step is taken once", id)
		}
	})
}

func TestMigrate_TakesOnlyItsOwnDatabasesPart(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		n := int64(len(store.Migrations()))
		must(t, db.Migrate(ctx, append(store.Migrations(),
			store.NewMigration(n+1, "", `CREATE TABLE lite (id BIGINT);`, `CREATE TABLE pg (id BIGINT);`))))
		if exists(t, db, "pg") != db.IsPostgres() || exists(t, db, "lite") == db.IsPostgres() {
			t.Errorf("took the other's part: %v", catalog(t, db))
		}
	})
}

func TestMigrate_RefusesANewerSchema(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		n := int64(len(store.Migrations()))
		must(t, db.Migrate(ctx, append(store.Migrations(),
			store.NewMigration(n+1, `CREATE TABLE fruit (id BIGINT);`, "", ""))))
		_, err := store.Open(ctx, target)
		want := fmt.Sprintf("this database has schema %d and this slotd knows up to %d: run a newer slotd, or "+
			"restore the backup made before the upgrade", n+1, n)
		if err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
		wantSchema(t, db, int(n)+1)
	})
}
