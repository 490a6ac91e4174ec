package browser

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/internal/store/testdb"
)

// violation is an accessibility problem that axe-core found.
type violation struct {
	ID      string
	Impact  string
	Help    string
	HelpURL string
	Nodes   []struct {
		HTML           string
		FailureSummary string
	}
}

// axe fails the test if axe-core finds a violation of WCAG 2.2 A and AA or of best practice in the page's current
// state. It does not check frames: pass the frame itself for that.
func axe(t *testing.T, p *rod.Page) {
	t.Helper()
	for _, v := range violations(t, p) {
		t.Errorf("axe: %s (%s): %s\n%s%s", v.ID, v.Impact, v.Help, v.places(), v.HelpURL)
	}
}

func (v violation) places() (text string) {
	for _, n := range v.Nodes {
		text += fmt.Sprintf("  %s\n  %s\n", n.HTML, n.FailureSummary)
	}
	return text
}

func violations(t *testing.T, p *rod.Page) (found []violation) {
	t.Helper()
	source, err := axeCore()
	if err != nil {
		testdb.SkipOrFailInCI(t, "axe-core", err)
	}
	defer withJavaScript(t, p)()
	// Inject it through the debugger, which is not subject to the Content-Security-Policy.
	if !p.MustEval(`() => "axe" in window`).Bool() {
		p.MustEval("() => {" + source + "\n}")
	}
	must(t, p.MustEval(`() => axe.run(document, {
		runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
		resultTypes: ["violations"],
		iframes: false,
	}).then(r => r.violations)`).Unmarshal(&found))
	return found
}

// withJavaScript enables scripts for axe where they are off. The page's own scripts still do not run: the browser
// skipped them while loading.
func withJavaScript(t *testing.T, p *rod.Page) (restore func()) {
	t.Helper()
	var previous proto.EmulationSetScriptExecutionDisabled
	p.LoadState(&previous)
	set := func(s proto.EmulationSetScriptExecutionDisabled) {
		if err := s.Call(p); err != nil {
			t.Fatal(err)
		}
	}
	set(proto.EmulationSetScriptExecutionDisabled{Value: false})
	return func() { set(previous) }
}

var axeCore = sync.OnceValues(func() (string, error) {
	lock, err := os.ReadFile("npm/package-lock.json")
	if err != nil {
		return "", err
	}
	if installed, err := os.ReadFile("npm/node_modules/.installed-lock"); err != nil || !bytes.Equal(lock, installed) {
		return "", errors.New("it is not installed, or not as package-lock.json says")
	}
	source, err := os.ReadFile("npm/node_modules/axe-core/axe.min.js")
	return string(source), err
})
