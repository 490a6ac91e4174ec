package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"

	"slotd/test/await"
)

func TestKeyboard_BooksWithoutAMouse(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme")
	awaitLoad(t, p, func() { tabTo(t, p, `main a[href="/acme/intro"]`); pressKey(t, p, input.Enter) })

	tabTo(t, p, "#next")
	awaitSwap(p, func() { pressKey(t, p, input.Enter) })
	wantFocus(t, p, "#next") // the focus stays, so that the month after is one key away
	tabTo(t, p, `[aria-label="Monday 2 December"]`)
	pressKey(t, p, input.ArrowDown)
	wantFocus(t, p, `[aria-label="Monday 9 December"]`)
	pressKey(t, p, input.ArrowRight)
	wantFocus(t, p, `[aria-label="Tuesday 10 December"]`)
	pressKey(t, p, input.ArrowUp)
	pressKey(t, p, input.ArrowLeft)
	wantFocus(t, p, `[aria-label="Monday 2 December"]`)
	pressKey(t, p, input.ArrowRight)
	awaitSwap(p, func() { pressKey(t, p, input.Enter) })
	wantFocus(t, p, `[aria-label="Tuesday 3 December"][aria-current]`)
	tabTo(t, p, `[aria-label="Tuesday 3 December, 14:30"]`)
	awaitSwap(p, func() { pressKey(t, p, input.Enter) })

	wantFocus(t, p, "#name")
	typeKeys(t, p, grace.name)
	tabTo(t, p, "#email")
	typeKeys(t, p, grace.email)
	tabTo(t, p, "#notes")
	typeKeys(t, p, "By keys.")
	tabTo(t, p, "#book button")
	awaitLoad(t, p, func() { pressKey(t, p, input.Enter) })
	wantText(t, p, "dd strong", "Tuesday 3 December 2030, 14:30–15:00")
}

func TestKeyboard_TheZoneCanBeChanged(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{})
	visit(t, p, s.URL+"/acme/intro")
	tabTo(t, p, "summary")
	pressKey(t, p, input.Enter)
	tabTo(t, p, "#tz")
	typeKeys(t, p, "portland")
	awaitSwap(p, func() { pressKey(t, p, input.Enter) })
	wantFocus(t, p, "#change-zone")
	tabTo(t, p, `.choices a[href*="New_York"]`)
	awaitSwap(p, func() { pressKey(t, p, input.Enter) })
	wantSomeFocus(t, p)
	wantZone(t, p, "America/New_York, UTC-05:00")
}

func TestKeyboard_SkipLinkLeadsToTheContent(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{})
	visit(t, p, s.URL+"/acme/intro")
	requests := watchRequests(t, p)
	pressKey(t, p, input.Tab)
	wantFocus(t, p, ".skip")
	wantFocusVisible(t, p)
	screenshot(t, p, "skip-link")
	pressKey(t, p, input.Enter)
	wantFocus(t, p, "main")
	pressKey(t, p, input.Tab)
	wantFocus(t, p, "main #next")
	wantRoundTrips(t, requests, 0)
}

// The links in the list of problems lead to the fields, which keep what was typed.
func TestKeyboard_ProblemsLeadToTheirFields(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{expects: []string{"422"}})
	problems(s, "acme").reach(t, p)
	requests := watchRequests(t, p)
	tabTo(t, p, `#problems a[href="#name"]`)
	pressKey(t, p, input.Enter)
	wantFocus(t, p, "#name")
	wantRoundTrips(t, requests, 0)
	wantTyped(t, p, guest{"http://spam.example", grace.email, grace.notes})
}

func TestKeyboard_EscInTheFrameClosesTheDialog(t *testing.T) {
	t.Parallel()
	_, p := openEmbeddingPages(t, options{}, bookButton)
	frame := openDialog(t, p)
	p.MustElement("dialog iframe").MustFocus()
	pressKey(t, p, input.Tab)
	frame.MustWait(`() => document.activeElement !== document.body`)
	pressKey(t, p, input.Escape)
	wantClosed(p)
}

// pressKey presses one key.
func pressKey(t *testing.T, p *rod.Page, key input.Key) {
	t.Helper()
	must(t, p.Keyboard.Type(key))
}

// typeKeys types the text key by key into the focused element.
func typeKeys(t *testing.T, p *rod.Page, text string) {
	t.Helper()
	for _, r := range text {
		pressKey(t, p, input.Key(r))
	}
}

// tabTo presses Tab until the element has the focus. The focus must be visible at every step.
func tabTo(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	for range 80 {
		pressKey(t, p, input.Tab)
		wantFocusVisible(t, p)
		if p.MustEval(`selector => document.activeElement.matches(selector)`, selector).Bool() {
			return
		}
	}
	t.Fatalf("no way by Tab to %s", selector)
}

// wantFocus waits until the element has the focus.
func wantFocus(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	await.True(t, "the focus is at "+selector, func() bool {
		return p.MustEval(`selector => document.activeElement.matches(selector)`, selector).Bool()
	})
}

// wantSomeFocus fails the test if nothing has the focus, so that Tab would start at the top of the page again.
func wantSomeFocus(t *testing.T, p *rod.Page) {
	t.Helper()
	wantFocus(t, p, ":not(body)")
}

// wantFocusVisible fails the test if the focused element has no visible outline or lies outside the screen.
func wantFocusVisible(t *testing.T, p *rod.Page) {
	t.Helper()
	got := p.MustEval(`() => {
		const at = document.activeElement, r = at.getBoundingClientRect(), s = getComputedStyle(at)
		const seen = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 &&
			r.width > 0 && r.height > 0 && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth
		return seen ? "" : at.outerHTML.slice(0, 120) + " " + s.outline + " " + JSON.stringify(r)
	}`).Str()
	if got != "" {
		t.Errorf("nobody sees the focus at %s", strings.TrimSpace(got))
	}
}
