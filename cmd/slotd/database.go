package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

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
	fs.StringVar(&d.keyFile, "secret-key-file", "", "key that seals stored credentials (default: secret.key in the data directory)")
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
		if err := createPrivately(target); err != nil {
			return nil, fmt.Errorf("make the database file: %w", err)
		}
	}
	return store.Open(ctx, target)
}

// createPrivately makes the file with mode 0600 before SQLite would make it readable for all: the
// data directory may be one that was there before.
func createPrivately(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return f.Close()
}

// ensureKey makes the key file at the first start.
func (d *databaseFlags) ensureKey() error {
	path := d.keyFile
	if path == "" {
		path = filepath.Join(d.data, "secret.key")
		if err := os.MkdirAll(d.data, 0o700); err != nil {
			return fmt.Errorf("make the data directory: %w", err)
		}
	}
	key := make([]byte, 32)
	rand.Read(key)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("make the key file: %w", err)
	}
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	return errors.Join(err, f.Close())
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
func (p *program) inWorkspace(ctx context.Context, d *databaseFlags, slug string, do func(db *store.DB, workspaceID int64, now func() time.Time) error) error {
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	db, err := d.open(ctx)
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
