package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

const (
	attack   = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`
	longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
	longURL  = "https://example.com/a/very/long/address/that/never/ends?" + longWord
)

// vandal is an owner who puts scripts and very long words into every field; vandalsGuest is a guest who does the same.
var (
	vandal = office{
		name: longWord + attack, host: attack + longWord, title: longWord + longWord[:30] + attack,
		text: attack + "\n" + longURL + "\n</textarea></p>{{.}}<style>*{display:none}</style>",
	}
	vandalsGuest = guest{name: attack + longWord,
		email: "grace+" + longWord[:32] + "@" + strings.Repeat("long-label.", 15) + "example", notes: attack + longURL +
			longURL}
)

func TestEveryPage_ForeignTextStaysTextAndFits(t *testing.T) {
	t.Parallel()
	s, payments := newScene(t, vandal, vandalsGuest), newPayScene(t, vandal, vandalsGuest)
	for _, state := range append(s.states(), payments.states()...) {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, options{width: 320, expects: state.expects})
			state.reach(t, p)
			wantFits(t, p, 320)
			screenshot(t, p, "long-"+state.name+"-320")
			wantNoForeignMarkup(t, p)
			if strings.HasPrefix(state.url, s.URL+"/acme") && !strings.Contains(text(p, "body"), attack) &&
				state.expects == nil {
				t.Errorf("the owner's words are not shown: %s", text(p, "body"))
			}
			must(t, options{zoom: 2}.screen().Call(p)) // a laptop at 200 %
			wantFits(t, p, 640)
			p.MustEval(`() => { document.documentElement.dir = "rtl" }`)
			wantFits(t, p, 640)
			screenStyle{320, false}.apply(t, p)
			wantFits(t, p, 320)
			screenshot(t, p, "long-"+state.name+"-320-rtl")
		})
	}
}

func wantNoForeignMarkup(t *testing.T, p *rod.Page) {
	t.Helper()
	if got := p.MustEval(`() => String(window.pwned)`).Str(); got != "undefined" {
		t.Error("a foreign script ran")
	}
	if got := p.MustEval(`() => document.querySelectorAll("img, body script, style, [onerror]").length`).Int(); got != 0 {
		t.Errorf("%d foreign elements: %s", got, p.MustHTML())
	}
}

// The page arrives in the workspace's zone and changes once to the browser's.
func TestZoneOfTheBrowser_MovesLittle(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	for _, zone := range []string{"America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"} {
		for _, width := range []int{390, 1200} {
			p := open(t, options{width: width, zone: zone})
			visit(t, p, s.URL+"/acme/intro")
			p.MustWait(`() => !document.querySelector(".zone strong").textContent.startsWith("UTC")`)
			got := layoutShift(p)
			t.Logf("%s at %d: %.4f", zone, width, got)
			if got >= 0.1 {
				t.Errorf("%s at %d shifts by %.3f", zone, width, got)
			}
		}
	}
}

func TestRightToLeft_IsAMirrorImage(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{width: 1200})
	visit(t, p, s.URL+"/acme/intro?month=2030-12")
	order := func() string {
		return p.MustEval(`() => {
			const left = selector => document.querySelector(selector).getBoundingClientRect().left
			const before = (a, b) => left(a) < left(b)
			return [before(".about", ".choose"), before(".calendar", ".day-times"), before("#prev", "#next"), before("th:first-child", "th:last-child"), before("#month", "#prev")].join()
		}`).Str()
	}
	arrow := func() string {
		return p.MustEval(`() => getComputedStyle(document.querySelector("#next .icon")).transform`).Str()
	}
	if got := order() + " " + arrow(); got != "true,true,true,true,true none" {
		t.Errorf("left to right: %s", got)
	}
	p.MustEval(`() => { document.documentElement.dir = "rtl" }`)
	if got := order() + " " + arrow(); got != "false,false,false,false,false matrix(-1, 0, 0, 1, 0, 0)" {
		t.Errorf("right to left: %s", got)
	}
	if got := p.MustEval(`() => {
		const range = document.createRange(), text = document.querySelector(".times a").firstChild
		const left = at => { range.setStart(text, at); range.setEnd(text, at + 1); return range.getBoundingClientRect().left }
		return text.data + " " + (left(0) < left(text.length - 1))
	}`).Str(); got != "9:00 am true" {
		t.Errorf("a time reads %s", got)
	}
	must(t, proto.DOMFocus{ObjectID: p.MustElement(`[aria-label="Wednesday 4 December"]`).Object.ObjectID}.Call(p))
	pressKey(t, p, input.ArrowLeft) // forward, in right-to-left text
	wantFocus(t, p, `[aria-label="Thursday 5 December"]`)
	screenStyle{390, false}.apply(t, p)
	screenshot(t, p, "rtl-event-390")
}

func TestPhone_WeekdaysStandOnOneLine(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{width: 320})
	visit(t, p, s.URL+"/acme/intro")
	if got := p.MustEval(`() => document.querySelector("thead").offsetHeight`).Int(); got > 36 {
		t.Errorf("the weekdays are %d pixels high", got)
	}
	screenshot(t, p, "event-320")
}

func TestHebrewNames_LeaveTheEnglishAlone(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{name: "אקמה", host: "עדה פארק", title: "שיחת היכרות", text: "شرح قصير."}.file())
	p := open(t, options{width: 1200})
	visit(t, p, s.URL+"/acme")
	wantFollows(t, p, ".lead", ".")
	screenshot(t, p, "hebrew-workspace-1200")
	visit(t, p, s.URL+"/acme/intro")
	if got := p.MustEval(`() => ["h1", ".host", ".about .foreign"].map(s => getComputedStyle(document.querySelector(s)).direction).join() + getComputedStyle(document.querySelector("main")).direction`).Str(); got != "rtl,rtl,rtlltr" && got != "rtl,rtl,ltrltr" {
		t.Errorf("directions: %s", got)
	}
	screenshot(t, p, "hebrew-event-1200")
	b := s.bookByForm(t, "/acme/intro", guest{"גרייס", "grace@example.com", "مرحبا"}, freeSlot)[0]
	visit(t, p, s.URL+b.cancel)
	wantFollows(t, p, "label .quiet", " will see it)")
	screenshot(t, p, "hebrew-cancel-1200")
}

// wantFollows fails the test if the text after a right-to-left name is not to the right of it.
func wantFollows(t *testing.T, p *rod.Page, selector, words string) {
	t.Helper()
	got := p.MustEval(`selector => {
		const name = document.querySelector(selector + " bdi"), range = document.createRange()
		range.selectNode(name.nextSibling)
		return [range.toString(), range.getBoundingClientRect().left >= name.getBoundingClientRect().right - 1].join("|")
	}`, selector).Str()
	if got != words+"|true" {
		t.Errorf("in %s: %s", selector, got)
	}
}

func TestPrintedConfirmation_IsTheBookingAlone(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{width: 1200, dark: true, locale: "en-GB"})
	visit(t, p, s.URL+b.page)
	must(t, proto.EmulationSetEmulatedMedia{Media: "print"}.Call(p))
	got := p.MustElement("body").MustText()
	for _, shown := range []string{"Your booking is confirmed", "Tuesday 5 November 2030, 15:00–15:30",
		"Intro call with Ada Park", grace.name, "https://meet.example/ada", "About the harbor."} {
		if !strings.Contains(got, shown) {
			t.Errorf("%q is not printed", shown)
		}
	}
	for _, hidden := range []string{"Reschedule", "Cancel booking", "Google", "Scheduling by", "Skip"} {
		if strings.Contains(got, hidden) {
			t.Errorf("%q is printed", hidden)
		}
	}
	if colors := p.MustEval(`() => getComputedStyle(document.querySelector("h1")).color + " on " + getComputedStyle(document.body).backgroundColor`).Str(); colors != "rgb(27, 31, 36) on rgba(0, 0, 0, 0)" {
		t.Errorf("printed in %s", colors)
	}
	screenshot(t, p, "booking-print")
}
