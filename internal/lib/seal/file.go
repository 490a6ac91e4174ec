package seal

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	maxKeys     = 100 // a rotation leaves two; each interrupted one adds one
	maxFileSize = 8 << 10
)

// readFile returns the keys in the file, and the info of the file that they were read from.
func readFile(path string) ([]key, fs.FileInfo, error) {
	// Without O_NONBLOCK, a named pipe would block the server forever.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("read the key file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("read the key file: %w", err)
	}
	if err := check(path, info); err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize))
	if err != nil {
		return nil, nil, fmt.Errorf("read the key file: %w", err)
	}
	all, err := parse(path, string(text))
	return all, info, err
}

func check(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return fmt.Errorf("the key file %s is not a file: --secret-key-file names one", path)
	case mode.Perm()&0o077 != 0:
		return fmt.Errorf("the key file %s can be read or changed by others (mode %04o): run chmod 600 on it, and "+
			"slotd key rotate "+
			"if somebody may have read it", path, mode.Perm())
	case info.Size() > maxFileSize:
		return fmt.Errorf("the key file %s is larger than %d KiB, so it is something else: --secret-key-file names "+
			"the right one", path, maxFileSize>>10)
	}
	return nil
}

// parse parses the keys. Its errors never show an invalid line, because that may be most of a key.
func parse(path, text string) (all []key, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		secret, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(secret) != keySize {
			return nil, fmt.Errorf("line %d of the key file %s is no key (32 bytes in base64): put back a copy of "+
				"the file", number, path)
		}
		all = append(all, newKey([keySize]byte(secret)))
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("the key file %s is empty: put back a copy of it; if there is none, remove it, and "+
			"enter the stored "+
			"credentials again", path)
	case len(all) > maxKeys:
		return nil, fmt.Errorf("the key file %s holds more than %d keys: leave the first ones in it", path, maxKeys)
	}
	return all, nil
}

func format(all []key) string {
	var text strings.Builder
	for _, k := range all {
		text.WriteString(base64.StdEncoding.EncodeToString(k.secret[:]) + "\n")
	}
	return text.String()
}

// create writes a complete temporary file and then links it to path: a crash leaves no empty key file, and if two
// servers start at once, one of them wins.
func create(path string) error {
	tempPath := path + "." + rand.Text()
	defer os.Remove(tempPath)
	if err := write(tempPath, []key{generateKey()}, nil); err != nil {
		return err
	}
	if err := os.Link(tempPath, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(path)
}

// replace replaces the key file, whose current info is given. The caller must hold the lock.
func replace(path string, all []key, info fs.FileInfo) error {
	tempPath := path + ".new"
	if err := os.Remove(tempPath); err != nil && !errors.Is(err, fs.ErrNotExist) { // left by a crash
		return err
	}
	if err := write(tempPath, all, info); err != nil {
		return err
	}
	if err := os.Rename(tempPath, path); err != nil {
		return err
	}
	return syncDir(path)
}

// write creates a file and syncs it to disk. The new file gets the owner of the previous one, if there is one: an
// operator who rotates as root must not lock out the server.
func write(path string, all []key, before fs.FileInfo) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if before != nil {
		err = keepOwner(f, before)
	}
	if err == nil {
		_, err = f.WriteString(format(all))
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// syncDir makes sure that the file's name survives a power failure.
func syncDir(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
