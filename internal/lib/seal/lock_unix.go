//go:build unix

package seal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// lock locks the directory. It cannot lock the key file, which is replaced under the lock, and it does not use a lock
// file, because one created by one user could lock out another. The system releases the lock when the process ends for
// any reason.
func lock(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("lock the key file: %w", err)
	}
	if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		d.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errRotating
		}
		return nil, fmt.Errorf("lock the key file: %w", err)
	}
	return func() { d.Close() }, nil
}

func keepOwner(f *os.File, before fs.FileInfo) error {
	owner, ok := before.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
