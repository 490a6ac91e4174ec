package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"

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
	bump         string
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
	cursor: `SELECT COALESCE(MAX(changed_seq), 0) + 1 FROM workspace_versions`,
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
	cursor: `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
}

// openSQLite keeps one connection for writing and a few for reading. Deferred transactions
// end in SQLITE_BUSY under load, immediate ones queue.
func openSQLite(ctx context.Context, path string) (*DB, error) {
	const pragmas = "_pragma=busy_timeout(15000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"
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
	if err := writer.PingContext(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

func openPostgres(ctx context.Context, target string) (*DB, error) {
	pool, err := sql.Open("pgx", target)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", withoutPassword(err))
	}
	conns := 8 + 4*runtime.GOMAXPROCS(0)
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open PostgreSQL: %w", withoutPassword(err))
	}
	return &DB{dialect: postgresDialect, writer: pool, reader: pool}, nil
}

// withoutPassword: pgx quotes the connection string in its errors about a bad one.
func withoutPassword(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return errors.New("the address is not of the form postgres://user:password@host:5432/database")
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
