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

// dialect holds what the two databases do differently.
type dialect struct {
	postgres bool
	snapshot *sql.TxOptions

	lockSettings string // empty: the transaction's beginning is the lock
	lockHost     string // likewise
	lockNumber   string // likewise
	bump         string
	claimJobs    string
	// cursor answers from where on ChangedVersions must look next time.
	cursor string
}

// SQLite has one writer at a time, so BEGIN IMMEDIATE is the lock and a counter orders all
// changes.
var sqliteDialect = dialect{
	snapshot: &sql.TxOptions{ReadOnly: true},
	bump: `UPDATE workspace_versions SET version = version + 1,
		changed_seq = (SELECT MAX(changed_seq) + 1 FROM workspace_versions)
		WHERE workspace_id = $1 RETURNING version`,
	claimJobs: claimJobs(""),
	cursor:    `SELECT COALESCE(MAX(changed_seq), 0) + 1 FROM workspace_versions`,
}

// PostgreSQL orders changes by transaction id: whatever commits after the cursor was read has
// an id of at least the oldest transaction that was open then. No clock is involved.
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

// claimJobs: materialized, because PostgreSQL may otherwise run the choosing more than once and lock more than it was
// asked for.
func claimJobs(locking string) string {
	return `WITH due AS MATERIALIZED (
		SELECT booking_id, id FROM jobs WHERE workspace_id = $1 AND queue = $2 AND run_at <= $3 ORDER BY run_at, id LIMIT $5 ` + locking + `
	) UPDATE jobs SET run_at = $4, fence = fence + 1 WHERE workspace_id = $1 AND (booking_id, id) IN (SELECT booking_id, id FROM due)
	RETURNING id, kind, booking_id, sequence, detail, created_at, due_at, fence, failures, last_error`
}

// SQLite's own LOWER knows ASCII only, PostgreSQL's knows all letters. No index is made by it.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("lower", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if text, ok := args[0].(string); ok {
				return strings.ToLower(text), nil
			}
			return args[0], nil
		})
}

// openSQLite keeps one connection for writing and a few for reading. Deferred transactions
// end in SQLITE_BUSY under load, immediate ones queue.
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

// firstPing tries again while the file is busy: turning an empty file into one with a WAL does not
// wait for others who do the same, whatever the busy timeout says.
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
	// An unescaped @ or / in a password makes it part of the host or the database's name, and those
	// are in the driver's errors.
	address, _, _ := strings.Cut(target[strings.Index(target, "://")+3:], "?")
	server, name, _ := strings.Cut(address, "/")
	if strings.Count(server, "@") > 1 || strings.Contains(name, "@") {
		return nil, errBadAddress
	}
	pool, err := sql.Open("pgx", target)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", withoutPassword(err))
	}
	// PostgreSQL allows 100 connections by default, and several servers share them. More would not
	// be quicker: those who wait for one host wait at its gate.
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

// withoutPassword: pgx quotes the connection string in its errors about a bad one.
func withoutPassword(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return errBadAddress
	}
	return err
}

// Cursor answers from where on ChangedVersions must look to miss nothing from now on.
func (db *DB) Cursor(ctx context.Context) (cursor int64, err error) {
	err = db.reader.QueryRowContext(ctx, db.dialect.cursor).Scan(&cursor)
	return cursor, err
}

// DataVersion asks for a number that changes whenever another connection wrote to the SQLite
// file. It counts per connection, so it is prepared on one that is kept.
func DataVersion(ctx context.Context, conn *sql.Conn) (*sql.Stmt, error) {
	return conn.PrepareContext(ctx, "PRAGMA data_version")
}

// IsOverlap reports whether the database itself refused a claim on time that is taken.
func IsOverlap(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23P01"
	}
	var lite *sqlite.Error
	return errors.As(err, &lite) && strings.Contains(lite.Error(), "claims_overlap")
}

// isTransient: deadlock or serialization failure. SQLite has neither.
func isTransient(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
