package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"slotd/internal/lib/seal"
	"slotd/internal/store"
)

// Database holds the flags that say where the data is. Every command that needs the database has them.
type Database struct {
	Data     string
	database string
	keyFile  string
}

// Define adds the flags to fs.
func (d *Database) Define(fs *FlagSet) {
	fs.StringVar(&d.Data, "data", "./slotd-data", "data directory, created with mode 0700")
	fs.StringVar(&d.database, "database", "", "PostgreSQL address, postgres://… (default: SQLite in the data directory)")
	fs.StringVar(&d.keyFile, "secret-key-file", "",
		"file with the key that encrypts stored credentials (default: secret.key in the data directory)")
}

// OpenExisting is Open for commands that make no sense without data: a mistyped --data must not create an empty
// database.
func (d *Database) OpenExisting(ctx context.Context) (*store.DB, error) {
	if d.database == "" {
		path := filepath.Join(d.Data, "slotd.db")
		if _, err := os.Stat(path); err != nil {
			return nil, Errorf("there is no database in %s: set --data to its directory, or create one with slotd "+
				"serve or slotd apply", d.Data)
		}
	}
	return d.Open(ctx)
}

// StoredBaseURL returns the base URL with which serve was last started, or "" if there is none yet.
func (d *Database) StoredBaseURL(ctx context.Context) (baseURL string, err error) {
	if _, err := os.Stat(filepath.Join(d.Data, "slotd.db")); err != nil && d.database == "" {
		return "", nil
	}
	db, err := d.Open(ctx)
	if err != nil {
		return "", err
	}
	defer db.Close()
	return StoredSetting(ctx, db, BaseURLSetting)
}

// Open opens the database and creates it if it does not exist.
func (d *Database) Open(ctx context.Context) (*store.DB, error) {
	target := d.database
	if target == "" {
		target = filepath.Join(d.Data, "slotd.db")
	}
	if !store.IsPostgres(target) {
		if d.database != "" {
			return nil, Usagef("--database must be a postgres:// address; to use SQLite, set only --data")
		}
		if err := os.MkdirAll(d.Data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data directory: %w", err)
		}
		if err := ensurePrivate(target); err != nil {
			return nil, fmt.Errorf("make the database file: %w", err)
		}
	}
	return store.Open(ctx, target)
}

// ensurePrivate creates the database file, or changes the mode of existing ones, so that only their owner can read
// them: the data directory may have existed before with a wider mode. SQLite gives the -wal and -shm files the mode of
// the first.
func ensurePrivate(path string) error {
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

// Keys opens the key file and creates it at the first start.
func (d *Database) Keys() (*seal.Keys, error) {
	if d.keyFile == "" {
		if err := os.MkdirAll(d.Data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data directory: %w", err)
		}
	}
	return seal.Ensure(d.KeyPath())
}

// KeyPath returns the path of the key file.
func (d *Database) KeyPath() string {
	if d.keyFile != "" {
		return d.keyFile
	}
	return filepath.Join(d.Data, "secret.key")
}
