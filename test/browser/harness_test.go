package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// These tests give the checks defective pages: a check that never finds anything proves nothing.

const acme = `
workspace: {slug: acme, name: Acme, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video}}
`

func TestStart_GivesATokenOfTheWorkspace(t *testing.T) {
	t.Parallel()
	p := startAt(t, time.Now(), acme)
	token := p.Token(t, "acme")
	if got := p.Run(t, "token", "list", "--workspace", "acme"); !strings.HasPrefix(token, "slotd_mcp_") ||
		!strings.Contains(got, token[len(token)-4:]) {
		t.Errorf("token %.10s… is not in the list: %s", token, got)
	}
}

func TestStartAt_ServesTheWorkspaceAtThatTime(t *testing.T) {
	t.Parallel()
	p := startAt(t, time.Date(2030, 3, 1, 12, 0, 0, 0, time.UTC), acme)
	if open := p.openSlots(t, "intro", "2030-03-01"); !slices.Contains(open, any("2030-03-04T09:00:00.000Z")) {
		t.Errorf("the Monday after is not offered: %v", open)
	}
}

func TestOpen_IsTheBrowserOfTheOptions(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>%s</title>", r.Header.Get("Accept-Language"))
	}))
	t.Cleanup(server.Close)
	p := open(t, options{width: 640, zoom: 2, dark: true, zone: "America/Sao_Paulo", locale: "de-DE"})
	visit(t, p, server.URL)
	got := p.MustEval(`() => [document.title, innerWidth, devicePixelRatio, matchMedia("(prefers-color-scheme: dark)").matches,
		Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.DateTimeFormat().resolvedOptions().locale, navigator.language].join()`).Str()
	if want := "de-DE,320,2,true,America/Sao_Paulo,de-DE,de-DE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOpen_PhoneShowsAWideScreenUnlessThePageKnowsPhones(t *testing.T) {
	t.Parallel()
	s := site(t, "")
	p := open(t, options{width: 320, height: 640})
	for html, want := range map[string]int{`<!doctype html><title>t</title>`: 980,
		`<!doctype html><meta name="viewport" content="width=device-width">`: 320} {
		s.show(html)
		visit(t, p, s.URL)
		if got := p.MustEval(`() => innerWidth`).Int(); got != want {
			t.Errorf("%d wide, want %d: %s", got, want, html)
		}
	}
}

func TestOpen_WithoutJavaScript(t *testing.T) {
	t.Parallel()
	s := site(t, `<!doctype html><html lang=en><title>t</title><main><h1>h</h1><script>document.title = "ran"</script>
		<form action=/sent><label>Name <input name=n value=Ada></label><button>Send</button></form></main>`)
	p := open(t, options{noJavaScript: true})
	visit(t, p, s.URL)
	axe(t, p)
	enter(t, p.MustElement("input"), "Grace")
	awaitLoad(t, p, func() { press(t, p.MustElement("button")) })
	title := p.MustEval(`() => document.title`).Str()
	if at := address(p); at != s.URL+"/sent?n=Grace" || title != "t" {
		t.Errorf("at %s, title %s", at, title)
	}
}

func TestConsole_ReportsEveryKindOfTrouble(t *testing.T) {
	t.Parallel()
	s := site(t, `<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-a'; img-src 'none'"><title>t</title>
		<script nonce=a>console.error("said"); console.warn("warned"); console.log("fine"); setTimeout(() => { throw new Error("thrown") })</script>
		<script>1</script><img src=/x.png><script nonce=a src=http://127.0.0.1:1/gone.js></script>`)
	p := open(t, options{expects: []string{"error: said", "warning: warned", "Error: thrown", "inline script", "x.png",
		"gone.js"}})
	visit(t, p, s.URL)
}

func TestConsole_JudgesByWhatIsExpected(t *testing.T) {
	t.Parallel()
	c := &console{lines: []string{"error: one", "error: two"}}
	if got := c.unexpected([]string{"one"}); !slices.Equal(got, []string{"console: error: two"}) {
		t.Errorf("got %q", got)
	}
}

func TestAxe_FindsWhatKeepsPeopleOut(t *testing.T) {
	t.Parallel()
	s := site(t, `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>t</title><main><h1>h</h1><img><button></button></main>`)
	p := open(t, options{})
	visit(t, p, s.URL)
	var got []string
	for _, v := range violations(t, p) {
		got = append(got, v.ID)
	}
	if want := []string{"button-name", "html-has-lang", "image-alt"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLayoutShift_IsWhatJumped(t *testing.T) {
	t.Parallel()
	s := site(t, `<!doctype html><title>t</title><div></div><p>text text text text text text</p>`)
	p := open(t, options{})
	visit(t, p, s.URL)
	if got := layoutShift(p); got != 0 {
		t.Errorf("a page at rest shifted by %v", got)
	}
	p.MustEval(`() => { document.querySelector("div").style.height = "400px" }`)
	await.True(t, "the jump is seen", func() bool { return layoutShift(p) > 0 })
}
