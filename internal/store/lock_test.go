package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/test/await"
)

// seedHosts inserts workspaces 1 to n, each with host 1 and host 2.
func seedHosts(t *testing.T, db *store.DB, n int64) {
	t.Helper()
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for id := int64(1); id <= n; id++ {
			err := errors.Join(
				tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: id, Slug: fmt.Sprint("w", id)}),
				tx.InsertVersion(ctx, id),
				tx.InsertHost(ctx, sqlcgen.InsertHostParams{WorkspaceID: id, ID: 1}),
				tx.InsertHost(ctx, sqlcgen.InsertHostParams{WorkspaceID: id, ID: 2}),
			)
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

func wantNoHostLocks(t *testing.T, db *store.DB) {
	t.Helper()
	if hosts, users := db.HostLocks(); hosts != 0 || users != 0 {
		t.Errorf("%d hosts and %d people are left at the gates", hosts, users)
	}
}

// holdHost locks a host until release is called.
func holdHost(t *testing.T, db *store.DB, workspaceID, hostID int64) (release func()) {
	t.Helper()
	held, free, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- db.InHostTx(ctx, workspaceID, hostID, func(context.Context, *store.Tx) error {
			close(held)
			<-free
			return nil
		})
	}()
	select {
	case <-held:
	case err := <-done:
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		close(free)
		must(t, <-done)
	})
}

func TestRace_OneTransactionAtATimePerHost(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		// The second handle acts as another server: only the row lock separates the two.
		handles := []*store.DB{testdb.Open(t, target), testdb.Open(t, target)}
		seedHosts(t, handles[0], 2)
		var inside [3]atomic.Int64
		var all sync.WaitGroup
		for i := range 48 {
			all.Go(func() {
				workspaceID := int64(1 + i%2)
				err := handles[i/2%2].InHostTx(ctx, workspaceID, 1, func(ctx context.Context, tx *store.Tx) error {
					if n := inside[workspaceID].Add(1); n != 1 {
						t.Errorf("%d are inside the host of workspace %d", n, workspaceID)
					}
					defer inside[workspaceID].Add(-1)
					_, err := tx.BumpVersion(ctx, workspaceID)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for id := int64(1); id <= 2; id++ {
			if v, err := handles[0].Read().Version(ctx, id); err != nil || v.Version != 24 {
				t.Errorf("workspace %d: version %d, %v, want 24", id, v.Version, err)
			}
		}
		wantNoHostLocks(t, handles[0])
		wantNoHostLocks(t, handles[1])
	})
}

func TestRace_OtherHostsProceedMeanwhile(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t)) // SQLite has one writer for all hosts
	seedHosts(t, db, 2)
	release := holdHost(t, db, 1, 1)
	defer release()
	for _, other := range [][2]int64{{1, 2}, {2, 1}} {
		must(t, db.InHostTx(ctx, other[0], other[1], func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.BumpVersion(ctx, other[0])
			return err
		}))
	}
}

// Callers that wait for one busy host hold no connection, however many there are.
func TestRace_ACrowdAtOneHostLeavesConnectionsForOthers(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t))
	seedHosts(t, db, 2)
	release := holdHost(t, db, 1, 1)
	defer release()
	crowd := 3 * db.Writer().Stats().MaxOpenConnections
	var all sync.WaitGroup
	for range crowd {
		all.Go(func() {
			if err := db.InHostTx(ctx, 1, 1, func(context.Context, *store.Tx) error { return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	await.True(t, "the crowd", func() bool { _, users := db.HostLocks(); return users == crowd+1 })
	if n := db.Writer().Stats().InUse; n != 1 {
		t.Errorf("%d connections are in use, want that of the one inside", n)
	}
	must(t, db.InHostTx(ctx, 2, 1, func(context.Context, *store.Tx) error { return nil }))
	release()
	all.Wait()
	wantNoHostLocks(t, db)
}

func TestInHostTx_WaitingEndsWithTheContext(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		seedHosts(t, db, 1)
		release := holdHost(t, db, 1, 1)
		defer release()
		waitCtx, cancel := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() {
			done <- db.InHostTx(waitCtx, 1, 1, func(context.Context, *store.Tx) error {
				t.Error("got in")
				return nil
			})
		}()
		await.True(t, "the second at the gate", func() bool { _, users := db.HostLocks(); return users == 2 })
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if _, users := db.HostLocks(); users != 1 {
			t.Errorf("%d people at the gate, want the one inside", users)
		}
		release()
		wantNoHostLocks(t, db)
		must(t, db.InHostTx(ctx, 1, 1, func(context.Context, *store.Tx) error { return nil }))
	})
}

// On SQLite, a caller for another host waits for the one writer. On PostgreSQL, it waits for a row that another server
// has locked.
func TestInHostTx_WaitingForTheDatabaseEndsWithTheContext(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		seedHosts(t, db, 1)
		holder, host := db, int64(2)
		if db.IsPostgres() {
			holder, host = testdb.Open(t, target), 1
		}
		release := holdHost(t, holder, 1, host)
		defer release()
		waitCtx, cancel := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() {
			done <- db.InHostTx(waitCtx, 1, 1, func(context.Context, *store.Tx) error {
				t.Error("got in")
				return nil
			})
		}()
		await.True(t, "it waits for the database", func() bool { return waitsForDatabase(t, db, holder) })
		cancel()
		if err := await.Signal(t, "the end of the wait", done); !isCanceled(err) {
			t.Errorf("got %v", err)
		}
		release()
		wantNoHostLocks(t, db)
	})
}

// isCanceled reports whether the context ended the wait, or PostgreSQL did when it was asked to.
func isCanceled(err error) bool {
	const queryCanceled = "57014"
	var refused *pgconn.PgError
	return errors.Is(err, context.Canceled) || errors.As(err, &refused) && refused.Code == queryCanceled
}

// waitsForDatabase reports whether a transaction of db waits: for the connection that writes, or for a locked row. It
// asks through observer.
func waitsForDatabase(t *testing.T, db, observer *store.DB) bool {
	t.Helper()
	if !db.IsPostgres() {
		return db.Writer().Stats().WaitCount > 0
	}
	var waiting int
	must(t, observer.Reader().QueryRowContext(ctx, `SELECT COUNT(*) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting))
	return waiting > 0
}

func TestInHostTx_AnErrorOrAPanicFreesTheHost(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seedHosts(t, db, 1)
		if err := db.InHostTx(ctx, 1, 1,
			func(context.Context, *store.Tx) error { return errors.New("no") }); err == nil {
			t.Error("the error is lost")
		}
		func() {
			defer func() { recover() }()
			db.InHostTx(ctx, 1, 1, func(context.Context, *store.Tx) error { panic("oh") })
		}()
		wantNoHostLocks(t, db)
		must(t, db.InHostTx(ctx, 1, 1, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.BumpVersion(ctx, 1)
			return err
		}))
	})
}

func TestRace_ADeadlockIsTriedAgain(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t))
	seedHosts(t, db, 2)
	var calls atomic.Int64
	var bothLocked sync.WaitGroup // done when both hold their first row
	bothLocked.Add(2)
	done := make(chan error)
	for _, order := range [][2]int64{{1, 2}, {2, 1}} {
		go func() {
			first := true
			done <- db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				calls.Add(1)
				if _, err := tx.BumpVersion(ctx, order[0]); err != nil {
					return err
				}
				if first {
					first = false
					bothLocked.Done()
					bothLocked.Wait()
				}
				_, err := tx.BumpVersion(ctx, order[1])
				return err
			})
		}()
	}
	must(t, <-done)
	must(t, <-done)
	if n := calls.Load(); n < 3 {
		t.Errorf("called %d times, want the loser of the deadlock more than once", n)
	}
	for id := int64(1); id <= 2; id++ {
		if v, err := db.Read().Version(ctx, id); err != nil || v.Version != 2 {
			t.Errorf("workspace %d: version %d, %v, want 2", id, v.Version, err)
		}
	}
}

// unserializable reads a row, lets another transaction write it, and then writes it. The first calls conflict.
func unserializable(t *testing.T, db *store.DB, conflicts int) (calls int, err error) {
	t.Helper()
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		calls++
		must(t, tx.Exec(ctx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
		if _, err := tx.Version(ctx, 1); err != nil {
			return err
		}
		if calls <= conflicts {
			must(t, db.InTx(ctx, func(ctx context.Context, other *store.Tx) error {
				_, err := other.BumpVersion(ctx, 1)
				return err
			}))
		}
		_, err := tx.BumpVersion(ctx, 1)
		return err
	})
	return calls, err
}

func TestInTx_TriesASerializationFailureAgainAndGivesUpAtLast(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t))
	seedHosts(t, db, 1)
	calls, err := unserializable(t, db, 3)
	must(t, err)
	if calls != 4 {
		t.Errorf("called %d times, want 4", calls)
	}
	calls, err = unserializable(t, db, 100)
	if calls != 5 || err == nil || !strings.Contains(err.Error(), "40001") {
		t.Errorf("called %d times and got %v, want 5 times and the failure", calls, err)
	}
}

func TestInTx_OtherErrorsAreNotTriedAgain(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		calls := 0
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			calls++
			return tx.Exec(ctx, "INSERT INTO no_such_table VALUES (1)")
		})
		if calls != 1 || err == nil {
			t.Errorf("called %d times, got %v", calls, err)
		}
	})
}
