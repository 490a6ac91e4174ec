package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/go-rod/rod"
)

const embedScript = "../../internal/web/public/embed.js"

// serveFramedPages serves in place of slotd, so that the tests control what the framed page sends: it serves embed.js
// and, below /embed/, pages 900 pixels high.
func serveFramedPages(t *testing.T) (url string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /embed.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, embedScript) })
	mux.HandleFunc("GET /embed/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><meta name=color-scheme content="light dark"><title>Framed</title><style>body { margin: 0; height: 900px }</style><input>`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// strictHead is the head of a site whose policy allows the script and the frames, and nothing else.
const strictHead = `<!doctype html><html lang=en><title>Site</title><meta http-equiv="Content-Security-Policy"
	content="default-src 'none'; script-src BOOK; frame-src BOOK; require-trusted-types-for 'script'">
	<script src="BOOK/embed.js" async></script>`

// openEmbedding opens a page on a foreign site that loads embed.js; BOOK in its body stands for the booking server.
func openEmbedding(t *testing.T, o options, body string) (p *rod.Page, book string) {
	t.Helper()
	book = serveFramedPages(t)
	s := site(t, strings.ReplaceAll(strictHead+"<main><h1>Site</h1>"+body+"</main>", "BOOK", book))
	p = open(t, o)
	visit(t, p, s.URL)
	return p, book
}

// postMessage posts a message from the framed page to the site.
func postMessage(frame *rod.Page, message string) {
	frame.MustEval(`message => parent.postMessage(JSON.parse(message), "*")`, message)
}

// awaitHeight waits until the frame has the height.
func awaitHeight(p *rod.Page, height int) {
	p.MustWait(`height => document.querySelector("iframe").getBoundingClientRect().height === height`, height)
}

func TestEmbed_IsSmallAndPlain(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(embedScript)
	must(t, err)
	if len(script) >= 5000 {
		t.Errorf("embed.js has %d bytes", len(script))
	}
	for _, bad := range []string{"innerHTML", "eval(", `"style"`} {
		if strings.Contains(string(script), bad) {
			t.Errorf("embed.js holds %s, which a site's policy may forbid", bad)
		}
	}
}

func TestEmbed_FrameIsAsHighAsItsPage(t *testing.T) {
	t.Parallel()
	p, book := openEmbedding(t, options{zone: "America/Sao_Paulo"},
		`<div data-slotd="BOOK/acme/intro?name=Grace%20H#x"><a href="BOOK/acme/intro">Book</a></div>`)
	frame := loadedFrame(t, p, "div > iframe:only-child")
	if got, want := *p.MustElement("iframe").MustAttribute("src"), book+
		"/embed/acme/intro?name=Grace+H&tz=America%2FSao_Paulo#x"; got != want {
		t.Errorf("framed %s, want %s", got, want)
	}
	for said, want := range map[string]int{"912": 912, "3": 20, "1e9": 20000, "-Infinity": 20} {
		frame.MustEval(`height => parent.postMessage({slotd: "height", height: Number(height)}, "*")`, said)
		awaitHeight(p, want)
	}
	if got := p.MustEval(`() => { const f = document.querySelector("iframe"), s = getComputedStyle(f)
		return [f.title, f.loading, s.borderWidth, f.offsetWidth === f.parentElement.offsetWidth, f.style.colorScheme].join() }`).Str(); got != "Book a time,lazy,0px,true," {
		t.Errorf("the frame is %s", got)
	}
	axe(t, p)
	screenshot(t, p, "embed-inline")
}

func TestEmbed_Addresses(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"/acme/intro":                   "BOOK/embed/acme/intro?tz=UTC",
		"acme/intro?date=2030-03-04":    "BOOK/embed/acme/intro?date=2030-03-04&tz=UTC",
		"BOOK/acme?tz=Asia/Tokyo":       "BOOK/embed/acme?tz=Asia/Tokyo",
		"http://other.invalid/acme?a=b": "http://other.invalid/embed/acme?a=b&tz=UTC",
	} {
		t.Run(strings.ReplaceAll(given, "/", "."), func(t *testing.T) {
			o := options{}
			if strings.Contains(given, "invalid") {
				o.expects = []string{"Content Security Policy"}
			}
			p, book := openEmbedding(t, o, `<section data-slotd="`+given+`" data-slotd-title="Termin"></section>`)
			frame := p.MustElement(`section > iframe[title="Termin"]`)
			if got, want := *frame.MustAttribute("src"), strings.ReplaceAll(want, "BOOK", book); got != want {
				t.Errorf("framed %s, want %s", got, want)
			}
		})
	}
}

func TestEmbed_OtherAddressesAreLeftAloneWithOneWarning(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"javascript:alert(1)", "data:text/html,x", "http://"} {
		t.Run(bad[:4], func(t *testing.T) {
			p, _ := openEmbedding(t, options{expects: []string{"slotd: not a booking page's address"}},
				`<div data-slotd="`+bad+`">Call us</div>`)
			p.MustEval(`() => { window.warnings = 0; console.warn = () => warnings++; slotd.scan() }`)
			if got := p.MustEval(`() => [document.querySelector("div").innerHTML, warnings].join()`).Str(); got != "Call us,0" {
				t.Errorf("left %s", got)
			}
		})
	}
}

func TestEmbed_BookedIsAnEventOfTheElement(t *testing.T) {
	t.Parallel()
	p, _ := openEmbedding(t, options{},
		`<div id=a data-slotd="/acme/intro"></div><div id=b data-slotd="/acme/other"></div>`)
	p.MustEval(`() => { window.booked = []; document.addEventListener("slotd:booked", e => booked.push(e.target.id)) }`)
	postMessage(loadedFrame(t, p, "#b iframe"), `{"slotd": "booked"}`)
	p.MustWait(`() => booked.join() === "b"`)
}

func TestEmbed_StrangersMessagesAreIgnored(t *testing.T) {
	t.Parallel()
	p, book := openEmbedding(t, options{},
		`<div data-slotd="/acme/intro"></div><iframe id=stranger title=s src="BOOK/embed/stranger"></iframe>`)
	frame := loadedFrame(t, p, "div > iframe")
	p.MustEval(`() => { window.booked = 0; document.addEventListener("slotd:booked", () => booked++) }`)

	const forged = `[{"slotd": "booked"}, {"slotd": "height", "height": 111}]`
	send := `lies => JSON.parse(lies).forEach(lie => parent.postMessage(lie, "*"))`
	loadedFrame(t, p, "#stranger").MustEval(send, forged) // the right origin, but another window
	p.MustEval(send, forged)                              // the site itself: its parent is its own window
	p.MustEval(`book => dispatchEvent(new MessageEvent("message", {origin: book, data: {slotd: "booked"}}))`, book)
	p.MustEval(`() => dispatchEvent(new MessageEvent("message", { // the right window after it went elsewhere
		source: document.querySelector("div > iframe").contentWindow, origin: "http://elsewhere.example", data: {slotd: "booked"}}))`)
	for _, nonsense := range []string{`null`, `"height"`, `{"slotd": "height"}`, `{"slotd": "height", "height": "x"}`,
		`{"slotd": "other"}`} {
		postMessage(frame, nonsense)
	}

	postMessage(frame, `{"slotd": "height", "height": 222}`) // arrives after all others
	awaitHeight(p, 222)
	if got := p.MustEval(`() => booked`).Int(); got != 0 {
		t.Errorf("%d strangers' bookings were believed", got)
	}
}

func TestEmbed_ScanDoesNothingTwice(t *testing.T) {
	t.Parallel()
	p, _ := openEmbedding(t, options{},
		`<div data-slotd="/acme/intro"></div><button data-slotd="/acme/intro">Book</button><script src="BOOK/embed.js"></script>`)
	p.MustEval(`() => {
		window.first = document.querySelector("iframe")
		document.querySelector("main").append(Object.assign(document.createElement("aside"), {id: "later"}))
		document.querySelector("#later").dataset.slotd = "/acme/later"
		slotd.scan()
		slotd.scan()
	}`)
	if got := p.MustEval(`() => [document.querySelectorAll("iframe").length, first.isConnected, document.querySelectorAll("#later > iframe").length].join()`).Str(); got != "2,true,1" {
		t.Errorf("got %s", got)
	}
	press(t, p.MustElement("button"))
	if got := len(p.MustElements("dialog")); got != 1 {
		t.Errorf("one click opened %d dialogs", got)
	}
}
