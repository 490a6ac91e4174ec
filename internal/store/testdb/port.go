package testdb

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"

	"slotd/test/await"
)

// nextPort counts through a range below the system's ephemeral ports, so that a port that is free now stays free until
// it is used, even while a killed server is being restarted. Each test process starts at a different offset.
var nextPort atomic.Int32

const (
	firstPort = 10000
	portCount = 20000
)

func init() { nextPort.Store(int32(os.Getpid() % 200 * 100)) }

// FreeAddr returns an address that a program under test can listen on. It is reserved until the test ends.
func FreeAddr(t testing.TB) string {
	t.Helper()
	port, release, err := reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// Listen listens on an address that was reserved. It waits until the last listener there is gone: a process that is
// being started meanwhile has a copy of it until its program runs.
func Listen(t testing.TB, addr string) (l net.Listener) {
	t.Helper()
	var err error
	defer func() {
		if err != nil {
			t.Logf("the last attempt: %v", err)
		}
	}()
	await.True(t, "nobody else listens on "+addr, func() (ok bool) {
		l, err = net.Listen("tcp", addr)
		return err == nil
	})
	return l
}

// reserve finds a free TCP port and reserves its number by listening on the UDP port of the same number, which nothing
// here uses, so that no other test process takes it.
func reserve() (port int, release func(), err error) {
	for range portCount {
		port := firstPort + int(nextPort.Add(1))%portCount
		addr := fmt.Sprintf("127.0.0.1:%d", port)
		conn, err := net.ListenPacket("udp", addr)
		if err != nil {
			continue
		}
		if isFree(addr) {
			return port, func() { conn.Close() }, nil
		}
		conn.Close()
	}
	return 0, nil, errors.New("no port is free")
}

// holdForkLock is set where net does not take the lock itself. On darwin and aix it does, to open a socket, and to take
// it twice can be a deadlock.
const holdForkLock = runtime.GOOS == "linux"

// isFree listens for a moment, if possible while no process is being started: it would have a copy of the listener, and
// whoever the port is for could not listen yet.
func isFree(addr string) bool {
	if holdForkLock {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return false
	}
	l.Close()
	return true
}
