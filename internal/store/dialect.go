package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
)

// dialect holds the statements and options in which the two databases differ.
type dialect struct {
	postgres bool
	snapshot *sql.TxOptions

	// The lock statements are empty where starting the transaction already takes the lock.
	lockSettings string
	lockHost     string
	lockNumber   string
	bump         string
	claimJobs    string
	// cursor selects the changed_seq at which the next call of ChangedVersions must start.
	cursor string
}

// SQLite has one writer at a time, so BEGIN IMMEDIATE is the lock and a counter orders all changes.
var sqliteDialect = dialect{
	snapshot: &sql.TxOptions{ReadOnly: true},
	bump: `UPDATE workspace_versions SET version = version + 1,
		changed_seq = (SELECT MAX(changed_seq) + 1 FROM workspace_versions)
		WHERE workspace_id = $1 RETURNING version`,
	claimJobs: claimJobs(""),
	cursor:    `SELECT COALESCE(MAX(changed_seq), 0) + 1 FROM workspace_versions`,
}

// PostgreSQL orders changes by transaction id: a transaction that commits after the cursor was read has an id that is
// not below the id of the oldest transaction open at that time. No clock is involved.
var postgresDialect = dialect{
	postgres:     true,
	snapshot:     &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
	lockSettings: `SELECT pg_advisory_xact_lock(7310868735425769)`,
	lockHost:     `SELECT 1 FROM hosts WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
	bump: `UPDATE workspace_versions SET version = version + 1,
		changed_seq = pg_current_xact_id()::text::bigint
		WHERE workspace_id = $1 RETURNING version`,
	lockNumber: `SELECT pg_advisory_xact_lock($1)`,
	claimJobs:  claimJobs("FOR UPDATE SKIP LOCKED"),
	cursor:     `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
}

// claimJobs returns the statement that claims due jobs. The CTE is MATERIALIZED because PostgreSQL may otherwise
// evaluate it more than once and lock more rows than the limit.
func claimJobs(locking string) string {
	return `WITH due AS MATERIALIZED (
		SELECT booking_id, id FROM jobs WHERE workspace_id = $1 AND queue = $2 AND run_at <= $3 ORDER BY run_at, id LIMIT $5 ` + locking + `
	) UPDATE jobs SET run_at = $4, fence = fence + 1 WHERE workspace_id = $1 AND (booking_id, id) IN (SELECT booking_id, id FROM due)
	RETURNING id, kind, booking_id, sequence, detail, created_at, due_at, fence, failures, last_error`
}

// SQLite's built-in LOWER handles ASCII only, PostgreSQL's handles all letters. No index uses LOWER, so replacing it
// is safe.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("lower", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if text, ok := args[0].(string); ok {
				return strings.ToLower(text), nil
			}
			return args[0], nil
		})
}

// openSQLite opens one connection for writing and a few for reading. Under load, deferred transactions fail with
// SQLITE_BUSY while immediate ones queue.
func openSQLite(ctx context.Context, path string) (*DB, error) {
	const pragmas = "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"
	file := (&url.URL{Scheme: "file", Opaque: url.PathEscape(path)}).String()
	writer, err := sql.Open("sqlite", file+"?"+pragmas+"&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", file+"?"+pragmas+"&_pragma=query_only(1)")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	reader.SetMaxOpenConns(2 + 2*runtime.GOMAXPROCS(0))
	reader.SetMaxIdleConns(2 + 2*runtime.GOMAXPROCS(0))
	db := &DB{dialect: sqliteDialect, path: path, writer: writer, reader: reader}
	if err := firstPing(ctx, writer); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// firstPing retries while the file is busy: switching an empty file to WAL mode does not wait for other processes that
// do the same, whatever the busy timeout is.
func firstPing(ctx context.Context, writer *sql.DB) (err error) {
	for range 250 {
		err = writer.PingContext(ctx)
		var lite *sqlite.Error
		if !errors.As(err, &lite) || lite.Code()&0xff != sqliteBusy {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return err
}

const sqliteBusy = 5

func openPostgres(ctx context.Context, target string) (*DB, error) {
	// An unescaped @ or / in a password makes it part of the host or database name, which the driver includes in
	// its errors.
	address, _, _ := strings.Cut(target[strings.Index(target, "://")+3:], "?")
	server, name, _ := strings.Cut(address, "/")
	if strings.Count(server, "@") > 1 || strings.Contains(name, "@") {
		return nil, errBadAddress
	}
	pool, err := sql.Open("pgx", target)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", withoutPassword(err))
	}
	// PostgreSQL allows 100 connections by default, and several servers share them. More would not be faster:
	// requests for a busy host wait for its lock in this process, without a connection.
	const conns = 20
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open PostgreSQL: %w", withoutPassword(err))
	}
	return &DB{dialect: postgresDialect, writer: pool, reader: pool}, nil
}

var errBadAddress = errors.New("open PostgreSQL: the address is not of the form " +
	"postgres://user:password@host:5432/database; in a password, %40 stands for @ and %2F for /")

// withoutPassword replaces pgx's errors about a bad connection string, because they quote the string.
func withoutPassword(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return errBadAddress
	}
	return err
}

// Cursor returns the position at which ChangedVersions must start to include every change from now on.
func (db *DB) Cursor(ctx context.Context) (cursor int64, err error) {
	err = db.reader.QueryRowContext(ctx, db.dialect.cursor).Scan(&cursor)
	return cursor, err
}

// DataVersion prepares a query for a number that changes whenever another connection writes to the SQLite file. The
// number is only comparable within one connection, so the statement is bound to conn.
func DataVersion(ctx context.Context, conn *sql.Conn) (*sql.Stmt, error) {
	return conn.PrepareContext(ctx, "PRAGMA data_version")
}

// IsOverlap reports whether err is the database rejecting a claim that overlaps another one.
func IsOverlap(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23P01"
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && strings.Contains(lite.Error(), "claims_overlap")
}

// isTransient reports whether err is a deadlock or a serialization failure. SQLite has neither.
func isTransient(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
