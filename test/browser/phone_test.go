package browser

import (
	"testing"

	"github.com/go-rod/rod"
)

// On a phone the times are below the month, where nobody would notice that a tap changed them.
func TestPhone_TheTimesOfTheDayComeIntoView(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{width: 360, height: 640, locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro")
	if above := timesAboveTheEdge(p); above >= 100 {
		t.Fatalf("%d pixels of the times are in view before the tap: nothing is tested", above)
	}
	const day = `[aria-label="Wednesday 6 November"]`
	choose(t, p, day)
	if above := timesAboveTheEdge(p); above < 100 {
		t.Errorf("the times begin %d pixels above the lower edge", above)
	}
	wantInWindow(t, p, "#day")
	wantFocus(t, p, day)
	screenshot(t, p, "phone-day-360")
}

// timesAboveTheEdge returns how many pixels above the lower edge of the window the times begin.
func timesAboveTheEdge(p *rod.Page) int {
	return p.MustEval(`() => Math.round(innerHeight - document.querySelector(".day-times").getBoundingClientRect().top)`).Int()
}
