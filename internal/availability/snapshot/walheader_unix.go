//go:build unix

package snapshot

import "syscall"

// openWALHeader maps the header of SQLite's WAL index into memory: the two copies of it that
// every commit rewrites, in the format that SQLite documents, and that its own connections
// compare to see whether anything changed. A look costs nanoseconds and no system call.
//
// The descriptor is never closed, and never an *os.File, which closes itself: closing any
// descriptor of a file drops all POSIX locks of the process on it, SQLite's among them, and the
// next process would take us for dead (sqlite.org/howtocorrupt.html, 2.2). The mapping stays
// too, for the sake of requests that outlive the shelf.
func openWALHeader(database string) (walHeader, error) {
	fd, err := syscall.Open(database+"-shm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return syscall.Mmap(fd, 0, walHeaderSize, syscall.PROT_READ, syscall.MAP_SHARED)
}
