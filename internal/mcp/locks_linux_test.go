package mcp

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

// sharedMemoryLocks counts our POSIX locks on byte 128 of the -shm file, which SQLite's connections use to coordinate.
// A process holds this lock for as long as it uses the database. A process that opens the database and finds the byte
// unlocked assumes that the file is left from a crash, and truncates it.
func sharedMemoryLocks(t *testing.T, database string) (alive int) {
	t.Helper()
	var stat syscall.Stat_t
	if err := syscall.Stat(database+"-shm", &stat); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		testdb.SkipOrFailInCI(t, "/proc/locks", err)
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

// TestServer_KeepsSQLitesLocks checks that the server does not release SQLite's locks by accident: closing any
// descriptor of a file releases every POSIX lock that the process has on it
// (https://sqlite.org/howtocorrupt.html, section 2.2).
func TestServer_KeepsSQLitesLocks(t *testing.T) {
	target := testdb.SQLite(t)
	db := testdb.Open(t, target)
	if _, err := db.Read().LinkKeys(background); err != nil {
		t.Fatal(err)
	}
	if sharedMemoryLocks(t, target) == 0 {
		testdb.SkipOrFailInCI(t, "/proc/locks", errors.New("no lock is seen here even without a server"))
	}
	w := newWorld(worlds.New(t, target))
	w.availability("intro", "").OK()
	if sharedMemoryLocks(t, target) == 0 {
		t.Error("the server has given up SQLite's lock on the shared memory; the next process that opens the " +
			"database truncates it under our feet")
	}
}
