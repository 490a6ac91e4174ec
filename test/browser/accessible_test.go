package browser

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// screenStyle is a screen width and a color scheme.
type screenStyle struct {
	width int
	dark  bool
}

func (l screenStyle) String() string {
	return fmt.Sprintf("%d-%s", l.width, options{dark: l.dark}.scheme())
}

// apply applies the width and the color scheme to an open page.
func (l screenStyle) apply(t *testing.T, p *rod.Page) {
	t.Helper()
	o := options{width: l.width, dark: l.dark}
	must(t, o.screen().Call(p))
	must(t, o.colorScheme().Call(p))
}

func TestEveryPage_IsAccessibleAndFitsTheScreen(t *testing.T) {
	t.Parallel()
	s, payments := newScene(t, office{}, grace), newPayScene(t, office{}, grace)
	for _, state := range append(s.states(), payments.states()...) {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, options{width: 1200, expects: state.expects})
			state.reach(t, p)
			for _, width := range []int{1200, 320} {
				for _, dark := range []bool{false, true} {
					l := screenStyle{width, dark}
					l.apply(t, p)
					if width == 1200 || !dark { // colors are the same on a phone
						wantAccessible(t, p, l)
					}
					wantFits(t, p, width)
					screenshot(t, p, state.name+"-"+l.String())
				}
			}
		})
	}
}

// wantAccessible runs all axe rules on a light page, and only the color rules on a dark one: nothing else differs.
func wantAccessible(t *testing.T, p *rod.Page, l screenStyle) {
	t.Helper()
	if !l.dark {
		axe(t, p)
		return
	}
	var found []violation
	must(t, p.MustEval(`() => axe.run(document, {
		runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]}, resultTypes: ["violations"], iframes: false,
	}).then(r => r.violations)`).Unmarshal(&found))
	for _, v := range found {
		t.Errorf("axe, %s: %s: %s\n%s", l, v.ID, v.Help, v.places())
	}
}

// wantFits fails the test if the page is wider than the screen. A phone would then zoom out to show all of it.
func wantFits(t *testing.T, p *rod.Page, width int) {
	t.Helper()
	got := p.MustEval(`width => {
		if (document.documentElement.scrollWidth <= width && innerWidth <= width) return ""
		const out = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > width || e.getBoundingClientRect().left < 0)
		return document.documentElement.scrollWidth + " wide: " + out.map(e => e.localName + "." + e.className).join(" ")
	}`, width).Str()
	if got != "" {
		t.Errorf("the page does not fit %d pixels: it is %s", width, got)
	}
}

func TestTooManyRequests_IsAPageToo(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file(), "--rate-limit", "on", "--rate-reads", "1")
	p := open(t, options{width: 1200, expects: []string{"429"}})
	visit(t, p, s.URL+"/acme") // loads the style sheets
	stop := keepAsking(s.URL)
	defer stop()
	for text(p, "h1") != "Too many requests" {
		visit(t, p, s.URL+"/acme")
	}
	stop()
	for _, l := range []screenStyle{{1200, false}, {1200, true}, {320, false}, {320, true}} {
		l.apply(t, p)
		wantAccessible(t, p, l)
		wantFits(t, p, l.width)
		screenshot(t, p, "too-many-requests-"+l.String())
	}
}

// keepAsking asks for a page again and again, so that the limit is reached however slow the browser is.
func keepAsking(url string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			if r, err := http.Get(url); err == nil {
				r.Body.Close()
			}
		}
	}()
	return func() { cancel(); <-ended }
}

func TestEveryAccent_IsReadable(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	for name, accent := range map[string]string{"yellow": "#ffff00", "black": "#000000", "white": "#ffffff",
		"red": "#ff0000", "grey": "#808080"} {
		s.Apply(t, office{slug: name, accent: accent}.file())
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, options{expects: []string{"422"}})
			for _, state := range []state{{name: "event", url: s.URL + "/" + name + "/intro"},
				{name: "gone", url: s.URL + "/" + name + "/intro?slot=2030-11-04T07:00:00Z"}, problems(s, name)} {
				state.reach(t, p)
				for _, l := range []screenStyle{{1200, false}, {1200, true}} {
					l.apply(t, p)
					wantAccessible(t, p, l)
					screenshot(t, p, "accent-"+name+"-"+state.name+"-"+l.String())
				}
			}
		})
	}
}

func TestDaysAndTimes_HaveFullNames(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro?date=2030-11-19")
	names := linkNames(t, p)
	if got := matching(names, `^Tuesday 19 November, \d`); len(got) != 16 || got[0] != "Tuesday 19 November, 09:00" ||
		got[11] != "Tuesday 19 November, 14:30" {
		t.Errorf("the times are called %q", got)
	}
	want := []string{"Monday 4 November", "Tuesday 5 November", "Wednesday 6 November", "Thursday 7 November",
		"Friday 8 November", "Monday 11 November"}
	if got := matching(names, `^[MTWFS][a-z]+day \d+ November$`); len(got) != 20 || !slices.Equal(got[:6], want) {
		t.Errorf("the days are called %q", got)
	}
	// there is no previous month
	if got := matching(names, `^(Previous|Next) month$`); !slices.Equal(got, []string{"Next month"}) {
		t.Errorf("the months are called %q", got)
	}
	if bare := matching(names, `^[\d:]*$`); len(bare) > 0 {
		t.Errorf("called by a number alone: %q", bare)
	}
}

// linkNames returns the accessible names of the page's links, in order.
func linkNames(t *testing.T, p *rod.Page) (names []string) {
	t.Helper()
	tree, err := proto.AccessibilityGetFullAXTree{}.Call(p)
	must(t, err)
	for _, node := range tree.Nodes {
		if !node.Ignored && node.Role != nil && node.Role.Value.Str() == "link" {
			names = append(names, node.Name.Value.Str())
		}
	}
	return names
}

func matching(names []string, pattern string) (found []string) {
	for _, name := range names {
		if regexp.MustCompile(pattern).MatchString(name) {
			found = append(found, name)
		}
	}
	return found
}
