package browser

import (
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"
)

// rod's own Click and Input wait for an animation frame, which never comes where JavaScript is off.
// press and enter work on both kinds of page.

// press clicks in the middle of the element, which nothing may cover.
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

// enter types into the field, instead of what it holds.
func enter(t *testing.T, field *rod.Element, text string) {
	t.Helper()
	must(t, proto.DOMFocus{ObjectID: field.Object.ObjectID}.Call(field))
	field.MustEval(`() => this.select()`)
	must(t, field.Page().InsertText(text))
}

// visit opens an address and waits until all of it has loaded.
func visit(t *testing.T, p *rod.Page, url string) {
	t.Helper()
	loads(t, p, func() { p.MustNavigate(url) })
}

// loads does what leads to another page, and waits until all of that has loaded.
func loads(t *testing.T, p *rod.Page, do func()) {
	t.Helper()
	loaded := p.WaitEvent(&proto.PageLoadEventFired{})
	do()
	loaded()
	must(t, p.GetContext().Err()) // the wait also ends when patience does
}

// framed gives the page in a frame, once it has loaded. Before, the frame holds an empty page that goes
// away while it is asked.
func framed(t *testing.T, p *rod.Page, selector string) (frame *rod.Page) {
	t.Helper()
	element := p.MustElement(selector)
	must(t, utils.Retry(p.GetContext(), impatient(), func() (there bool, _ error) {
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
