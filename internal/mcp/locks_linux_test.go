package mcp

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"slotd/internal/store/testdb"
)

// sharedMemoryLocks counts the POSIX locks on the file beside the database through which SQLite's
// connections agree. Byte 128 of it is the lock by which a process shows that it is alive: one
// that opens the database and finds it free takes the file for a crash's and truncates it.
func sharedMemoryLocks(t *testing.T, database string) (alive int) {
	t.Helper()
	var stat syscall.Stat_t
	if err := syscall.Stat(database+"-shm", &stat); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		testdb.Missing(t, "/proc/locks", err)
	}
	inode := fmt.Sprintf(":%d ", stat.Ino)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, inode) && strings.Contains(line, fmt.Sprintf(" %d ", os.Getpid())) &&
			strings.HasSuffix(strings.TrimSpace(line), " 128 128") {
			alive++
		}
	}
	return alive
}

// TestServer_KeepsSQLitesLocks: closing any descriptor of a file gives up every POSIX lock that the
// process has on it (https://sqlite.org/howtocorrupt.html, section 2.2).
func TestServer_KeepsSQLitesLocks(t *testing.T) {
	target := testdb.SQLite(t)
	db := testdb.Open(t, target)
	if _, err := db.Read().LinkKeys(background); err != nil {
		t.Fatal(err)
	}
	if sharedMemoryLocks(t, target) == 0 {
		testdb.Missing(t, "/proc/locks", errors.New("no lock is seen here even without a server"))
	}
	w := newWorld(t, target)
	w.availability("intro", "").ok()
	if sharedMemoryLocks(t, target) == 0 {
		t.Error("the server has given up SQLite's lock on the shared memory; the next process that opens the " +
			"database truncates it under our feet")
	}
}
