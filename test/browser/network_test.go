package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/test/await"
)

// fetchGate holds back requests of a page, or their responses.
type fetchGate struct {
	page *rod.Page
	held chan *proto.FetchRequestPaused
}

// holdFetches holds back the fetches of scripts; page loads pass.
func holdFetches(t *testing.T, p *rod.Page) *fetchGate {
	t.Helper()
	return hold(t, p, &proto.FetchRequestPattern{ResourceType: proto.NetworkResourceTypeFetch})
}

// holdBooked holds back what the server answers to booking forms.
func holdBooked(t *testing.T, p *rod.Page) *fetchGate {
	t.Helper()
	return hold(t, p, &proto.FetchRequestPattern{ResourceType: proto.NetworkResourceTypeDocument,
		RequestStage: proto.FetchRequestStageResponse, URLPattern: "*/acme/*"})
}

func hold(t *testing.T, p *rod.Page, what *proto.FetchRequestPattern) *fetchGate {
	t.Helper()
	g := &fetchGate{page: p, held: make(chan *proto.FetchRequestPaused, 10)}
	go p.EachEvent(func(e *proto.FetchRequestPaused) { g.held <- e })()
	must(t, proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{what}}.Call(p))
	return g
}

// next waits for the next request or response that is held back.
func (g *fetchGate) next(t *testing.T) *proto.FetchRequestPaused {
	t.Helper()
	return await.Signal(t, "the page asks for something", g.held)
}

// release lets go what was held back.
func (g *fetchGate) release(t *testing.T, e *proto.FetchRequestPaused) {
	t.Helper()
	must(t, proto.FetchContinueRequest{RequestID: e.RequestID}.Call(g.page))
}

// respond responds to a request in place of the server.
func (g *fetchGate) respond(t *testing.T, e *proto.FetchRequestPaused, html string) {
	t.Helper()
	must(t, proto.FetchFulfillRequest{
		RequestID: e.RequestID, ResponseCode: 200, Body: []byte(html),
		ResponseHeaders: []*proto.FetchHeaderEntry{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
	}.Call(g.page))
}

func TestNetwork_BackAndForwardAgainBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro")
	choose(t, p, "#next")
	december := address(p)
	g := holdFetches(t, p)
	p.MustEval(`() => { history.back() }`)
	g.next(t)
	awaitAbort(t, p, func() { p.MustEval(`() => { history.forward() }`) })
	wantUsable(t, p)
	wantShown(t, p, "December 2030; Monday 2 December; times")
	if got := address(p); got != december {
		t.Errorf("the address is %s, want %s", got, december)
	}
}

func TestNetwork_TheLastOfManyStepsCounts(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro?date=2030-11-05")
	choose(t, p, `[aria-label="Wednesday 6 November"]`)
	choose(t, p, `[aria-label="Thursday 7 November"]`)
	g := holdFetches(t, p)
	p.MustEval(`() => { history.back() }`)
	last := g.next(t)
	for _, step := range []string{"back", "forward"} {
		awaitAbort(t, p, func() { p.MustEval(`step => { history[step]() }`, step) })
		last = g.next(t)
	}
	awaitSwap(p, func() { g.release(t, last) })
	wantUsable(t, p)
	wantShown(t, p, "November 2030; Wednesday 6 November; times")
	if got := address(p); !strings.Contains(got, "2030-11-06") {
		t.Errorf("the address is %s", got)
	}
}

// awaitAbort calls do, which makes a response obsolete, and waits until the page has aborted the request.
func awaitAbort(t *testing.T, p *rod.Page, do func()) {
	t.Helper()
	awaitEvent(t, p, "the page aborts a request", do, func(*proto.NetworkLoadingFailed) bool { return true })
}

// wantUsable fails the test if the page is dimmed, as it is during a request.
func wantUsable(t *testing.T, p *rod.Page) {
	t.Helper()
	if p.MustHas(".busy") {
		t.Error("the page is still dimmed")
	}
}

func TestNetwork_OfflineThePageStaysAndSaysSo(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{width: 360, height: 640, locale: "en-GB", expects: []string{"ERR_INTERNET_DISCONNECTED"}})
	visit(t, p, s.URL+"/acme/intro")
	const day = `[aria-label="Friday 29 November"]`
	setOffline(t, p, true)
	press(t, p.MustElement(day))
	p.MustElement("#trouble")
	wantText(t, p, "#trouble", "We can't reach the server. Please try again.")
	wantText(t, p, "#status", "We can't reach the server. Please try again.")
	wantUsable(t, p)
	wantShown(t, p, "November 2030; Monday 4 November; times")
	if got := address(p); got != s.URL+"/acme/intro" {
		t.Errorf("the address became %s", got)
	}

	setOffline(t, p, false)
	choose(t, p, day)
	wantShown(t, p, "November 2030; Friday 29 November; times")
	if p.MustHas("#trouble") {
		t.Error("the trouble is over and still told")
	}
}

// On a phone the times are far below the top of the page, where the message is.
func TestNetwork_OfflineIsSeenFromTheEndOfALongPage(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{width: 360, height: 640, locale: "en-GB", expects: []string{"ERR_INTERNET_DISCONNECTED"}})
	visit(t, p, s.URL+"/acme/intro")
	setOffline(t, p, true)
	const last = `[aria-label="Monday 4 November, 16:30"]`
	for range 2 {
		press(t, p.MustElement(last))
		p.MustWait(`() => document.getElementById("trouble") && !document.querySelector(".busy")`)
		wantInWindow(t, p, "#trouble")
		wantInWindow(t, p, last)
	}
	if got := len(p.MustElements("#trouble")); got != 1 {
		t.Errorf("it is told %d times", got)
	}
}

func setOffline(t *testing.T, p *rod.Page, offline bool) {
	t.Helper()
	must(t, proto.NetworkEnable{}.Call(p)) // required for the emulation
	must(t, proto.NetworkEmulateNetworkConditions{Offline: offline, DownloadThroughput: -1,
		UploadThroughput: -1}.Call(p))
}

// wantInWindow fails the test if the element is not completely inside the window.
func wantInWindow(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	if got := p.MustElement(selector).MustEval(`() => {
		const r = this.getBoundingClientRect()
		return r.top >= 0 && r.bottom <= innerHeight ? "" : r.top + " to " + r.bottom + " of " + innerHeight
	}`).Str(); got != "" {
		t.Errorf("%s is not in the window: %s", selector, got)
	}
}

// After an upgrade, the script of an open page may not match what the server sends.
func TestNetwork_APageOfAnotherVersionIsLoadedWhole(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro")
	script := *p.MustElement("script[type=module]").MustAttribute("src")
	p.MustEval(`() => { window.marker = "the old page" }`)
	g := holdFetches(t, p)
	awaitLoad(t, p, func() {
		press(t, p.MustElement("#next"))
		e := g.next(t)
		g.respond(t, e, strings.Replace(s.text(t, strings.TrimPrefix(e.Request.URL, s.URL)), script,
			"/static/pages.another.js", 1))
	})
	if p.MustEval(`() => "marker" in window`).Bool() {
		t.Error("the page was not loaded anew")
	}
	wantShown(t, p, "December 2030; Monday 2 December; times")
}

func TestNetwork_JumpsWithinThePageAskForNothing(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{expects: []string{"422"}})
	visit(t, p, s.URL+"/acme/intro?date=2030-11-05")
	wantJump(t, p, ".skip", "#main")
	problems(s, "acme").reach(t, p)
	wantJump(t, p, `#problems a[href="#name"]`, "#name")
}

// wantJump follows a link to a place on the same page and goes back, and checks that no request is made.
func wantJump(t *testing.T, p *rod.Page, link, place string) {
	t.Helper()
	p.MustEval(`() => {
		const real = fetch
		window.asked = window.jumps = 0
		window.fetch = (...all) => { asked++; return real(...all) }
		addEventListener("hashchange", () => jumps++)
	}`)
	// the skip link is only visible with the focus
	must(t, proto.DOMFocus{ObjectID: p.MustElement(link).Object.ObjectID}.Call(p))
	press(t, p.MustElement(link))
	p.MustWait(`() => window.jumps === 1`)
	wantFocus(t, p, place)
	p.MustEval(`() => { history.back() }`)
	p.MustWait(`() => window.jumps === 2`)
	if requests := p.MustEval(`() => asked`).Int(); requests != 0 {
		t.Errorf("%s made the page ask the server %d times", link, requests)
	}
	wantUsable(t, p)
}
