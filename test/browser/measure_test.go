package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// layoutShift returns the page's cumulative layout shift so far. As browsers do, it leaves out shifts within half a
// second of a person's input.
func layoutShift(p *rod.Page) float64 {
	return p.MustEval(`() => new Promise(done => {
		let sum = 0
		const add = entries => entries.forEach(e => { if (!e.hadRecentInput) sum += e.value })
		const observer = new PerformanceObserver(list => add(list.getEntries()))
		observer.observe({type: "layout-shift", buffered: true})
		// What has happened is told after the next picture.
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
			add(observer.takeRecords())
			done(sum)
		})))
	})`).Num()
}

// screenshot writes the whole page to NAME.png in the directory that SLOTD_SHOTS names, if it is set.
func screenshot(t *testing.T, p *rod.Page, name string) {
	t.Helper()
	dir := os.Getenv("SLOTD_SHOTS")
	if dir == "" {
		return
	}
	image, err := p.Screenshot(false,
		&proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng, CaptureBeyondViewport: true})
	if err != nil {
		t.Fatalf("screenshot %s: %v", name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), image, 0o644); err != nil {
		t.Fatal(err)
	}
}
