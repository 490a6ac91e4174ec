package davtest

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"slotd/internal/store/testdb"
)

// Debian's packages belong to Debian's Python; the first one on the path may be another.
const python = "/usr/bin/python3"

// start runs a Python program until the test ends, and returns when it has printed the line that says it listens.
func start(t testing.TB, name, ready string, command ...string) {
	t.Helper()
	for _, file := range []string{python, command[0]} {
		if _, err := os.Stat(file); err != nil {
			testdb.Missing(t, name, err)
		}
	}
	said, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, command...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), "PYTHONUNBUFFERED=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		said.Close()
	})
	await(t, name, said, ready)
}

func await(t testing.TB, name string, said io.Reader, ready string) {
	t.Helper()
	var before strings.Builder
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if strings.Contains(line, ready) {
			go io.Copy(io.Discard, lines) // or the program would stop at a full pipe
			return
		}
		before.WriteString(line)
		if err != nil {
			t.Fatalf("%s ended at its start: %s", name, before.String())
		}
	}
}
