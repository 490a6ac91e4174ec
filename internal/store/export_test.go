package store

import (
	"context"
	"database/sql"
)

// The tests are in an external package, because testdb imports this one. This file exports what they need.

type Migration = migration

func NewMigration(version int64, shared, sqlite, pg string) Migration {
	return migration{version, shared, sqlite, pg}
}

func Migrations() []Migration { return migrations() }

func (db *DB) Migrate(ctx context.Context, steps []Migration) error { return db.migrate(ctx, steps) }

func (db *DB) Writer() *sql.DB { return db.writer }

func (db *DB) Reader() *sql.DB { return db.reader }

func (tx *Tx) Exec(ctx context.Context, statement string, args ...any) error {
	_, err := tx.tx.ExecContext(ctx, statement, args...)
	return err
}

// HostLocks returns the number of hosts whose lock is in use, and of all callers that hold or wait for one.
func (db *DB) HostLocks() (hosts, users int) {
	db.hostLocks.mu.Lock()
	defer db.hostLocks.mu.Unlock()
	for _, l := range db.hostLocks.locks {
		users += l.users
	}
	return len(db.hostLocks.locks), users
}

// Scripts returns what the step runs on one of the databases.
func (m migration) Scripts(postgres bool) []string { return m.scripts(postgres) }

func (m migration) Version() int64 { return m.version }

func (m migration) Checksum(postgres bool) string { return m.checksum(postgres) }
