package davtest

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"slotd/internal/store/testdb"
	"slotd/test/process"
)

// Debian's packages belong to Debian's Python; the first one in the PATH may be another.
const python = "/usr/bin/python3"

// start runs a Python program until the test ends. It returns when the program has printed that it is ready.
func start(t testing.TB, name, ready string, command ...string) {
	t.Helper()
	for _, file := range []string{python, command[0]} {
		if _, err := os.Stat(file); err != nil {
			testdb.SkipOrFailInCI(t, name, err)
		}
	}
	cmd := exec.Command(python, command...)
	cmd.Env = append(os.Environ(), "PYTHONUNBUFFERED=1")
	process.StartService(t, cmd, regexp.MustCompile(regexp.QuoteMeta(ready)))
}
