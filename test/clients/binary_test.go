package clients

import (
	"debug/elf"
	"fmt"
	"os"
	"strings"
	"testing"

	"slotd/internal/store/testdb"
	"slotd/test/harness"
	"slotd/test/race"
)

// The demo takes as much memory when it begins to serve as it does while it idles later on.
func TestFootprint_OfTheDemo(t *testing.T) {
	t.Parallel()
	if race.Enabled {
		t.Skip("the race detector makes the program twice as large")
	}
	info, err := os.Stat(harness.Program(t))
	if err != nil {
		t.Fatal(err)
	}
	if mb := info.Size() >> 20; mb >= 40 {
		t.Errorf("the binary has %d MB, want less than 40", mb)
	}
	s := harness.OnSQLite(t).Serve(t, "--demo")
	if kb := residentKB(t, s.Pid); kb >= 60<<10 {
		t.Errorf("the demo takes %d KB, want less than 60 MB", kb)
	} else {
		t.Logf("binary %d MB, memory %d MB", info.Size()>>20, kb>>10)
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

func TestBinary_IsStatic(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector needs C")
	}
	f, err := elf.Open(harness.Program(t))
	if err != nil {
		testdb.SkipOrFailInCI(t, "ELF", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic linker")
		}
	}
}
