// Package process runs programs for tests, and ends them with the test.
package process

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"slotd/test/await"
)

// Process is a running program.
type Process struct {
	*os.Process
	Out, Log *Buffer       // standard output and standard error
	Ended    chan struct{} // closed when the process has ended
	Exit     int           // its exit code, once it has ended; -1 if a signal ended it
}

// Start starts a command and collects what it prints. The process is killed when the test ends, or when the test
// process dies.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	return start(t, cmd, &Buffer{}, &Buffer{})
}

// StartService starts another project's server and waits until it prints that it is ready. What it prints is shown if
// the test failed.
func StartService(t testing.TB, cmd *exec.Cmd, ready *regexp.Regexp) {
	t.Helper()
	printed := &Buffer{}
	p := start(t, cmd, printed, printed)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s printed:\n%s", cmd, printed)
		}
	})
	p.AwaitLog(t, ready)
}

func start(t testing.TB, cmd *exec.Cmd, out, log *Buffer) *Process {
	t.Helper()
	p := &Process{Out: out, Log: log, Ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.Out, p.Log
	cmd.WaitDelay = await.Patience // for a process of its own that keeps the output open
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.Process = cmd.Process
	forget, err := AtDeath(nil, "kill", "-9", strconv.Itoa(p.Pid))
	if err != nil {
		p.Process.Kill()
		t.Fatal(err)
	}
	go func() {
		defer close(p.Ended)
		cmd.Wait()
		p.Exit = cmd.ProcessState.ExitCode()
		forget()
	}()
	t.Cleanup(p.Kill)
	return p
}

// AtDeath runs a command once this process has died, however it died, unless forget is called before.
func AtDeath(attr *syscall.SysProcAttr, command ...string) (forget func(), err error) {
	watch := exec.Command("sh", append([]string{"-c", `read -r line || "$@"`, "sh"}, command...)...)
	watch.Dir = "/" // which every user may read
	watch.SysProcAttr = &syscall.SysProcAttr{}
	if attr != nil {
		*watch.SysProcAttr = *attr
	}
	watch.SysProcAttr.Setpgid = true // so that a Ctrl-C does not reach it
	alive, err := watch.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := watch.Start(); err != nil {
		return nil, err
	}
	return func() {
		alive.Write([]byte("\n"))
		alive.Close()
		watch.Wait()
	}, nil
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
