package testdb

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// nextPort is below the ports that the system gives to connections and to whoever does not ask for a
// certain one, so that what is free now stays free until it is used, also after a server's death.
// Each test process has a hundred of its own.
var nextPort atomic.Int32

func init() { nextPort.Store(int32(10000 + os.Getpid()%200*100)) }

// FreeAddr is an address that a program under test can listen on.
func FreeAddr(t testing.TB) string {
	t.Helper()
	for range 1000 {
		addr := fmt.Sprintf("127.0.0.1:%d", nextPort.Add(1))
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}
