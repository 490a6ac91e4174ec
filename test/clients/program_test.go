package clients

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var binary string // the program under test, built once

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "slotd-clients-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "slotd")
	build := exec.Command("go", "build", "-o", binary, "slotd/cmd/slotd")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build slotd: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// program is a running slotd with the demo workspace in an empty database.
type program struct{ endpoint, token string }

// startProgram starts a program for the caller alone, so that tests do not take each other's slots.
func startProgram(t *testing.T) program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, binary, "serve", "--demo", "--listen", "127.0.0.1:0", "--data", t.TempDir(),
		"--rate-limit", "off")
	cmd.Env = environmentWithoutSlotd()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	stdout, out := io.Pipe()
	stderr, log := io.Pipe()
	cmd.Stdout, cmd.Stderr = out, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("start slotd: %v", err)
	}
	exited := make(chan error, 1)
	go func() {
		exited <- cmd.Wait()
		out.Close()
		log.Close()
	}()
	token := firstMatch(stdout, `slotd_mcp_[0-9A-Za-z]{49}`)
	url := firstMatch(stderr, `url=(http://\S+)`)
	t.Cleanup(func() {
		cancel()
		if err := <-exited; err != nil && cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("slotd ended with %v", err)
		}
	})
	return program{endpoint: await(t, url, "the URL in the log") + "/api/mcp", token: await(t, token, "the token")}
}

// environmentWithoutSlotd returns the environment without the slotd settings of the person who runs the tests.
func environmentWithoutSlotd() (env []string) {
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SLOTD_") {
			env = append(env, e)
		}
	}
	return env
}

// firstMatch sends the last group of the first line that matches the pattern. It reads to the end, so that the writer
// never blocks.
func firstMatch(r io.Reader, pattern string) <-chan string {
	found := make(chan string, 1)
	re := regexp.MustCompile(pattern)
	go func() {
		defer close(found)
		lines, sent := bufio.NewScanner(r), false
		for lines.Scan() {
			if m := re.FindStringSubmatch(lines.Text()); m != nil && !sent {
				found <- m[len(m)-1]
				sent = true
			}
		}
		io.Copy(io.Discard, r)
	}()
	return found
}

func await(t *testing.T, found <-chan string, what string) string {
	t.Helper()
	select {
	case s, ok := <-found:
		if ok {
			return s
		}
		t.Fatalf("slotd ended without printing %s", what)
	case <-time.After(20 * time.Second):
		t.Fatalf("slotd did not print %s within 20 s", what)
	}
	return ""
}
