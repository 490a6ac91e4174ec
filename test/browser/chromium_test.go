package browser

import (
	"errors"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"

	"slotd/internal/store/testdb"
)

var errNoChromium = errors.New("no chromium, chromium-browser or google-chrome on the path")

// chromium returns the browser that all tests share. Each test opens pages in its own profile.
func chromium(t *testing.T) *rod.Browser {
	t.Helper()
	b, err := startChromium()
	if errors.Is(err, errNoChromium) {
		testdb.SkipOrFailInCI(t, "Chromium", err)
	}
	if err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	return b
}

var quitChromium = func() {}

var startChromium = sync.OnceValues(func() (*rod.Browser, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	// As root, as in most containers, Chromium has no sandbox. Leakless would run a helper program of its own.
	l := launcher.New().Bin(path).HeadlessNew(true).NoSandbox(true).Leakless(false).
		Set("disable-dev-shm-usage").UserDataDir(filepath.Join(scratch, "chromium"))
	address, err := l.Launch()
	if err != nil {
		return nil, err
	}
	quitChromium = func() { l.Kill(); l.Cleanup() }
	b := rod.New().ControlURL(address).NoDefaultDevice()
	return b, b.Connect()
})

func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoChromium
}
