package store

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Facts describes the database to an operator.
type Facts struct {
	Kind   string // SQLite or PostgreSQL
	Schema int64  // schema version
	Bytes  int64  // size on disk
}

// Facts reads the facts about the database.
func (db *DB) Facts(ctx context.Context) (f Facts, err error) {
	if err = db.reader.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&f.Schema); err != nil {
		return f, fmt.Errorf("read the schema's version: %w", err)
	}
	if db.dialect.postgres {
		f.Kind = "PostgreSQL"
		err = db.reader.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&f.Bytes)
		return f, err
	}
	f.Kind = "SQLite"
	for _, name := range []string{db.path, db.path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			f.Bytes += info.Size()
		}
	}
	return f, nil
}

// Clock returns the database server's current time. SQLite has no server, so ok is false.
func (db *DB) Clock(ctx context.Context) (at time.Time, ok bool, err error) {
	if !db.dialect.postgres {
		return at, false, nil
	}
	var millis int64
	err = db.reader.QueryRowContext(ctx,
		`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`).Scan(&millis)
	return time.UnixMilli(millis).UTC(), err == nil, err
}
