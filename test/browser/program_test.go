package browser

import (
	"regexp"
	"testing"
	"time"

	"slotd/test/harness"
)

// program is a running slotd and its data.
type program struct {
	*harness.Deployment
	*harness.Server
}

// startAt applies the workspace file to an empty database and serves it until the test ends. The server's clock shows
// now; the browser's clock does not change.
func startAt(t *testing.T, now time.Time, workspace string, flags ...string) *program {
	t.Helper()
	d := harness.OnSQLite(t)
	d.SetClock(now)
	d.Apply(t, workspace)
	return &program{d, d.Serve(t, flags...)}
}

var setupLink = regexp.MustCompile(`http://\S+(/setup/\S+)\s`)

// startEmpty serves an empty database at the address and returns the setup link that the server prints.
func startEmpty(t *testing.T, now time.Time, addr string, flags ...string) (p *program, setup string) {
	t.Helper()
	d := harness.OnSQLite(t)
	d.SetClock(now)
	p = &program{d, d.ServeAt(t, addr, flags...)}
	return p, p.URL + p.AwaitOutput(t, setupLink)[1]
}
