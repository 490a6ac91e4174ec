package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema: a script for both databases, then one for the database in use.
type migration struct {
	version int64
	shared  string
	sqlite  string
	pg      string
}

// migrations returns the steps, numbered 1, 2, 3 … by their file names. A step never changes once released.
func migrations() []migration {
	var steps []migration
	for n := int64(1); ; n++ {
		files, err := fs.Glob(migrationFiles, fmt.Sprintf("migrations/%04d_*.sql", n))
		if err != nil || len(files) == 0 {
			return steps
		}
		step := migration{version: n}
		for _, name := range files {
			text, _ := migrationFiles.ReadFile(name)
			switch {
			case strings.HasSuffix(name, ".postgres.sql"):
				step.pg = string(text)
			case strings.HasSuffix(name, ".sqlite.sql"):
				step.sqlite = string(text)
			default:
				step.shared = string(text)
			}
		}
		steps = append(steps, step)
	}
}

// scripts returns what the step runs on the database in use.
func (m migration) scripts(postgres bool) []string {
	specific := m.sqlite
	if postgres {
		specific = m.pg
	}
	return slices.DeleteFunc([]string{m.shared, specific}, func(script string) bool { return script == "" })
}

// migrate runs each step in its own transaction and under a lock: servers that start together wait for each other, and
// a crash never leaves half a step behind. It refuses a database whose steps ran other scripts than this program's.
func (db *DB) migrate(ctx context.Context, steps []migration) error {
	// Read-only commands must not wait for the lock, nor need permission to create tables.
	var current int64
	err := db.reader.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&current)
	isCurrent := err == nil && current == int64(len(steps))
	if isCurrent {
		if stored, err := readChecksums(ctx, db.reader); err == nil {
			if err := db.dialect.compareChecksums(stored, steps); err != nil || len(stored) == len(steps) {
				return err
			}
		}
	}
	for {
		done := false
		err := db.InTx(ctx, func(ctx context.Context, tx *Tx) (err error) {
			done, err = tx.nextStep(ctx, steps)
			return err
		})
		if isCurrent && isWriteDenied(err) {
			return nil // only checksums are missing; the next command that may write stores them
		}
		if err != nil || done {
			return err
		}
	}
}

func (tx *Tx) nextStep(ctx context.Context, steps []migration) (done bool, err error) {
	if err := tx.LockSettings(ctx); err != nil {
		return false, fmt.Errorf("lock the schema: %w", err)
	}
	current, err := tx.schemaVersion(ctx)
	if err != nil {
		return false, fmt.Errorf("read the schema's version: %w", err)
	}
	newest := int64(len(steps))
	if current > newest {
		return false, fmt.Errorf("this database has schema %d and this slotd knows up to %d: run a newer slotd, or "+
			"restore the backup made before the upgrade", current, newest)
	}
	if err := tx.checkChecksums(ctx, steps[:current]); err != nil || current == newest {
		return true, err
	}
	step := steps[current]
	for _, script := range step.scripts(tx.dialect.postgres) {
		if _, err := tx.tx.ExecContext(ctx, script); err != nil {
			return false, fmt.Errorf("bring the schema to version %d: %w", step.version, err)
		}
	}
	if err := tx.storeChecksum(ctx, step); err != nil {
		return false, err
	}
	_, err = tx.tx.ExecContext(ctx, `UPDATE schema_version SET version = $1`, step.version)
	return false, err
}

func (tx *Tx) schemaVersion(ctx context.Context) (version int64, err error) {
	_, err = tx.tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`)
	if err != nil {
		return 0, err
	}
	_, err = tx.tx.ExecContext(ctx,
		`INSERT INTO schema_version (version) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM schema_version)`)
	if err != nil {
		return 0, err
	}
	err = tx.tx.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&version)
	return version, err
}
