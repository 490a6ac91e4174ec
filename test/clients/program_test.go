package clients

import (
	"regexp"
	"testing"

	"slotd/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m, 4) }

// program is a running slotd with the demo workspace in an empty database.
type program struct{ endpoint, token string }

var demoToken = regexp.MustCompile(`slotd_mcp_[0-9A-Za-z]{49}`)

// startProgram starts a program for the caller alone, so that tests do not take each other's slots. It must end well
// when the test is over.
func startProgram(t *testing.T) program {
	t.Helper()
	s := harness.OnSQLite(t).Serve(t, "--demo")
	t.Cleanup(func() {
		s.Terminate(t)
		if exit := s.Wait(t); exit != 0 {
			t.Errorf("slotd ended with exit code %d", exit)
		}
	})
	return program{endpoint: s.URL + "/api/mcp", token: s.AwaitOutput(t, demoToken)[0]}
}
