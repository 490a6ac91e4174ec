package browser

import (
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

const bookButton = `<canvas height=3000></canvas><form action=/sent><button data-slotd="/acme/intro">Book</button></form>`

// openDialog clicks the button and returns the dialog's frame.
func openDialog(t *testing.T, p *rod.Page) *rod.Page {
	t.Helper()
	press(t, p.MustElement("[data-slotd]"))
	return loadedFrame(t, p, "dialog[open] iframe")
}

// wantClosed waits until the dialog is closed, the focus is back on the button and the site can scroll again.
func wantClosed(p *rod.Page) {
	p.MustWait(`() => !document.querySelector("dialog[open]") && document.activeElement.matches("[data-slotd]") &&
		document.documentElement.style.cssText === ""`)
}

func TestDialog_CanBeClosedInEveryWay(t *testing.T) {
	t.Parallel()
	ways := map[string]func(t *testing.T, p, frame *rod.Page){
		"button": func(t *testing.T, p,
			_ *rod.Page) {
			press(t, p.MustElement(`dialog button[aria-label="Close"]`))
		},
		"backdrop":        func(t *testing.T, p, _ *rod.Page) { pressAt(t, p, proto.NewPoint(5, 5)) },
		"esc":             func(t *testing.T, p, _ *rod.Page) { p.Keyboard.MustType(input.Escape) },
		"message":         func(t *testing.T, _, frame *rod.Page) { postMessage(frame, `{"slotd": "close"}`) },
		"button, by keys": func(t *testing.T, p, _ *rod.Page) { p.Keyboard.MustType(input.Enter) },
	}
	for name, closeDialog := range ways {
		t.Run(name, func(t *testing.T) {
			p, _ := openEmbedding(t, options{}, bookButton)
			closeDialog(t, p, openDialog(t, p))
			wantClosed(p)
			closeDialog(t, p, openDialog(t, p)) // and again
			wantClosed(p)
		})
	}
}

func TestDialog_LoadsItsFrameOnce(t *testing.T) {
	t.Parallel()
	p, book := openEmbedding(t, options{}, bookButton)
	if p.MustHas("iframe") {
		t.Error("the frame was loaded before it was wanted")
	}
	frame := openDialog(t, p)
	if got := frame.MustEval(`() => location.href`).Str(); got != book+"/embed/acme/intro?tz=UTC" {
		t.Errorf("framed %s", got)
	}
	enter(t, frame.MustElement("input"), "typed")
	press(t, p.MustElement("dialog button"))
	wantClosed(p)
	if got := openDialog(t, p).MustElement("input").MustProperty("value").Str(); got != "typed" {
		t.Errorf("the second opening forgot what was typed: %q", got)
	}
}

func TestDialog_TheButtonReportsTheBooking(t *testing.T) {
	t.Parallel()
	p, _ := openEmbedding(t, options{}, bookButton)
	p.MustEval(`() => { window.booked = []; document.addEventListener("slotd:booked", e => booked.push(e.target.localName)) }`)
	frame := openDialog(t, p)
	postMessage(frame, `{"slotd": "height", "height": 5000}`)
	postMessage(frame, `{"slotd": "booked"}`)
	p.MustWait(`() => booked.join() === "button"`)
	if height := p.MustEval(`() => document.querySelector("iframe").offsetHeight`).Int(); height > 800 {
		t.Errorf("the frame is %d high: its end cannot be reached", height)
	}
}

func TestDialog_ThePageBehindDoesNotScrollOrJump(t *testing.T) {
	t.Parallel()
	p, _ := openEmbedding(t, options{}, bookButton)
	width := p.MustEval(`() => document.querySelector("h1").offsetWidth`).Int()
	p.MustEval(`() => { window.wheels = 0; addEventListener("wheel", () => wheels++, {passive: true}) }`)
	openDialog(t, p)
	if got := p.MustEval(`() => document.querySelector("h1").offsetWidth`).Int(); got != width {
		t.Errorf("the page behind was %d wide and is %d", width, got)
	}
	before := p.MustEval(`() => scrollY`).Int()
	if before < 500 {
		t.Fatalf("at %d: nothing is tested", before)
	}
	must(t, p.Mouse.MoveTo(proto.NewPoint(5, 5)))
	must(t, p.Mouse.Scroll(0, -500, 1))
	p.MustWait(`() => wheels === 1`)
	press(t, p.MustElement("dialog button"))
	wantClosed(p)
	must(t, p.Mouse.MoveTo(proto.NewPoint(5, 5)))
	must(t, p.Mouse.Scroll(0, -300, 1))
	p.MustWait(`() => wheels === 2`)
	p.MustWait(`want => scrollY === want`, before-300) // from where it was: the first turn of the wheel did nothing
}

func TestDialog_IsAccessible(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]options{"light": {}, "dark": {dark: true}} {
		t.Run(name, func(t *testing.T) {
			p, _ := openEmbedding(t, o, `<button data-slotd="/acme/intro" data-slotd-title="Intro with Ada">Book</button>`)
			frame := openDialog(t, p)
			axe(t, p)
			if got := frame.MustEval(`() => matchMedia("(prefers-color-scheme: dark)").matches`).Bool(); got != o.dark {
				t.Errorf("the page in the frame is dark: %v; the bar above it: %v", got, o.dark)
			}
			if got := *p.MustElement("dialog").MustAttribute("aria-label"); got != "Intro with Ada" {
				t.Errorf("the dialog is called %q", got)
			}
			screenshot(t, p, "embed-dialog-"+name)
		})
	}
}

func TestDialog_FillsAPhone(t *testing.T) {
	t.Parallel()
	p, _ := openEmbedding(t, options{width: 320, height: 640},
		`<meta name=viewport content="width=device-width"><button data-slotd="/acme/intro">Book</button>`)
	openDialog(t, p)
	if got := p.MustEval(`() => { const r = document.querySelector("dialog").getBoundingClientRect(); return [r.x, r.y, r.width, r.height].join() }`).Str(); got != "0,0,320,640" {
		t.Errorf("the dialog is at %s", got)
	}
	screenshot(t, p, "embed-dialog-phone")
}

func TestDialog_ALinkWithAKeyHeldStaysALink(t *testing.T) {
	t.Parallel()
	p, book := openEmbedding(t, options{}, `<a data-slotd="/acme/intro" href="/plain">Book</a>`)
	p.MustEval(`() => addEventListener("click", e => { window.prevented = e.defaultPrevented; e.preventDefault() })`)
	must(t, p.Keyboard.Press(input.ControlLeft))
	press(t, p.MustElement("a"))
	must(t, p.Keyboard.Release(input.ControlLeft))
	if p.MustEval(`() => prevented`).Bool() || p.MustHas("dialog") {
		t.Error("the browser could not open a new tab")
	}
	frame := openDialog(t, p)
	if got := frame.MustEval(`() => location.href`).Str(); got != book+"/embed/acme/intro?tz=UTC" ||
		!p.MustEval(`() => prevented`).Bool() {
		t.Errorf("framed %s, or the link was followed", got)
	}
}
