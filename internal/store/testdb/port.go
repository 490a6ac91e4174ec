package testdb

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
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
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return port, func() { conn.Close() }, nil
		}
		conn.Close()
	}
	return 0, nil, errors.New("no port is free")
}
