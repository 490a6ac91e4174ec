package harness

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"slotd/test/await"
)

// Process is a running process of the program.
type Process struct {
	*os.Process
	Out, Log *Buffer       // standard output and standard error
	Ended    chan struct{} // closed when the process has ended
	Exit     int           // its exit code, once it has ended
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

// Start starts a command. It is killed when the test ends, and its log is shown if the test failed.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Out: &Buffer{}, Log: &Buffer{}, Ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.Out, p.Log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.Process = cmd.Process
	go func() {
		defer close(p.Ended)
		cmd.Wait()
		p.Exit = cmd.ProcessState.ExitCode()
	}()
	t.Cleanup(func() {
		p.Kill()
		if log := p.Log.String(); strings.Contains(log, "WARNING: DATA RACE") {
			t.Errorf("the program has a data race:\n%s", log)
		} else if t.Failed() {
			t.Logf("slotd %s printed:\n%s", strings.Join(cmd.Args[1:], " "), log)
		}
	})
	return p
}

// Kill kills the process, as kill -9 does, and waits for its end.
func (p *Process) Kill() {
	p.Process.Kill()
	<-p.Ended
}

// Terminate asks the process to stop, as an operator does.
func (p *Process) Terminate(t testing.TB) {
	t.Helper()
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// Wait waits for the end of the process and returns its exit code.
func (p *Process) Wait(t testing.TB) (exit int) {
	t.Helper()
	await.Signal(t, "the program ends", p.Ended)
	return p.Exit
}

// AwaitLog waits until the log matches the pattern and returns the match with its groups. It fails if the process
// ends before.
func (p *Process) AwaitLog(t testing.TB, pattern *regexp.Regexp) []string {
	t.Helper()
	return p.await(t, p.Log, pattern)
}

// AwaitOutput is like AwaitLog, for standard output.
func (p *Process) AwaitOutput(t testing.TB, pattern *regexp.Regexp) []string {
	t.Helper()
	return p.await(t, p.Out, pattern)
}

func (p *Process) await(t testing.TB, buffer *Buffer, pattern *regexp.Regexp) []string {
	t.Helper()
	patience := time.NewTimer(await.Patience)
	defer patience.Stop()
	for ended := false; ; {
		text, changed := buffer.next()
		if match := pattern.FindStringSubmatch(text); match != nil {
			return match
		}
		if ended {
			t.Fatalf("ended with %d and never printed %s:\n%s", p.Exit, pattern, p.Log)
		}
		select {
		case <-changed:
		case <-p.Ended:
			ended = true // what it printed last is in the buffer now
		case <-patience.C:
			t.Fatalf("not within %v: %s in\n%s", await.Patience, pattern, text)
		}
	}
}

// Output runs a command to its end and returns its standard output, without the final line break.
func Output(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("slotd %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, &log)
	}
	return strings.TrimSuffix(string(out), "\n")
}
