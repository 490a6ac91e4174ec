//go:build unix

package snapshot

import (
	"os"
	"syscall"
)

// openWALHeader maps the header of SQLite's WAL index into memory: the two copies of it that
// every commit rewrites, in the format that SQLite documents, and that its own connections
// compare to see whether anything changed. A look costs nanoseconds and no system call.
func openWALHeader(database string) (walHeader, error) {
	f, err := os.Open(database + "-shm")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return syscall.Mmap(int(f.Fd()), 0, walHeaderSize, syscall.PROT_READ, syscall.MAP_SHARED)
}

func (h walHeader) close() {
	if h != nil {
		syscall.Munmap(h)
	}
}
