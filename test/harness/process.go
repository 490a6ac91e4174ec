package harness

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"slotd/test/process"
)

// Process is a running process of the program.
type Process struct {
	*process.Process
	waitedFor bool // the test has seen the exit code
}

// Command returns the program with arguments and an environment of its own: none of the settings of the person who
// runs the tests reach it. env holds NAME=value pairs.
func Command(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(Program(t), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "GORACE=halt_on_error=1"}, env...)
	return cmd
}

// Start starts a command. It is killed when the test ends. The test fails if the program had a data race, panicked, or
// ended with an error that the test did not wait for. The log is shown if the test failed.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Process: process.Start(t, cmd)}
	t.Cleanup(func() {
		ended := false
		select {
		case <-p.Ended:
			ended = true
		default:
			p.Kill()
		}
		switch log := p.Log.String(); {
		case hasDefect(log):
			t.Errorf("slotd %s has a data race or panicked:\n%s", arguments(cmd), log)
		case ended && p.Exit > 0 && !p.waitedFor:
			t.Errorf("slotd %s ended with %d:\n%s", arguments(cmd), p.Exit, log)
		case t.Failed():
			t.Logf("slotd %s printed:\n%s", arguments(cmd), log)
		}
	})
	return p
}

func arguments(cmd *exec.Cmd) string { return strings.Join(cmd.Args[1:], " ") }

// hasDefect reports whether the program logged something that is wrong whatever a test expects. The program recovers
// from most panics, and logs them.
func hasDefect(log string) bool {
	return strings.Contains(log, "WARNING: DATA RACE") || strings.Contains(log, "panic")
}

// Wait waits for the end of the process and returns its exit code.
func (p *Process) Wait(t testing.TB) (exit int) {
	t.Helper()
	p.waitedFor = true
	return p.Process.Wait(t)
}

// run runs a command to its end.
func run(t testing.TB, cmd *exec.Cmd) *process.Process {
	t.Helper()
	p := process.Start(t, cmd)
	p.Wait(t)
	if log := p.Log.String(); hasDefect(log) {
		t.Errorf("slotd %s has a data race or panicked:\n%s", arguments(cmd), log)
	}
	return p
}

// Output runs a command to its end and returns its standard output, without the final line break.
func Output(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	p := run(t, cmd)
	if p.Exit != 0 {
		t.Fatalf("slotd %s ended with %d:\n%s", arguments(cmd), p.Exit, p.Log)
	}
	return strings.TrimSuffix(p.Out.String(), "\n")
}
