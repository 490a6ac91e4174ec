package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
)

// A guest may type before the page has found their time zone.
func TestTyping_WhileThePageChangesIsKept(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{zone: "Asia/Tokyo", locale: "en-GB"})
	g := holdFetches(t, p)
	visit(t, p, s.URL+"/acme/intro?slot="+freeSlot)
	held := g.next(t)
	wantText(t, p, ".picked h2", "Tuesday 5 November 2030, 15:00–15:30")
	enter(t, p.MustElement("#name"), grace.name)
	awaitSwap(p, func() { g.release(t, held) })
	wantText(t, p, ".picked h2", "Wednesday 6 November 2030, 00:00–00:30")
	wantTyped(t, p, guest{name: grace.name})
	wantFocus(t, p, "#name")
}

func TestTyping_OverridesWhatTheLinkFilledIn(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro?name=Ada&email=ada%40example.com&notes=hello&slot="+freeSlot)
	wantTyped(t, p, guest{"Ada", "ada@example.com", "hello"})
	enter(t, p.MustElement("#name"), "Grace")
	clearField(t, p, "#notes")
	want := guest{"Grace", "ada@example.com", ""}
	anotherTime(t, p, "11:00")
	wantTyped(t, p, want)
	anotherTime(t, p, "12:00") // not edited in between
	wantTyped(t, p, want)
	enter(t, p.MustElement("#name"), "Ada") // as the link had it
	anotherTime(t, p, "11:00")
	want.name = "Ada"
	wantTyped(t, p, want)
}

// The links of a page leave out a value that is long when it is encoded in an address.
func TestTyping_LongNotesOfTheLinkAreKept(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	for name, notes := range map[string]string{"long": strings.Repeat("harbor ", 100) + "end",
		"wide": strings.Repeat("港", 80)} {
		t.Run(name, func(t *testing.T) {
			p := open(t, options{locale: "en-GB"})
			visit(t, p, s.URL+"/acme/intro?"+url.Values{"notes": {notes}, "slot": {freeSlot}}.Encode())
			if href := *p.MustElement(".picked a").MustAttribute("href"); strings.Contains(href, "notes") {
				t.Fatalf("the links hold the notes: nothing is tested: %s", href)
			}
			anotherTime(t, p, "11:00")
			wantTyped(t, p, guest{notes: notes})
		})
	}
}

func clearField(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	enter(t, p.MustElement(selector), "x")
	must(t, p.Keyboard.Type(input.Backspace))
}

// anotherTime goes from the form to the month and back with another time of the same day.
func anotherTime(t *testing.T, p *rod.Page, hour string) {
	t.Helper()
	choose(t, p, ".picked a")
	choose(t, p, `[aria-label="Tuesday 5 November, `+hour+`"]`)
}

func TestTyping_WithoutScriptOutlivesALostRace(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{noJavaScript: true, locale: "en-GB", expects: []string{"409"}})
	visit(t, p, s.URL+"/acme/intro?slot="+freeSlot)
	grace.fillIn(t, p)
	s.bookAsOther(t, "intro", freeSlot)
	follow(t, p, "#book button")
	if got := text(p, "[role=alert]"); !strings.Contains(got, "no longer available") {
		t.Errorf("told %q", got)
	}
	wantTyped(t, p, grace)
	press(t, p.MustElementR("label.option", "Tuesday 5 November, 15:30"))
	if !p.MustElement("label.option:last-of-type input").MustProperty("checked").Bool() {
		t.Error("the time that was pressed is not chosen")
	}
	follow(t, p, "#book button")
	wantText(t, p, "h1", "Your booking is confirmed")
	wantText(t, p, "dd strong", "Tuesday 5 November 2030, 15:30–16:00")
	wantInvites(t, s, "20301105T153000Z")
}
