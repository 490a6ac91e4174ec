package load

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"slotd/internal/store/testdb"
)

func TestFootprint_OfTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("waits ten seconds")
	}
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	if mb := info.Size() >> 20; mb >= 40 {
		t.Errorf("the binary has %d MB, want less than 40", mb)
	}
	cmd := exec.Command(binary, "serve", "--demo", "--listen", "127.0.0.1:0", "--data", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	time.Sleep(10 * time.Second) // measure the idle server
	if kb := residentKB(t, cmd.Process.Pid); kb >= 60<<10 {
		t.Errorf("the idle demo takes %d KB, want less than 60 MB", kb)
	} else {
		t.Logf("binary %d MB, idle memory %d MB", info.Size()>>20, kb>>10)
	}
}

func residentKB(t *testing.T, pid int) (kb int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		testdb.SkipOrFailInCI(t, "/proc", err)
	}
	_, rest, found := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(rest, &kb); !found || err != nil {
		t.Fatalf("no VmRSS in %s", status)
	}
	return kb
}
