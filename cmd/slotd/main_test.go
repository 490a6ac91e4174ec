package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"slotd/internal/store/testdb"
)

var binaryDir string

func TestMain(m *testing.M) {
	flag.Parse()
	if runtime.GOMAXPROCS(0) < 6 { // these tests mostly wait for other processes
		flag.Set("test.parallel", "6")
	}
	code := m.Run()
	testdb.Stop()
	if binaryDir != "" {
		os.RemoveAll(binaryDir)
	}
	os.Exit(code)
}

// binary is the built program, as an operator runs it. It is built once.
var binary = sync.OnceValues(func() (path string, err error) {
	if binaryDir, err = os.MkdirTemp("", "slotd-binary-"); err != nil {
		return "", err
	}
	path = filepath.Join(binaryDir, "slotd")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build slotd: %w: %s", err, said)
	}
	return path, nil
})

func mustBinary(t testing.TB) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
