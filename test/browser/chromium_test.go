package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/launcher"

	"slotd/internal/store/testdb"
	"slotd/test/await"
	"slotd/test/harness"
	"slotd/test/process"
)

var errNoChromium = errors.New("no chromium, chromium-browser or google-chrome on the path")

// shared is the browser of all tests.
var shared struct {
	sync.Mutex
	browser *rod.Browser // its context ends when the process does; nil before the first test that needs it
	err     error        // why it did not start
}

// chromium returns the browser that all tests share. Each test opens pages in its own profile. If Chromium has crashed
// in another test, this one gets a new one.
func chromium(t *testing.T) *rod.Browser {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.err == nil && !answers(shared.browser) {
		shared.browser, shared.err = startChromium()
	}
	if errors.Is(shared.err, errNoChromium) {
		testdb.SkipOrFailInCI(t, "Chromium", shared.err)
	}
	if shared.err != nil {
		t.Fatalf("start chromium: %v", shared.err)
	}
	return shared.browser
}

func answers(b *rod.Browser) bool {
	if b == nil {
		return false
	}
	_, err := b.Version()
	return err == nil
}

func startChromium() (*rod.Browser, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	profiles, err := os.MkdirTemp("", "slotd-chromium-")
	if err != nil {
		return nil, err
	}
	starting, cancel := context.WithTimeout(context.Background(), await.Patience)
	defer cancel()
	// As root, as in most containers, Chromium has no sandbox. Leakless would run a helper program of its own.
	l := launcher.New().Context(starting).Bin(path).HeadlessNew(true).NoSandbox(true).Leakless(false).
		UserDataDir(profiles).Env(append(os.Environ(), "TMPDIR="+profiles)...)
	address, err := l.Launch()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(profiles))
	}
	forget, err := process.AtDeath(nil, "sh", "-c", `kill -9 "$1"; rm -rf "$2"`, "sh", strconv.Itoa(l.PID()), profiles)
	if err != nil {
		return nil, err
	}
	running, ended := context.WithCancel(context.Background())
	go func() {
		defer ended()
		l.Cleanup() // waits for the end of the process
		forget()
	}()
	harness.AtEnd(func() {
		if running.Err() == nil {
			l.Kill()
			<-running.Done()
		}
	})
	client, err := cdp.StartWithURL(running, address, nil)
	if err != nil {
		return nil, err
	}
	b := rod.New().Context(running).Client(patientClient{client}).NoDefaultDevice()
	return b, b.Connect()
}

// patientClient gives up a request that Chromium does not answer.
type patientClient struct{ *cdp.Client }

func (c patientClient) Call(ctx context.Context, sessionID, method string, params any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, await.Patience)
	defer cancel()
	return c.Client.Call(ctx, sessionID, method, params)
}

func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoChromium
}
