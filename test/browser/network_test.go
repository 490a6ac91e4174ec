package browser

import (
	"context"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// gate stands between a page and the network: what the page fetches waits there.
type gate struct {
	page *rod.Page
	held chan *proto.FetchRequestPaused
}

// holdFetches closes the gate, for what scripts ask for; whole pages pass.
func holdFetches(t *testing.T, p *rod.Page) *gate {
	t.Helper()
	g := &gate{page: p, held: make(chan *proto.FetchRequestPaused, 10)}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	go p.Context(ctx).EachEvent(func(e *proto.FetchRequestPaused) { g.held <- e })()
	must(t, proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{ResourceType: proto.NetworkResourceTypeFetch}}}.Call(p))
	return g
}

// next waits until the page has asked for something.
func (g *gate) next(t *testing.T) *proto.FetchRequestPaused {
	t.Helper()
	select {
	case e := <-g.held:
		return e
	case <-g.page.GetContext().Done():
		t.Fatal("the page asks for nothing")
		return nil
	}
}

// letThrough sends on what waited.
func (g *gate) letThrough(t *testing.T, e *proto.FetchRequestPaused) {
	t.Helper()
	must(t, proto.FetchContinueRequest{RequestID: e.RequestID}.Call(g.page))
}

// answer gives the page what the server never said.
func (g *gate) answer(t *testing.T, e *proto.FetchRequestPaused, html string) {
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
	visit(t, p, s.url+"/acme/intro")
	choose(t, p, "#next")
	december := p.MustInfo().URL
	g := holdFetches(t, p)
	p.MustEval(`() => { history.back() }`)
	g.next(t)
	abandons(t, p, func() { p.MustEval(`() => { history.forward() }`) })
	wantUsable(t, p)
	wantShown(t, p, "December 2030; Monday 2 December; times")
	if got := p.MustInfo().URL; got != december {
		t.Errorf("the address is %s, want %s", got, december)
	}
}

func TestNetwork_TheLastOfManyStepsCounts(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.url+"/acme/intro?date=2030-11-05")
	choose(t, p, `[aria-label="Wednesday 6 November"]`)
	choose(t, p, `[aria-label="Thursday 7 November"]`)
	g := holdFetches(t, p)
	p.MustEval(`() => { history.back() }`)
	last := g.next(t)
	for _, step := range []string{"back", "forward"} {
		abandons(t, p, func() { p.MustEval(`step => { history[step]() }`, step) })
		last = g.next(t)
	}
	swaps(p, func() { g.letThrough(t, last) })
	wantUsable(t, p)
	wantShown(t, p, "November 2030; Wednesday 6 November; times")
	if got := p.MustInfo().URL; !strings.Contains(got, "2030-11-06") {
		t.Errorf("the address is %s", got)
	}
}

// abandons does what makes an answer unwanted, and waits until the page has told the network so.
func abandons(t *testing.T, p *rod.Page, do func()) {
	t.Helper()
	failed := p.WaitEvent(&proto.NetworkLoadingFailed{})
	do()
	failed()
	must(t, p.GetContext().Err()) // the wait also ends when patience does
}

// wantUsable fails the test if the page is dimmed, as it is while something is under way.
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
	visit(t, p, s.url+"/acme/intro")
	const day = `[aria-label="Friday 29 November"]`
	setOffline(t, p, true)
	press(t, p.MustElement(day))
	p.MustElement("#trouble")
	wantText(t, p, "#trouble", "The server cannot be reached. Please try again.")
	wantText(t, p, "#status", "The server cannot be reached. Please try again.")
	wantUsable(t, p)
	wantShown(t, p, "November 2030; Monday 4 November; times")
	if got := p.MustInfo().URL; got != s.url+"/acme/intro" {
		t.Errorf("the address became %s", got)
	}

	setOffline(t, p, false)
	choose(t, p, day)
	wantShown(t, p, "November 2030; Friday 29 November; times")
	if p.MustHas("#trouble") {
		t.Error("the trouble is over and still told")
	}
}

// The times of a phone's page lie far below its top, where the trouble is told.
func TestNetwork_OfflineIsSeenFromTheEndOfALongPage(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{width: 360, height: 640, locale: "en-GB", expects: []string{"ERR_INTERNET_DISCONNECTED"}})
	visit(t, p, s.url+"/acme/intro")
	setOffline(t, p, true)
	const last = `[aria-label="Monday 4 November, 16:30"]`
	for range 2 {
		press(t, p.MustElement(last))
		p.MustWait(`() => document.getElementById("trouble") && !document.querySelector(".busy")`)
		wantSeen(t, p, "#trouble")
		wantSeen(t, p, last)
	}
	if got := len(p.MustElements("#trouble")); got != 1 {
		t.Errorf("it is told %d times", got)
	}
}

func setOffline(t *testing.T, p *rod.Page, offline bool) {
	t.Helper()
	must(t, proto.NetworkEnable{}.Call(p)) // without it nothing is emulated
	must(t, proto.NetworkEmulateNetworkConditions{Offline: offline, DownloadThroughput: -1,
		UploadThroughput: -1}.Call(p))
}

// wantSeen fails the test if the element lies outside of the window.
func wantSeen(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	if got := p.MustElement(selector).MustEval(`() => {
		const r = this.getBoundingClientRect()
		return r.top >= 0 && r.bottom <= innerHeight ? "" : r.top + " to " + r.bottom + " of " + innerHeight
	}`).Str(); got != "" {
		t.Errorf("%s is not in the window: %s", selector, got)
	}
}

// After an upgrade the script in the page may not fit what the server sends.
func TestNetwork_APageOfAnotherVersionIsLoadedWhole(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.url+"/acme/intro")
	script := *p.MustElement("script[type=module]").MustAttribute("src")
	p.MustEval(`() => { window.marker = "the old page" }`)
	g := holdFetches(t, p)
	loads(t, p, func() {
		press(t, p.MustElement("#next"))
		e := g.next(t)
		g.answer(t, e, strings.Replace(s.text(t, strings.TrimPrefix(e.Request.URL, s.url)), script,
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
	visit(t, p, s.url+"/acme/intro?date=2030-11-05")
	wantJump(t, p, ".skip", "#main")
	problems(s, "acme").reach(t, p)
	wantJump(t, p, `#problems a[href="#name"]`, "#name")
}

// wantJump follows a link to a place on the page, and goes back again.
func wantJump(t *testing.T, p *rod.Page, link, place string) {
	t.Helper()
	p.MustEval(`() => {
		const real = fetch
		window.asked = window.jumps = 0
		window.fetch = (...all) => { asked++; return real(...all) }
		addEventListener("hashchange", () => jumps++)
	}`)
	must(t, proto.DOMFocus{ObjectID: p.MustElement(link).Object.ObjectID}.Call(p)) // where it is seen
	press(t, p.MustElement(link))
	p.MustWait(`() => window.jumps === 1`)
	wantFocus(t, p, place)
	p.MustEval(`() => { history.back() }`)
	p.MustWait(`() => window.jumps === 2`)
	if asked := p.MustEval(`() => asked`).Int(); asked != 0 {
		t.Errorf("%s made the page ask the server %d times", link, asked)
	}
	wantUsable(t, p)
}
