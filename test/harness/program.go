// Package harness runs the built program for tests, as operators and owners run it.
package harness

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"

	"slotd/internal/store/testdb"
	"slotd/test/race"
)

// programVariable names the environment variable with the path of a program that was already built, so that the
// packages of one run need not build it again. The Makefile sets it.
const programVariable = "SLOTD_TEST_PROGRAM"

var scratch string // directory of the built program; empty if it was not built here

var (
	quitsMu sync.Mutex
	quits   []func() // what Main calls at the end
)

// Main runs a package's tests and then stops and removes what they share. Call it from TestMain.
// At least parallel tests run at a time, unless a flag says otherwise: most of them wait for other processes.
func Main(m *testing.M, parallel int) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen && runtime.GOMAXPROCS(0) < parallel {
		flag.Set("test.parallel", strconv.Itoa(parallel))
	}
	code := m.Run()
	for _, quit := range quits {
		quit()
	}
	testdb.Stop()
	if scratch != "" {
		os.RemoveAll(scratch)
	}
	os.Exit(code)
}

// AtEnd makes Main call quit after the tests, for something else that they share.
func AtEnd(quit func()) {
	quitsMu.Lock()
	defer quitsMu.Unlock()
	quits = append(quits, quit)
}

// Program returns the path of the program under test.
func Program(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var program = sync.OnceValues(func() (path string, err error) {
	if path := os.Getenv(programVariable); path != "" {
		return path, checkDetector(path) // the go command runs the tests again when a file changes that they read
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	trackSources(root)
	if scratch, err = os.MkdirTemp("", "slotd-program-"); err != nil {
		return "", err
	}
	path = filepath.Join(scratch, "slotd")
	build := exec.Command("go", "build", fmt.Sprintf("-race=%v", race.Enabled), "-o", path, "./cmd/slotd")
	build.Dir = root
	if !race.Enabled { // which needs C; otherwise the program is built as it is shipped
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build slotd: %w: %s", err, out)
	}
	return path, nil
})

// checkDetector returns an error if the tests have the race detector and the program does not.
func checkDetector(path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	if race.Enabled && !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return fmt.Errorf("%s was built without -race", path)
	}
	return nil
}

// moduleRoot returns the directory of go.mod, at or above the package's directory, in which its tests run.
func moduleRoot() (dir string, err error) {
	if dir, err = os.Getwd(); err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod above the tests")
		}
		dir = parent
	}
}

// trackSources makes the go command run the tests again when the program has changed. The go command reuses a cached
// result until a file changes that a test opened, and it does not know what the program is built from.
func trackSources(root string) {
	for _, dir := range []string{"cmd", "internal"} {
		filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				_, err = os.Stat(path)
			}
			return err
		})
	}
	files, _ := filepath.Glob(filepath.Join(root, "*.go"))
	for _, file := range files {
		os.Stat(file)
	}
}
