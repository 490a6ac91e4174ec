package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
)

func TestKeyboard_BooksWithoutAMouse(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.url+"/acme")
	loads(t, p, func() { tabTo(t, p, `main a[href="/acme/intro"]`); hit(t, p, input.Enter) })

	tabTo(t, p, "#next")
	swaps(p, func() { hit(t, p, input.Enter) })
	wantFocus(t, p, "#next") // where the hand is: the next month is one key away
	tabTo(t, p, `[aria-label="Monday 2 December"]`)
	hit(t, p, input.ArrowDown)
	wantFocus(t, p, `[aria-label="Monday 9 December"]`)
	hit(t, p, input.ArrowRight)
	wantFocus(t, p, `[aria-label="Tuesday 10 December"]`)
	hit(t, p, input.ArrowUp)
	hit(t, p, input.ArrowLeft)
	wantFocus(t, p, `[aria-label="Monday 2 December"]`)
	hit(t, p, input.ArrowRight)
	swaps(p, func() { hit(t, p, input.Enter) })
	wantFocus(t, p, `[aria-label="Tuesday 3 December"][aria-current]`)
	tabTo(t, p, `[aria-label="Tuesday 3 December, 14:30"]`)
	swaps(p, func() { hit(t, p, input.Enter) })

	wantFocus(t, p, "#name")
	write(t, p, grace.name)
	tabTo(t, p, "#email")
	write(t, p, grace.email)
	tabTo(t, p, "#notes")
	write(t, p, "By keys.")
	tabTo(t, p, "#book button")
	loads(t, p, func() { hit(t, p, input.Enter) })
	wantText(t, p, "dd strong", "Tuesday 3 December 2030, 14:30–15:00")
}

func TestKeyboard_TheZoneCanBeChanged(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{})
	visit(t, p, s.url+"/acme/intro")
	tabTo(t, p, "summary")
	hit(t, p, input.Enter)
	tabTo(t, p, "#tz")
	write(t, p, "portland")
	swaps(p, func() { hit(t, p, input.Enter) })
	wantFocus(t, p, "#change-zone")
	tabTo(t, p, `.choices a[href*="New_York"]`)
	swaps(p, func() { hit(t, p, input.Enter) })
	wantSomeFocus(t, p)
	wantZone(t, p, "America/New_York, UTC-05:00")
}

func TestKeyboard_SkipLinkLeadsToTheContent(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{})
	visit(t, p, s.url+"/acme/intro")
	requests := watch(t, p)
	hit(t, p, input.Tab)
	wantFocus(t, p, ".skip")
	wantFocusSeen(t, p)
	screenshot(t, p, "skip-link")
	hit(t, p, input.Enter)
	wantFocus(t, p, "main")
	hit(t, p, input.Tab)
	wantFocus(t, p, "main #next")
	wantRoundTrips(t, requests, 0)
}

// The list of problems leads to the fields, which keep what was typed.
func TestKeyboard_ProblemsLeadToTheirFields(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{expects: []string{"422"}})
	problems(s, "acme").reach(t, p)
	requests := watch(t, p)
	tabTo(t, p, `#problems a[href="#name"]`)
	hit(t, p, input.Enter)
	wantFocus(t, p, "#name")
	p.MustEval(`() => fetch("/robots.txt")`) // is answered after whatever a script asked for before
	wantRoundTrips(t, requests, 1)
	wantTyped(t, p, guest{"http://spam.example", grace.email, grace.notes})
}

func TestKeyboard_EscInTheFrameClosesTheDialog(t *testing.T) {
	t.Parallel()
	_, p := embeddingPages(t, options{}, bookButton)
	frame := openDialog(t, p)
	p.MustElement("dialog iframe").MustFocus()
	hit(t, p, input.Tab)
	frame.MustWait(`() => document.activeElement !== document.body`)
	hit(t, p, input.Escape)
	wantClosed(p)
}

// hit presses one key.
func hit(t *testing.T, p *rod.Page, key input.Key) {
	t.Helper()
	must(t, p.Keyboard.Type(key))
}

// write types with one key after the other into what has the focus.
func write(t *testing.T, p *rod.Page, text string) {
	t.Helper()
	for _, r := range text {
		hit(t, p, input.Key(r))
	}
}

// tabTo goes on from one control to the next. The focus must be seen at each.
func tabTo(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	for range 80 {
		hit(t, p, input.Tab)
		wantFocusSeen(t, p)
		if p.MustEval(`selector => document.activeElement.matches(selector)`, selector).Bool() {
			return
		}
	}
	t.Fatalf("no way by Tab to %s", selector)
}

func wantFocus(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	if got := p.MustEval(`selector => document.activeElement.matches(selector) ? "" : document.activeElement.outerHTML.slice(0, 120)`, selector).Str(); got != "" {
		t.Fatalf("the focus is at %s, want %s", got, selector)
	}
}

// wantSomeFocus fails the test if the keyboard would start at the top of the page again.
func wantSomeFocus(t *testing.T, p *rod.Page) {
	t.Helper()
	wantFocus(t, p, ":not(body)")
}

// wantFocusSeen fails the test if what has the focus does not show it, or lies outside the screen.
func wantFocusSeen(t *testing.T, p *rod.Page) {
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
