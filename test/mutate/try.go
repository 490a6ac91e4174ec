package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// outcome is what became of a mutation.
type outcome string

const (
	killed        outcome = "killed"
	timedOut      outcome = "endless" // the tests did not end in time
	survived      outcome = "SURVIVED"
	survivedKnown outcome = "known" // survived, as equivalent.txt says
)

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// try runs the package's tests with the mutation and says which test noticed it.
func try(ctx context.Context, p *pkg, m mutation, timeout string) (result outcome, by string, err error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return "", "", err
	}
	out, err := goTest(ctx, p, "-short", "-overlay", overlay, "-timeout", timeout)
	if err == nil { // the tests that a short run leaves out may notice it
		out, err = goTest(ctx, p, "-overlay", overlay)
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err == nil:
		return survived, "", nil
	case !errors.As(err, &exit):
		return "", "", err
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		return "", "", fmt.Errorf("%s does not compile: %s", m, out)
	}
	if strings.Contains(out, "panic: test timed out") {
		return timedOut, "", nil
	}
	if tests := failedTest.FindStringSubmatch(out); tests != nil {
		return killed, "\n    by " + tests[1], nil
	}
	return killed, "\n    by a crash", nil
}

// writeOverlay writes the mutated file and the overlay that puts it in place of the real one.
func writeOverlay(dir string, m mutation) (overlay string, err error) {
	mutated := filepath.Join(dir, m.file.name)
	if err := os.WriteFile(mutated, m.apply(), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file.path: mutated}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// goTest limits the memory, because a mutated loop may never end and collect something all the while. Where the
// system knows no such limit there is none.
func goTest(ctx context.Context, p *pkg, flags ...string) (out string, err error) {
	args := []string{"-c", `ulimit -v 8000000 2>/dev/null; exec go test "$@"`, "sh", "-failfast", "-vet=off", "-count=1",
		"-run", p.tests}
	args = append(append(args, flags...), "./"+p.name)
	if p.rapid { // it would look for a smaller failure for half a minute, and keep it in the tree
		args = append(args, "-rapid.shrinktime=1ms", "-rapid.nofailfile")
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // the tests too, not just go
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// timeTests runs the short tests without a mutation, which must pass, and returns the timeout for those with one.
func timeTests(ctx context.Context, p *pkg) (timeout string, err error) {
	if out, err := goTest(ctx, p, "-run", "^$"); err != nil { // builds what all mutations share
		return "", fmt.Errorf("build the tests of %s: %w\n%s", p.name, err, out)
	}
	start := time.Now()
	if out, err := goTest(ctx, p, "-short"); err != nil {
		return "", fmt.Errorf("the tests of %s fail without a mutation: %w\n%s", p.name, err, out)
	}
	return (30*time.Second + 4*time.Since(start)).Round(time.Second).String(), nil
}
