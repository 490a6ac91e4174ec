package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"

	"slotd/test/await"
)

// openEmbeddingPages opens a foreign site that embeds the real pages; BOOK in its body stands for their server.
func openEmbeddingPages(t *testing.T, o options, body string) (*program, *rod.Page) {
	t.Helper()
	s := site(t, "")
	book := startAt(t, monday, office{site: s.URL}.file())
	s.show(strings.ReplaceAll(strictHead+"<main><h1>Site</h1>"+body+"</main>", "BOOK", book.URL))
	p := open(t, o)
	visit(t, p, s.URL)
	p.MustEval(`() => { window.booked = []; document.addEventListener("slotd:booked", e => booked.push(e.target.localName)) }`)
	return book, p
}

func TestEmbedded_BookingInTheFrame(t *testing.T) {
	t.Parallel()
	book, p := openEmbeddingPages(t, options{zone: "America/New_York", locale: "en-GB"},
		`<div data-slotd="/acme/intro"></div>`)
	frame := loadedFrame(t, p, "div > iframe")
	wantZone(t, frame, "America/New_York, UTC-05:00")
	wantGrown(t, p, frame)
	screenshot(t, p, "embedded-event")
	bookIn(t, p, frame, func() *rod.Page { return loadedFrame(t, p, "div > iframe") })
	p.MustWait(`() => booked.join() === "div"`)
	wantInvites(t, book, "20301217T143000Z")
}

func TestEmbedded_BookingInTheDialog(t *testing.T) {
	t.Parallel()
	_, p := openEmbeddingPages(t, options{zone: "America/New_York", locale: "en-GB"}, bookButton)
	frame := openDialog(t, p)
	screenshot(t, p, "embedded-dialog")
	bookIn(t, p, frame, func() *rod.Page { return loadedFrame(t, p, "dialog[open] iframe") })
	p.MustWait(`() => booked.join() === "button"`)
}

// bookIn goes from the month to the confirmation in a frame. The last step loads another page in the frame, which
// again returns.
func bookIn(t *testing.T, p, frame *rod.Page, again func() *rod.Page) {
	t.Helper()
	awaitSwap(frame, func() { clickInFrame(frame, "#next") })
	awaitSwap(frame, func() { clickInFrame(frame, `[aria-label="Tuesday 17 December"]`) })
	awaitSwap(frame, func() { clickInFrame(frame, `[aria-label="Tuesday 17 December, 09:30"]`) })
	grace.fillIn(t, frame)
	clickInFrame(frame, "#book button")
	p.MustWait(`() => booked.length > 0`)
	frame = again()
	wantText(t, frame, "h1", "Your booking is confirmed")
	axe(t, frame)
	screenshot(t, p, "embedded-booking")
	if got := frame.MustEval(`() => document.querySelector('a[href*="/b/cancel/"]').target`).Str(); got != "_top" {
		t.Errorf("the link to cancel opens in %q, where it is refused", got)
	}
}

// clickInFrame clicks an element of a frame by script, because mouse coordinates are relative to the embedding site.
func clickInFrame(frame *rod.Page, selector string) {
	frame.MustElement(selector).MustEval(`() => this.click()`)
}

// wantGrown waits until the frame is as high as its page, so that nothing in it scrolls.
func wantGrown(t *testing.T, p, frame *rod.Page) {
	t.Helper()
	frame.MustWait(`() => document.documentElement.scrollHeight <= innerHeight && innerHeight !== 600`)
	awaitSwap(frame, func() { clickInFrame(frame, "#next") })
	frame.MustWait(`() => document.documentElement.scrollHeight <= innerHeight`)
	frame.MustEval(`() => { document.querySelector(".zone").style.height = "1200px" }`)
	frame.MustWait(`() => document.documentElement.scrollHeight <= innerHeight && innerHeight > 1200`)
	frame.MustEval(`() => { document.querySelector(".zone").style.height = "" }`)
	frame.MustWait(`() => innerHeight < 1200`) // and shrinks
	awaitSwap(frame, func() { clickInFrame(frame, "#prev") })
}

func TestEmbedded_TheHostsNameLeadsBackToTheList(t *testing.T) {
	t.Parallel()
	_, p := openEmbeddingPages(t, options{zone: "America/New_York", locale: "en-GB"}, `<div data-slotd="/acme"></div>`)
	frame := loadedFrameAt(t, p, "div > iframe", "/embed/acme")
	clickInFrame(frame, ".events h2 a")
	frame = loadedFrameAt(t, p, "div > iframe", "/embed/acme/intro")
	awaitZone(frame, "America/New_York, UTC-05:00")
	clickInFrame(frame, ".host a")
	frame = loadedFrameAt(t, p, "div > iframe", "/embed/acme")
	wantText(t, frame, ".lead", "Choose what to book with Ada Park.")
	clickInFrame(frame, ".events h2 a")
	awaitZone(loadedFrameAt(t, p, "div > iframe", "/embed/acme/intro"), "America/New_York, UTC-05:00")
}

// awaitZone waits for the zone. If the address does not name one, the page finds the browser's zone after loading.
func awaitZone(frame *rod.Page, want string) {
	frame.MustWait(`want => document.querySelector(".zone strong").textContent === want`, want)
}

func TestEmbedded_AfterABookingTheDialogStartsOver(t *testing.T) {
	t.Parallel()
	_, p := openEmbeddingPages(t, options{zone: "America/New_York", locale: "en-GB"}, bookButton)
	bookIn(t, p, openDialog(t, p), func() *rod.Page { return loadedFrame(t, p, "dialog[open] iframe") })
	press(t, p.MustElement(`dialog button[aria-label="Close"]`))
	wantClosed(p)
	openDialog(t, p)
	frame := loadedFrameAt(t, p, "dialog[open] iframe", "/embed/acme/intro")
	wantShown(t, frame, "November 2030; Monday 4 November; times")
	if got := len(p.MustElements("dialog")); got != 1 {
		t.Errorf("%d dialogs are on the page", got)
	}
}

// loadedFrameAt waits until the frame shows the page at path, and returns it.
func loadedFrameAt(t *testing.T, p *rod.Page, selector, path string) (frame *rod.Page) {
	t.Helper()
	await.True(t, "the frame shows "+path, func() bool {
		frame = loadedFrame(t, p, selector)
		at, err := frame.Eval(`() => location.pathname`)
		return err == nil && at.Value.Str() == path
	})
	return frame
}

func TestEmbedded_RefusedElsewhere(t *testing.T) {
	t.Parallel()
	s := site(t, "")
	listed := startAt(t, monday, office{site: s.URL}.file())
	other := startAt(t, monday, office{}.file())
	b := listed.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	for name, refused := range map[string]string{
		"a site that is not on the list":  other.URL + "/embed/acme/intro",
		"the page that is not for frames": listed.URL + "/acme/intro",
		"the workspace's own":             listed.URL + "/acme",
		"the confirmation":                listed.URL + b.page,
		"cancel":                          listed.URL + b.cancel,
		"reschedule":                      listed.URL + b.reschedule,
		"an unknown workspace's":          listed.URL + "/embed/nobody",
	} {
		t.Run(name, func(t *testing.T) {
			s.show(`<!doctype html><html lang=en><title>Site</title><iframe title=f src="` + refused + `"></iframe>`)
			expects := []string{"frame-ancestors"}
			if strings.Contains(refused, "nobody") {
				expects = append(expects, "404")
			}
			p := open(t, options{expects: expects})
			visit(t, p, s.URL)
			if got := p.MustElement("iframe").MustFrame().MustEval(`() => document.body.innerText + document.querySelectorAll("main").length`).Str(); strings.Contains(got, "Ada") || !strings.HasSuffix(got, "0") {
				t.Errorf("the frame shows %s", got)
			}
		})
	}
}
