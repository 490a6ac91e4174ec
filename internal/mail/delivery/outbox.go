package delivery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd/internal/lib/say"
	"slotd/internal/mail"
)

// Outbox writes each mail as a file, for development without a mail server. Several processes may share the
// directory.
type Outbox struct{ dir string }

// NewOutbox makes the directory, if necessary, and removes half-written files that a crash left behind.
func NewOutbox(dir string) (*Outbox, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the outbox: %w", err)
	}
	if err := syncDir(filepath.Dir(dir)); err != nil {
		return nil, fmt.Errorf("make the outbox: %w", err)
	}
	o := &Outbox{dir}
	if err := o.removeLeftovers(); err != nil {
		return nil, fmt.Errorf("clear the outbox: %w", err)
	}
	return o, nil
}

// OutboxAt returns an outbox for a directory that may not exist. It creates nothing.
func OutboxAt(dir string) *Outbox { return &Outbox{dir} }

// fileName matches the ids that are safe as file names. An id must not leave the directory, nor make a hidden file.
var fileName = regexp.MustCompile(`^[a-z0-9-][a-z0-9.-]{0,199}$`)

// Send writes DIR/ID.eml. Sending the same mail again replaces its file.
func (o *Outbox) Send(ctx context.Context, m mail.Message) (receipt string, err error) {
	if !fileName.MatchString(m.ID) {
		return "", &Refused{Reason: say.T("the email's ID can't be used as a file name")}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if err := o.write(m.ID+".eml", m.Data); err != nil {
		return "", fmt.Errorf("write to the outbox: %w", err)
	}
	return say.T("written to outbox/%s.eml", m.ID), nil
}

// RemoveBookings removes the mails about bookings, whose file names start with the booking's id and a dot. If a file
// cannot be removed, it continues with the others.
func (o *Outbox) RemoveBookings(bookings []uuid.UUID) error {
	files, err := os.ReadDir(o.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("look into the outbox: %w", err)
	}
	wanted := map[string]bool{}
	for _, id := range bookings {
		wanted[id.String()] = true
	}
	failed := 0
	for _, file := range files {
		if id, _, named := strings.Cut(file.Name(), "."); !named || !wanted[id] {
			continue
		}
		if removeErr := os.Remove(filepath.Join(o.dir, file.Name())); removeErr != nil &&
			!errors.Is(removeErr, fs.ErrNotExist) {
			err, failed = removeErr, failed+1
		}
	}
	if err != nil {
		return fmt.Errorf("files are left in the outbox, %d of them: %w", failed, err)
	}
	return syncDir(o.dir)
}

// Close does nothing: every mail is on disk when its Send returns.
func (o *Outbox) Close() error { return nil }

const tempPrefix = ".writing-" // the dot hides it from programs that look for mails

// write gives the file its name only when it is complete and on disk.
func (o *Outbox) write(name string, data []byte) error {
	f, err := os.CreateTemp(o.dir, tempPrefix+"*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(o.dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return syncDir(o.dir)
}

// syncDir makes new names in a directory survive a power failure.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// leftoverAge is far longer than writing a mail takes: a younger file may belong to another process.
const leftoverAge = time.Hour

// removeLeftovers compares ages by the clock of the file system, which it reads from a new file.
func (o *Outbox) removeLeftovers() error {
	f, err := os.CreateTemp(o.dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	probe, err := f.Stat()
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return err
	}
	files, err := os.ReadDir(o.dir)
	for _, file := range files {
		if strings.HasPrefix(file.Name(), tempPrefix) {
			err = errors.Join(err, removeIfBefore(filepath.Join(o.dir, file.Name()), probe.ModTime().Add(-leftoverAge)))
		}
	}
	return err
}

func removeIfBefore(name string, limit time.Time) error {
	info, err := os.Lstat(name)
	if err == nil && info.ModTime().Before(limit) {
		err = os.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) { // another process was faster
		return nil
	}
	return err
}
