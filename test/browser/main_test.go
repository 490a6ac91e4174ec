package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// timeout is far longer than anything here takes.
const timeout = 3 * time.Minute

var scratch string // directory for files that all tests share; removed at the end

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if scratch, err = os.MkdirTemp("", "slotd-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	defer func() { quitChromium() }() // a closure, because startChromium replaces quitChromium
	return m.Run()
}

// slotdBinary builds the program under test, once, for the first test that needs it.
var slotdBinary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "slotd")
	if out, err := exec.Command("go", "build", "-o", path, "slotd/cmd/slotd").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build slotd: %w\n%s", err, out)
	}
	return path, nil
})
