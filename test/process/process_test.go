package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"slotd/test/await"
)

func TestStart_CollectsBothStreamsAndTheExitCode(t *testing.T) {
	p := Start(t, exec.Command("sh", "-c", "echo out; echo log >&2; exit 7"))
	if exit := p.Wait(t); exit != 7 || p.Out.String() != "out\n" || p.Log.String() != "log\n" {
		t.Errorf("exit %d, %q, %q", exit, p.Out, p.Log)
	}
}

// In the process that is to be killed, the variable names the directory for what it leaves behind.
const killedVariable = "SLOTD_TEST_KILLED"

// startAndWait is what the process does that TestStart_DiesWithTheTestProcess kills.
func startAndWait(t *testing.T, dir string) {
	p := Start(t, exec.Command("sleep", "1000"))
	for _, name := range []string{"forgotten", "removed"} {
		forget, err := AtDeath(nil, "rm", filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "forgotten" {
			forget()
		}
	}
	fmt.Fprintf(os.Stderr, "started %d\n", p.Pid)
	select {}
}

func TestStart_DiesWithTheTestProcess(t *testing.T) {
	if dir := os.Getenv(killedVariable); dir != "" {
		startAndWait(t, dir)
	}
	dir := t.TempDir()
	for _, name := range []string{"forgotten", "removed"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestStart_DiesWithTheTestProcess$")
	cmd.Env = append(os.Environ(), killedVariable+"="+dir)
	parent := Start(t, cmd)
	child, err := strconv.Atoi(parent.AwaitLog(t, regexp.MustCompile(`started (\d+)\n`))[1])
	if err != nil {
		t.Fatal(err)
	}
	parent.Kill()
	await.True(t, "the program is killed", func() bool { return !isRunning(child) })
	await.True(t, "the command runs", func() bool {
		_, err := os.Stat(filepath.Join(dir, "removed"))
		return errors.Is(err, os.ErrNotExist)
	})
	if _, err := os.Stat(filepath.Join(dir, "forgotten")); err != nil {
		t.Errorf("a command that was forgotten ran: %v", err)
	}
}

// isRunning reports whether the process runs. One that has ended may wait for init to notice.
func isRunning(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
