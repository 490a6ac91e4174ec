package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"slotd/internal/lib/seal"
	"slotd/internal/store"
)

// databaseFlags say where the data is; every command that needs the database takes them.
type databaseFlags struct {
	data     string
	database string
	keyFile  string
}

func (d *databaseFlags) define(fs *flagSet) {
	fs.StringVar(&d.data, "data", "./slotd-data", "directory of the data, made with mode 0700")
	fs.StringVar(&d.database, "database", "", "postgres://… (default: SQLite in the data directory)")
	fs.StringVar(&d.keyFile, "secret-key-file", "",
		"key that seals stored credentials (default: secret.key in the data directory)")
}

// existing is open for commands that make no sense without data: a mistyped --data must not make
// an empty database.
func (d *databaseFlags) existing(ctx context.Context) (*store.DB, error) {
	if d.database == "" {
		path := filepath.Join(d.data, "slotd.db")
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("there is no database in %s: --data names its directory, and slotd serve or slotd "+
				"apply makes one", d.data)
		}
	}
	return d.open(ctx)
}

// storedBaseURL is the one that serve was last started with; empty if there is none yet.
func (d *databaseFlags) storedBaseURL(ctx context.Context) (baseURL string, err error) {
	if _, err := os.Stat(filepath.Join(d.data, "slotd.db")); err != nil && d.database == "" {
		return "", nil
	}
	db, err := d.open(ctx)
	if err != nil {
		return "", err
	}
	defer db.Close()
	return stored(ctx, db, baseURLSetting)
}

func (d *databaseFlags) open(ctx context.Context) (*store.DB, error) {
	target := d.database
	if target == "" {
		target = filepath.Join(d.data, "slotd.db")
	}
	if !store.IsPostgres(target) {
		if d.database != "" {
			return nil, usagef("--database takes a postgres:// address; SQLite lies in --data")
		}
		if err := os.MkdirAll(d.data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data directory: %w", err)
		}
		if err := keepPrivate(target); err != nil {
			return nil, fmt.Errorf("make the database file: %w", err)
		}
	}
	return store.Open(ctx, target)
}

// keepPrivate makes the database's files readable for their owner alone: the data directory may be
// one that was there before. SQLite gives the two others the mode of the first.
func keepPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return f.Close()
	} else if !errors.Is(err, os.ErrExist) {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(name, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// keys opens the key file, and makes it at the first start.
func (d *databaseFlags) keys() (*seal.Keys, error) {
	if d.keyFile == "" {
		if err := os.MkdirAll(d.data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data directory: %w", err)
		}
	}
	return seal.Ensure(d.keyPath())
}

func (d *databaseFlags) keyPath() string {
	if d.keyFile != "" {
		return d.keyFile
	}
	return filepath.Join(d.data, "secret.key")
}

// clock is the one clock of the program. Tests move it.
func (p *program) clock() (now func() time.Time, moved time.Duration, err error) {
	text, ok := p.getenv("SLOTD_CLOCK_OFFSET")
	if !ok || text == "" {
		return time.Now, 0, nil
	}
	moved, err = time.ParseDuration(text)
	if err != nil {
		return nil, 0, usagef("SLOTD_CLOCK_OFFSET is no duration such as 26h: %q", text)
	}
	return func() time.Time { return time.Now().Add(moved) }, moved, nil
}

// inWorkspace opens the database for a command that works on one workspace.
func (p *program) inWorkspace(ctx context.Context, d *databaseFlags, slug string,
	do func(db *store.DB, workspaceID int64, now func() time.Time) error) error {
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	db, err := d.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	id, err := workspaceID(ctx, db, slug)
	if err != nil {
		return err
	}
	return do(db, id, now)
}
