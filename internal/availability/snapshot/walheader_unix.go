//go:build unix

package snapshot

import "syscall"

// openWALHeader maps the header of SQLite's WAL index into memory. The header exists twice; every commit rewrites
// both copies. SQLite documents the format, and its own connections compare the copies to see whether anything
// changed. Reading the mapping takes nanoseconds and no system call.
//
// The descriptor is never closed, and it is not an *os.File, which would close itself: closing any descriptor of
// a file drops all POSIX locks of the process on that file, including SQLite's, and the next process would assume
// that this one is dead (sqlite.org/howtocorrupt.html, 2.2). The mapping is not removed either, because requests
// may outlive the cache.
func openWALHeader(database string) (walHeader, error) {
	fd, err := syscall.Open(database+"-shm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return syscall.Mmap(fd, 0, walHeaderSize, syscall.PROT_READ, syscall.MAP_SHARED)
}
