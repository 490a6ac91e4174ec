package store

import (
	"context"
	"database/sql"
)

// Tests stand outside the package, because the helper that gives them databases imports it.

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

// Gates counts the hosts that somebody is in or waits for, and all those people.
func (db *DB) Gates() (hosts, people int) {
	db.gates.mu.Lock()
	defer db.gates.mu.Unlock()
	for _, q := range db.gates.open {
		people += q.waiting
	}
	return len(db.gates.open), people
}
