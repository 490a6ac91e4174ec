// Package store keeps everything in one SQLite file or one PostgreSQL database, through one
// schema and one set of queries.
//
// It has no rules of its own: each room maps its own rows. What it does decide is how
// transactions begin, lock and end, and that two claims on a host's time never overlap.
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
	dialect dialect
	path    string // of the SQLite file
	writer  *sql.DB
	reader  *sql.DB // the same as writer on PostgreSQL
	gates   gates

	// SQLite parses a statement each time unless it is prepared, which is a third of a booking's
	// cost. pgx prepares by itself.
	writes, reads *sqlcgen.Queries
	prepared      *prepared
}

// prepared are the statements that sqlc does not make.
type prepared struct {
	bump       *sql.Stmt
	insertJobs [maxJobsAtOnce + 1]*sql.Stmt
}

// Open connects and brings the schema up to date. A target that starts with postgres:// is a
// PostgreSQL database, anything else a path of a SQLite file.
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
	for n := 1; n <= maxJobsAtOnce && err == nil; n++ {
		db.prepared.insertJobs[n], err = db.writer.PrepareContext(ctx, insertJobs[n])
	}
	return err
}

// in binds the queries to a transaction.
func in(tx *sql.Tx, prepared *sqlcgen.Queries) *sqlcgen.Queries {
	if prepared == nil {
		return sqlcgen.New(tx)
	}
	return prepared.WithTx(tx)
}

// IsPostgres reports whether the target names a PostgreSQL database.
func IsPostgres(target string) bool {
	return strings.HasPrefix(target, "postgres://") || strings.HasPrefix(target, "postgresql://")
}

// Postgres reports whether several servers may share this database.
func (db *DB) Postgres() bool { return db.dialect.postgres }

// Path is the SQLite file's.
func (db *DB) Path() string { return db.path }

func (db *DB) Close() error {
	err := db.writer.Close()
	if db.reader != db.writer {
		err = errors.Join(err, db.reader.Close())
	}
	return err
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	_, err := db.Read().LinkKeys(ctx)
	return err
}

// Read runs single queries outside any transaction.
func (db *DB) Read() *sqlcgen.Queries {
	if db.reads != nil {
		return db.reads
	}
	return sqlcgen.New(db.reader)
}

// ReadConn takes one connection out of the readers for good.
func (db *DB) ReadConn(ctx context.Context) (*sql.Conn, error) { return db.reader.Conn(ctx) }

// Snapshot runs fn on one consistent picture of the database.
func (db *DB) Snapshot(ctx context.Context, fn func(q *sqlcgen.Queries) error) error {
	tx, err := db.reader.BeginTx(ctx, db.dialect.snapshot)
	if err != nil {
		return fmt.Errorf("begin reading: %w", err)
	}
	defer tx.Rollback()
	return fn(in(tx, db.reads))
}

// Tx is a transaction that writes.
type Tx struct {
	*sqlcgen.Queries
	tx       *sql.Tx
	dialect  dialect
	prepared *prepared // nil on PostgreSQL
}

// InTx runs fn in a transaction and commits it. A deadlock or a serialization failure, which
// PostgreSQL may report for any transaction, is tried again; fn must stand being called twice, and
// use the context it is given.
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
		// From here on it is microseconds for each statement; watching for the end of the context
		// would cost a goroutine for each of them.
		begin, ctx = conn.BeginTx, context.WithoutCancel(ctx)
	}
	tx, err := begin(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := fn(ctx, &Tx{Queries: in(tx, db.writes), tx: tx, dialect: db.dialect, prepared: db.prepared}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// InHostTx is InTx with the host's row locked: all that changes a host's time goes through
// here, one after the other. Inside one process they already queue at the gate, so that those
// who wait for one busy host do not use up the connections of all others.
func (db *DB) InHostTx(ctx context.Context, workspaceID, hostID int64,
	fn func(ctx context.Context, tx *Tx) error) error {
	leave, err := db.gates.enter(ctx, gate{workspaceID, hostID})
	if err != nil {
		return err
	}
	defer leave()
	return db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.LockHost(ctx, workspaceID, hostID); err != nil {
			return err
		}
		return fn(ctx, tx)
	})
}

// LockHost keeps everyone else from changing the host's time, or the configuration it is
// offered by, until the transaction ends.
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

// LockSettings makes servers that start together agree on what the first of them sets up.
func (tx *Tx) LockSettings(ctx context.Context) error {
	return tx.lock(ctx, tx.dialect.lockSettings)
}

// Bump counts a write to the workspace that readers must see, and returns the new version. It
// is the last statement of its transaction, so that the row is locked only briefly.
func (tx *Tx) Bump(ctx context.Context, workspaceID int64) (version int64, err error) {
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
