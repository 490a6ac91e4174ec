package testdb

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// nextPort is below the ports that the system gives to connections and to whoever does not ask for a
// certain one, so that what is free now stays free until it is used, also after a server's death.
// Test processes begin at different places.
var nextPort atomic.Int32

const (
	firstPort = 10000
	ports     = 20000
)

func init() { nextPort.Store(int32(os.Getpid() % 200 * 100)) }

// FreeAddr is an address that a program under test can listen on. It is this test's own until the end.
func FreeAddr(t testing.TB) string {
	t.Helper()
	port, release, err := reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// reserve finds a port that nobody listens on, and holds its number among UDP's, which nobody here uses,
// so that no other test process takes the same.
func reserve() (port int, release func(), err error) {
	for range ports {
		port := firstPort + int(nextPort.Add(1))%ports
		addr := fmt.Sprintf("127.0.0.1:%d", port)
		held, err := net.ListenPacket("udp", addr)
		if err != nil {
			continue
		}
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return port, func() { held.Close() }, nil
		}
		held.Close()
	}
	return 0, nil, errors.New("no port is free")
}
