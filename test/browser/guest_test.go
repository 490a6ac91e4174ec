package browser

import (
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// guest is what a guest types into the booking form.
type guest struct{ name, email, notes string }

var grace = guest{"Grace Okafor", "grace@example.com", "About the harbor.\nIn two lines."}

// fillIn fills in the booking form of the page.
func (g guest) fillIn(t *testing.T, p *rod.Page) {
	t.Helper()
	enter(t, p.MustElement("#name"), g.name)
	enter(t, p.MustElement("#email"), g.email)
	enter(t, p.MustElement("#notes"), g.notes)
}

// awaitSwap calls do, which makes a script replace the content of the page, and waits until that has happened.
func awaitSwap(p *rod.Page, do func()) {
	p.MustEval(`() => { window.shown = document.getElementById("main") }`)
	do()
	p.MustWait(`() => document.getElementById("main") !== window.shown`)
}

// follow clicks a link or button and waits for the page that it loads.
func follow(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	awaitLoad(t, p, func() { press(t, p.MustElement(selector)) })
}

// choose clicks an element that replaces the content of the page, and waits for that.
func choose(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	awaitSwap(p, func() { press(t, p.MustElement(selector)) })
}

// pointInside returns a point inside the element, even if something else covers it.
func pointInside(t *testing.T, el *rod.Element) proto.Point {
	t.Helper()
	must(t, proto.DOMScrollIntoViewIfNeeded{ObjectID: el.Object.ObjectID}.Call(el))
	return *el.MustShape().OnePointInside()
}

// text returns the visible text of the element.
func text(p *rod.Page, selector string) string { return p.MustElement(selector).MustText() }

// wantText fails the test if the element's visible text is not want.
func wantText(t *testing.T, p *rod.Page, selector, want string) {
	t.Helper()
	if got := text(p, selector); got != want {
		t.Errorf("%s says %q, want %q", selector, got, want)
	}
}

// colorScheme is the color scheme that the system prefers.
func (o options) colorScheme() setting {
	return proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme",
		Value: o.scheme()}}}
}
