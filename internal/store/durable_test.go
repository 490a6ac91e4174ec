package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// wantValue checks the value that query returns, on up to four connections of the pool.
func wantValue(t *testing.T, pool *sql.DB, query, want string) {
	t.Helper()
	conns := min(4, pool.Stats().MaxOpenConnections)
	for range conns {
		conn, err := pool.Conn(ctx)
		must(t, err)
		defer conn.Close()
		var got string
		must(t, conn.QueryRowContext(ctx, query).Scan(&got))
		if got != want {
			t.Errorf("%s is %q, want %q", query, got, want)
		}
	}
}

func TestOpen_SQLiteCommitsReachTheDisk(t *testing.T) {
	db := testdb.Open(t, filepath.Join(t.TempDir(), "plain.db")) // whose timeout testdb leaves as it is
	for _, pool := range []*sql.DB{db.Writer(), db.Reader()} {
		wantValue(t, pool, "PRAGMA synchronous", "2")
		wantValue(t, pool, "PRAGMA journal_mode", "wal")
		wantValue(t, pool, "PRAGMA foreign_keys", "1")
		wantValue(t, pool, "PRAGMA busy_timeout", "5000")
	}
	wantValue(t, db.Reader(), "PRAGMA query_only", "1")
	if n := db.Writer().Stats().MaxOpenConnections; n != 1 {
		t.Errorf("%d connections may write, want 1", n)
	}
}

// Whether PostgreSQL itself waits for the disk (fsync) is the operator's choice, which no connection can change.
func TestOpen_PostgresCommitsReachTheDisk(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t))
	wantValue(t, db.Writer(), "SHOW synchronous_commit", "on")
}

func TestForeignKeys_AreEnforced(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db)
		if err := claim(db, "nobody", 1, 2); err == nil || store.IsOverlap(err) {
			t.Errorf("a claim of a booking that does not exist: %v", err)
		}
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertHost(ctx, sqlcgen.InsertHostParams{WorkspaceID: 2, ID: 1})
		})
		if err == nil {
			t.Error("a host of a workspace that does not exist was taken")
		}
	})
}

func TestInTx_AnErrorLeavesNothing(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db)
		errAbort := errors.New("no")
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			if _, err := tx.BumpVersion(ctx, 1); err != nil {
				return err
			}
			return errAbort
		})
		if !errors.Is(err, errAbort) {
			t.Errorf("got %v", err)
		}
		if v, err := db.Read().Version(ctx, 1); err != nil || v.Version != 0 {
			t.Errorf("version %d, %v after a rollback", v.Version, err)
		}
	})
}

func TestOpen_SQLitePathsAreTakenAsTheyAre(t *testing.T) {
	for _, name := range []string{
		"plain.db", "with space.db", "what?.db", "a?mode=memory", "part#1.db", "100%.db", "%41.db", "%2F.db",
		"a+b&c=d;e.db",
		"größe 時間 🕑.db", "'quoted\".db", "back\\slash.db", "file:odd.db", ":memory:",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			sub := filepath.Join(dir, "ordner ü #?%20")
			must(t, os.Mkdir(sub, 0o700))
			path := filepath.Join(sub, name)
			db, err := store.Open(ctx, path)
			must(t, err)
			seed(t, db)
			if db.Path() != path {
				t.Errorf("its path is %q", db.Path())
			}
			if _, err := os.Stat(path + "-shm"); err != nil {
				t.Errorf("the shared memory is elsewhere: %v", err)
			}
			must(t, db.Close())
			again := testdb.Open(t, path)
			if slug, err := again.Read().WorkspaceSlug(ctx, 1); err != nil || slug != "acme" {
				t.Errorf("found %q, %v", slug, err)
			}
			files, err := os.ReadDir(sub)
			must(t, err)
			for _, f := range files {
				if !strings.HasPrefix(f.Name(), name) {
					t.Errorf("made the file %q", f.Name())
				}
			}
		})
	}
}

func TestOpen_SQLiteRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	db, err := store.Open(ctx, "here.db")
	must(t, err)
	defer db.Close()
	if _, err := os.Stat("here.db"); err != nil {
		t.Error(err)
	}
}

func TestOpen_SQLiteSaysWhichFileItCannotOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "slotd.db")
	if _, err := store.Open(ctx, path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func TestOpen_NoPasswordInErrors(t *testing.T) {
	const port = "127.0.0.1:1" // nobody listens there
	for _, target := range []string{
		"postgres://ada:SECRET@" + port + "/slotd",
		"postgresql://ada:SECRET@" + port + "/slotd",
		"postgres://ada:SECRET@" + port + ",127.0.0.1:2/slotd?sslmode=disable",
		"postgres://ada:SECRET@" + port + "/slotd?sslmode=nonsense",
		"postgres://ada@" + port + "/slotd?password=SECRET",
		"postgres://ada@" + port + "/slotd?password=SECRET&sslmode=nonsense",
		"postgres://ada:SECRET@" + port + "/slotd?connect_timeout=soon",
		"postgres://ada:SECRET@" + port + "/slotd?sslrootcert=/no/such/file&sslmode=verify-full",
		"postgres://ada:SECRET@" + port + "/slotd?default_query_exec_mode=nonsense",
		"postgres://ada:SECRET@127.0.0.1:notaport/slotd",
		"postgres://ada:SECRET@127.0.0.1:99999/slotd",
		"postgres://ada:SECRET@no such host/slotd",
		"postgres://ada:%zzSECRET@" + port + "/slotd",
		"postgres://ada:SECRET%@" + port + "/slotd",
		"postgres://ada:SECRET/more@" + port + "/slotd",
		"postgres://ada:SECRET#more@" + port + "/slotd",
		"postgres://ada:SECRET?more@" + port + "/slotd",
		"postgres://ada:SECRET more@" + port + "/slotd",
		"postgres://ada:more@SECRET@" + port + "/slotd",
		"postgres://ada:more\x01SECRET@" + port + "/slotd",
		"postgres://:SECRET@/",
		"postgres://ada:[SECRET@" + port + "/slotd",
		// A password that starts with digits makes these valid addresses of other servers.
		"postgres://ada:1/SECRET@" + port + "/slotd",
		"postgres://ada:1?SECRET@" + port + "/slotd",
		"postgres://ada:1?SECRET=more@" + port + "/slotd",
		"postgres://ada:1#SECRET@" + port + "/slotd",
	} {
		db, err := store.Open(ctx, target)
		if err == nil {
			db.Close()
			t.Errorf("%q was opened", target)
		} else if strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q shows the password: %v", target, err)
		}
	}
}

func TestOpen_NoPasswordInTheServersRefusal(t *testing.T) {
	target := strings.Replace(testdb.Postgres(t), "postgres@", "nobody:SECRET@", 1)
	if _, err := store.Open(ctx, target); err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("got %v", err)
	}
}
