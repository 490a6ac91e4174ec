// Package store keeps all data in one SQLite file or one PostgreSQL database, with one schema and one set of queries.
//
// It has no business rules: each package maps its own rows. The store decides how transactions begin, lock and end,
// and it guarantees that two claims on a host's time never overlap.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"slotd/internal/store/sqlcgen"
)

// DB is the database of one deployment.
type DB struct {
	dialect   dialect
	path      string // the SQLite file, empty on PostgreSQL
	writer    *sql.DB
	reader    *sql.DB // the same as writer on PostgreSQL
	hostLocks hostLocks

	// Prepared statements, nil on PostgreSQL, where pgx prepares them itself. SQLite would otherwise parse each
	// statement every time, which is a third of a booking's cost.
	writes, reads *sqlcgen.Queries
	prepared      *prepared
}

// prepared holds the statements that sqlc does not generate.
type prepared struct {
	bump       *sql.Stmt
	insertJobs [maxJobsPerInsert + 1]*sql.Stmt
}

// Open connects to the database and brings its schema up to date. A target that starts with postgres:// or
// postgresql:// is a PostgreSQL database, anything else is the path of a SQLite file.
func Open(ctx context.Context, target string) (*DB, error) {
	open := openSQLite
	if IsPostgres(target) {
		open = openPostgres
	}
	db, err := open(ctx, target)
	if err != nil {
		return nil, err
	}
	if err := db.migrate(ctx, migrations()); err != nil {
		db.Close()
		return nil, err
	}
	if err := db.prepare(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("prepare the statements: %w", err)
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context) (err error) {
	if db.dialect.postgres {
		return nil
	}
	if db.writes, err = sqlcgen.Prepare(ctx, db.writer); err != nil {
		return err
	}
	if db.reads, err = sqlcgen.Prepare(ctx, db.reader); err != nil {
		return err
	}
	db.prepared = &prepared{}
	if db.prepared.bump, err = db.writer.PrepareContext(ctx, db.dialect.bump); err != nil {
		return err
	}
	for n := 1; n <= maxJobsPerInsert && err == nil; n++ {
		db.prepared.insertJobs[n], err = db.writer.PrepareContext(ctx, insertJobs[n])
	}
	return err
}

// queriesIn returns the queries bound to a transaction.
func queriesIn(tx *sql.Tx, queries *sqlcgen.Queries) *sqlcgen.Queries {
	if queries == nil {
		return sqlcgen.New(tx)
	}
	return queries.WithTx(tx)
}

// IsPostgres reports whether target is the address of a PostgreSQL database.
func IsPostgres(target string) bool {
	return strings.HasPrefix(target, "postgres://") || strings.HasPrefix(target, "postgresql://")
}

// IsPostgres reports whether this is a PostgreSQL database, which several servers may share.
func (db *DB) IsPostgres() bool { return db.dialect.postgres }

// Path returns the path of the SQLite file.
func (db *DB) Path() string { return db.path }

// Close closes all connections.
func (db *DB) Close() error {
	err := db.writer.Close()
	if db.reader != db.writer {
		err = errors.Join(err, db.reader.Close())
	}
	return err
}

// Ping returns an error if the database does not answer.
func (db *DB) Ping(ctx context.Context) error {
	_, err := db.Read().LinkKeys(ctx)
	return err
}

// Read returns the queries for reading outside of a transaction.
func (db *DB) Read() *sqlcgen.Queries {
	if db.reads != nil {
		return db.reads
	}
	return sqlcgen.New(db.reader)
}

// ReadConn takes a connection out of the read pool. The caller must close it.
func (db *DB) ReadConn(ctx context.Context) (*sql.Conn, error) { return db.reader.Conn(ctx) }

// InReadTx runs fn in a read-only transaction, so that all its queries see the same state of the database.
func (db *DB) InReadTx(ctx context.Context, fn func(q *sqlcgen.Queries) error) error {
	tx, err := db.reader.BeginTx(ctx, db.dialect.snapshot)
	if err != nil {
		return fmt.Errorf("begin reading: %w", err)
	}
	defer tx.Rollback()
	return fn(queriesIn(tx, db.reads))
}

// Tx is a write transaction.
type Tx struct {
	*sqlcgen.Queries
	tx       *sql.Tx
	dialect  dialect
	prepared *prepared // nil on PostgreSQL
}

// InTx runs fn in a transaction and commits it. After a deadlock or a serialization failure, which PostgreSQL may
// report for any transaction, it calls fn again, up to five times in all. fn must be safe to call again and must use
// the context that it gets.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	for try := 1; ; try++ {
		err := db.inTx(ctx, fn)
		if try == 5 || !isTransient(err) {
			return err
		}
	}
}

func (db *DB) inTx(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	begin := db.writer.BeginTx
	if !db.dialect.postgres {
		conn, err := db.writer.Conn(ctx)
		if err != nil {
			return fmt.Errorf("wait for the database: %w", err)
		}
		defer conn.Close()
		// From here on each statement takes microseconds; watching the context would cost a goroutine for each.
		begin, ctx = conn.BeginTx, context.WithoutCancel(ctx)
	}
	tx, err := begin(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := fn(ctx, &Tx{Queries: queriesIn(tx, db.writes), tx: tx, dialect: db.dialect,
		prepared: db.prepared}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// InHostTx is InTx with the host's row locked: every change to a host's time goes through here, one at a time. Within
// a process, callers first wait for the host's lock in memory, so that callers waiting for one busy host do not use up
// the connections.
func (db *DB) InHostTx(ctx context.Context, workspaceID, hostID int64,
	fn func(ctx context.Context, tx *Tx) error) error {
	release, err := db.hostLocks.acquire(ctx, hostKey{workspaceID, hostID})
	if err != nil {
		return err
	}
	defer release()
	return db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.LockHost(ctx, workspaceID, hostID); err != nil {
			return err
		}
		return fn(ctx, tx)
	})
}

// LockHost keeps other transactions from changing the host's time, or the configuration that offers it, until this
// transaction ends.
func (tx *Tx) LockHost(ctx context.Context, workspaceID, hostID int64) error {
	if err := tx.lock(ctx, tx.dialect.lockHost, workspaceID, hostID); err != nil {
		return fmt.Errorf("lock the host: %w", err)
	}
	return nil
}

func (tx *Tx) lock(ctx context.Context, statement string, args ...any) error {
	if statement == "" {
		return nil
	}
	_, err := tx.tx.ExecContext(ctx, statement, args...)
	return err
}

// LockSettings makes servers that start together wait for each other, so that only the first one writes the initial
// settings.
func (tx *Tx) LockSettings(ctx context.Context) error {
	return tx.lock(ctx, tx.dialect.lockSettings)
}

// BumpVersion increments the workspace's version, so that readers notice the write, and returns the new version. Make
// it the last statement of its transaction, so that the row is locked only briefly.
func (tx *Tx) BumpVersion(ctx context.Context, workspaceID int64) (version int64, err error) {
	row := func() *sql.Row { return tx.tx.QueryRowContext(ctx, tx.dialect.bump, workspaceID) }
	if tx.prepared != nil {
		row = func() *sql.Row { return tx.tx.StmtContext(ctx, tx.prepared.bump).QueryRowContext(ctx, workspaceID) }
	}
	err = row().Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("count the change: %w", err)
	}
	return version, nil
}
