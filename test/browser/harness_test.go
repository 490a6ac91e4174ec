package browser

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

const acme = `
workspace: {slug: acme, name: Acme, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video}}
`

// What the checks find is as important as that they find nothing: these tests give them defects.

func TestStart_ServesTheWorkspaceAtThatTime(t *testing.T) {
	p := startAt(t, time.Date(2030, 3, 1, 12, 0, 0, 0, time.UTC), acme)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_availability","arguments":{"workspace":"acme","event_type":"intro","start_date":"2030-03-01","days":7}}}`
	r, err := http.Post(p.url+"/api/mcp", "application/json", strings.NewReader(call))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	if !strings.Contains(string(body), "2030-03-04T09:00:00.000Z") {
		t.Errorf("the Monday after is not offered: %s", body)
	}
}

func TestOpen_IsTheBrowserOfTheOptions(t *testing.T) {
	var asked http.Header
	s := site(t, `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title>`)
	p := open(t, options{width: 640, zoom: 2, dark: true, zone: "Asia/Kathmandu", locale: "de-DE"})
	visit(p, s.url)
	_ = asked
	got := p.MustEval(`() => [innerWidth, devicePixelRatio, matchMedia("(prefers-color-scheme: dark)").matches,
		Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.DateTimeFormat().resolvedOptions().locale, navigator.language].join()`).Str()
	if want := "320,2,true,Asia/Kathmandu,de-DE,de-DE"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOpen_WithoutJavaScript(t *testing.T) {
	s := site(t, `<!doctype html><html lang=en><title>t</title><main><h1>h</h1><script>document.title = "ran"</script>
		<form action=/sent><label>Name <input name=n></label><button>Send</button></form></main>`)
	p := open(t, options{noJavaScript: true})
	visit(p, s.url)
	if got := p.MustInfo().Title; got != "t" {
		t.Errorf("title %q", got)
	}
	axe(t, p)
	p.MustElement("input").MustInput("Grace")
	loads(p, func() { p.MustElement("button").MustClick() })
	if got := p.MustInfo().URL; got != s.url+"/sent?n=Grace" {
		t.Errorf("at %s", got)
	}
	_ = proto.InputMouseButtonLeft
}
