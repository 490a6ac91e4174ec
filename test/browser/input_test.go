package browser

import (
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/test/await"
)

// rod's own Click and Input wait for an animation frame, which never comes where JavaScript is off. press and enter
// work with and without JavaScript.

// press clicks in the middle of the element, which must not be covered.
func press(t *testing.T, el *rod.Element) {
	t.Helper()
	must(t, proto.DOMScrollIntoViewIfNeeded{ObjectID: el.Object.ObjectID}.Call(el))
	middle, err := el.Interactable()
	must(t, err)
	pressAt(t, el.Page(), *middle)
}

func pressAt(t *testing.T, p *rod.Page, at proto.Point) {
	t.Helper()
	must(t, p.Mouse.MoveTo(at))
	must(t, p.Mouse.Click(proto.InputMouseButtonLeft, 1))
}

// enter replaces the text of the field.
func enter(t *testing.T, field *rod.Element, text string) {
	t.Helper()
	must(t, proto.DOMFocus{ObjectID: field.Object.ObjectID}.Call(field))
	field.MustEval(`() => this.select()`)
	must(t, field.Page().InsertText(text))
}

// visit opens an address and waits until the page has loaded completely.
func visit(t *testing.T, p *rod.Page, url string) {
	t.Helper()
	awaitLoad(t, p, func() { p.MustNavigate(url) })
}

// awaitLoad calls do, which loads another page, and waits until that page has loaded completely.
func awaitLoad(t *testing.T, p *rod.Page, do func()) {
	t.Helper()
	before, err := proto.PageGetFrameTree{}.Call(p)
	must(t, err)
	old := before.FrameTree.Frame // a late event may be about the page that is left
	awaitEvent(t, p, "another page loads", do, func(e *proto.PageLifecycleEvent) bool {
		return e.Name == proto.PageLifecycleEventNameLoad && e.FrameID == old.ID && e.LoaderID != old.LoaderID
	})
}

// awaitEvent calls do and waits for the first event, from then on, for which wanted returns true.
func awaitEvent[E any](t *testing.T, p *rod.Page, what string, do func(), wanted func(*E) bool) {
	t.Helper()
	var found bool
	wait := p.EachEvent(func(e *E) (stop bool) { found = wanted(e); return found })
	do()
	ended := make(chan struct{})
	go func() { defer close(ended); wait() }()
	await.Signal(t, what, ended)
	if !found {
		t.Fatalf("Chromium ended before this: %s", what)
	}
}

// address returns the address that the page shows. The browser outside of the page may know it a moment later.
func address(p *rod.Page) string { return p.MustEval(`() => location.href`).Str() }

// loadedFrame returns the page in a frame once it has loaded. Until then the frame holds an empty page, which may go
// away during a call.
func loadedFrame(t *testing.T, p *rod.Page, selector string) (frame *rod.Page) {
	t.Helper()
	element := p.MustElement(selector)
	await.True(t, "the frame loads: "+selector, func() bool {
		frame = element.MustFrame()
		answer, err := frame.Eval(`() => location.href !== "about:blank" && document.readyState === "complete"`)
		return err == nil && answer.Value.Bool()
	})
	return frame
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
