package browser

import (
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// guest is who books.
type guest struct{ name, email, notes string }

var grace = guest{"Grace Okafor", "grace@example.com", "About the harbor.\nIn two lines."}

// fillIn types into the form of the page.
func (g guest) fillIn(t *testing.T, p *rod.Page) {
	t.Helper()
	enter(t, p.MustElement("#name"), g.name)
	enter(t, p.MustElement("#email"), g.email)
	enter(t, p.MustElement("#notes"), g.notes)
}

// swaps does what changes the page in its place, and waits until that has happened.
func swaps(p *rod.Page, do func()) {
	p.MustEval(`() => { window.shown = document.getElementById("main") }`)
	do()
	p.MustWait(`() => document.getElementById("main") !== window.shown`)
}

// follow presses a link or button that leads to another page.
func follow(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	loads(t, p, func() { press(t, p.MustElement(selector)) })
}

// choose presses what changes the page in its place.
func choose(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	swaps(p, func() { press(t, p.MustElement(selector)) })
}

// middle is where a hand would press the element, whatever lies on top there.
func middle(t *testing.T, el *rod.Element) proto.Point {
	t.Helper()
	must(t, proto.DOMScrollIntoViewIfNeeded{ObjectID: el.Object.ObjectID}.Call(el))
	return *el.MustShape().OnePointInside()
}

// text is what can be read at the selector.
func text(p *rod.Page, selector string) string { return p.MustElement(selector).MustText() }

// wantText fails the test if something else can be read there.
func wantText(t *testing.T, p *rod.Page, selector, want string) {
	t.Helper()
	if got := text(p, selector); got != want {
		t.Errorf("%s says %q, want %q", selector, got, want)
	}
}

// colours are those of the system.
func (o options) colours() setting {
	return proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme",
		Value: o.scheme()}}}
}
