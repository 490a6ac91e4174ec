package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

// checksum is the SHA-256 of the scripts that the step runs on this kind of database, in the order in which they run,
// each followed by a zero byte. It ignores line endings, which a checkout on Windows may change.
func (m migration) checksum(postgres bool) string {
	hash := sha256.New()
	for _, script := range m.scripts(postgres) {
		io.WriteString(hash, strings.ReplaceAll(script, "\r\n", "\n")+"\x00")
	}
	return hex.EncodeToString(hash.Sum(nil))
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readChecksums returns the checksum of each step that the database has gone through, as far as they are stored.
func readChecksums(ctx context.Context, db querier) (map[int64]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT version, checksum FROM schema_steps`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	stored := map[int64]string{}
	for rows.Next() {
		var version int64
		var checksum string
		if err := rows.Scan(&version, &checksum); err != nil {
			return nil, err
		}
		stored[version] = checksum
	}
	return stored, rows.Err()
}

// compareChecksums returns an error for the first step whose stored checksum is not this program's.
func (d dialect) compareChecksums(stored map[int64]string, steps []migration) error {
	for _, step := range steps {
		if checksum, ok := stored[step.version]; ok && checksum != step.checksum(d.postgres) {
			return fmt.Errorf("another build of slotd made schema %d of this database, with other scripts than this "+
				"one has: run the slotd that made it, or restore the backup made before that upgrade", step.version)
		}
	}
	return nil
}

// checkChecksums compares the steps that the database has gone through with this program's. A database may be older
// than the checksums: those that are missing are trusted and stored.
func (tx *Tx) checkChecksums(ctx context.Context, steps []migration) error {
	_, err := tx.tx.ExecContext(ctx,
		`CREATE TABLE IF NOT EXISTS schema_steps (version BIGINT PRIMARY KEY, checksum TEXT NOT NULL)`)
	if err != nil {
		return fmt.Errorf("create schema_steps: %w", err)
	}
	stored, err := readChecksums(ctx, tx.tx)
	if err != nil {
		return fmt.Errorf("read the schema's checksums: %w", err)
	}
	if err := tx.dialect.compareChecksums(stored, steps); err != nil {
		return err
	}
	for _, step := range steps {
		if _, ok := stored[step.version]; ok {
			continue
		}
		if err := tx.storeChecksum(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) storeChecksum(ctx context.Context, step migration) error {
	_, err := tx.tx.ExecContext(ctx, `INSERT INTO schema_steps (version, checksum) VALUES ($1, $2)`,
		step.version, step.checksum(tx.dialect.postgres))
	if err != nil {
		return fmt.Errorf("store the checksum of schema %d: %w", step.version, err)
	}
	return nil
}

// isWriteDenied reports whether the database may only be read.
func isWriteDenied(err error) bool {
	if pg := new(pgconn.PgError); errors.As(err, &pg) {
		const readOnlyTransaction, insufficientPrivilege = "25006", "42501"
		return pg.Code == readOnlyTransaction || pg.Code == insufficientPrivilege
	}
	const readOnly = 8 // SQLITE_READONLY
	lite := new(sqlite.Error)
	return errors.As(err, &lite) && lite.Code()&0xff == readOnly
}
