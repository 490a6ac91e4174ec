package browser

import (
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"
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
	loaded := p.WaitEvent(&proto.PageLoadEventFired{})
	do()
	loaded()
	must(t, p.GetContext().Err()) // the wait also ends when the context does
}

// loadedFrame returns the page in a frame once it has loaded. Until then the frame holds an empty page, which may go
// away during a call.
func loadedFrame(t *testing.T, p *rod.Page, selector string) (frame *rod.Page) {
	t.Helper()
	element := p.MustElement(selector)
	must(t, utils.Retry(p.GetContext(), fastPoll(), func() (loaded bool, _ error) {
		frame = element.MustFrame()
		answer, err := frame.Eval(`() => location.href !== "about:blank" && document.readyState === "complete"`)
		return err == nil && answer.Value.Bool(), nil
	}))
	return frame
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
