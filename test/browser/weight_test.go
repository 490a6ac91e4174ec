package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

func TestWeight_OfAFirstVisit(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{})
	requests := watchRequests(t, p)
	visit(t, p, s.URL+"/acme/intro")
	p.MustWait(`() => performance.getEntriesByType("navigation")[0].loadEventEnd > 0`)
	html := p.MustEval(`() => performance.getEntriesByType("navigation")[0].decodedBodySize`).Int()
	rest := 0
	for _, q := range requests.allFinished(t) {
		if !strings.HasPrefix(q.url, s.URL+"/") {
			t.Errorf("%s is somebody else's", q.url)
		}
		if q.kind != proto.NetworkResourceTypeDocument {
			rest += int(q.size)
			t.Logf("%6.0f %s %s", q.size, q.kind, q.url)
		}
	}
	t.Logf("%d bytes of HTML, and %d transferred of all else", html, rest)
	if html == 0 || html >= 60_000 {
		t.Errorf("%d bytes of HTML", html)
	}
	if rest < 1000 || rest >= 40_000 {
		t.Errorf("%d bytes of everything else", rest)
	}
	requests.sinceLast(t)
	choose(t, p, "#next")
	wantRoundTrips(t, requests, 1)
}

// Only the owner's logo may come from another server.
func TestWeight_OnlyTheLogoIsForeign(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, strings.Replace(office{}.file(), "look: {",
		`look: {logo: "https://logo.invalid/logo.svg", `, 1))
	p := open(t, options{expects: []string{"logo.invalid"}})
	requests := watchRequests(t, p)
	visit(t, p, s.URL+"/acme/intro")
	choose(t, p, "#next")
	var foreign []string
	for _, q := range requests.sinceLast(t) {
		if !strings.HasPrefix(q.url, s.URL+"/") {
			foreign = append(foreign, q.url)
		}
	}
	if len(foreign) != 1 || foreign[0] != "https://logo.invalid/logo.svg" {
		t.Errorf("asked others for %v", foreign)
	}
}
