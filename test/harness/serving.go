package harness

import "testing"

// AwaitServing waits until the server serves and returns the address that it listens on. It is for tests that check the
// flags of serve; others use Serve.
func (p *Process) AwaitServing(t testing.TB) (addr string) {
	t.Helper()
	return p.AwaitLog(t, serves)[1]
}
