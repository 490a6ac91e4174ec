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
	output, out, err := os.Pipe()
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
		output.Close()
	})
	await(t, name, output, ready)
}

func await(t testing.TB, name string, output io.Reader, ready string) {
	t.Helper()
	var log strings.Builder
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadString('\n')
		if strings.Contains(line, ready) {
			go io.Copy(io.Discard, lines) // otherwise the program would block on a full pipe
			return
		}
		log.WriteString(line)
		if err != nil {
			t.Fatalf("%s ended at its start: %s", name, log.String())
		}
	}
}
