package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
)

func TestNoScript_BooksWithLinksAndOneForm(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{noJavaScript: true, locale: "en-GB"})
	visit(t, p, s.URL+"/acme")
	awaitLoad(t, p, func() { pressAt(t, p, pointInside(t, p.MustElement(".events .card"))) })
	follow(t, p, "#next")
	wantText(t, p, "#month", "December 2030")
	follow(t, p, `[aria-label="Tuesday 17 December"]`)
	wantText(t, p, "#day", "Tuesday 17 December")

	searchZone(t, p, "kathmandu")
	wantZone(t, p, "Asia/Kathmandu, UTC+05:45")
	wantText(t, p, "#day", "Tuesday 17 December")
	searchZone(t, p, "Portland")
	if note := text(p, "#tz-note"); !strings.Contains(note, "Places that match “Portland”") {
		t.Errorf("the page says %q", note)
	}
	awaitLoad(t, p, func() { press(t, p.MustElementR(".choices a", `Portland \(America/Los_Angeles\)`)) })
	wantZone(t, p, "America/Los_Angeles, UTC-08:00")

	follow(t, p, `[aria-label="Tuesday 17 December, 06:30"]`)
	grace.fillIn(t, p)
	follow(t, p, "#book button")
	wantText(t, p, "h1", "Your booking is confirmed")
	if got := text(p, ".booking"); !strings.Contains(got,
		"Tuesday 17 December 2030, 06:30–07:00\nAmerica/Los_Angeles, UTC-08:00") {
		t.Errorf("booked %s", got)
	}
	wantInvites(t, s, "20301217T143000Z")
}

// searchZone opens the collapsed form for the zone and searches for a place.
func searchZone(t *testing.T, p *rod.Page, place string) {
	t.Helper()
	if p.MustHas(".zone details:not([open])") {
		press(t, p.MustElement("summary"))
	}
	enter(t, p.MustElement("#tz"), place)
	follow(t, p, ".zone button")
}

func wantZone(t *testing.T, p *rod.Page, want string) {
	t.Helper()
	wantText(t, p, ".zone strong", want)
}

func TestNoScript_ProblemsAreNamed(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{noJavaScript: true, expects: []string{"422"}})
	visit(t, p, s.URL+"/acme/call?slot="+freeSlot)
	bad := guest{"http://spam.example", "grace@nowhere", "Notes"}
	bad.fillIn(t, p)
	enter(t, p.MustElement("#phone"), "+1 555 0100")
	follow(t, p, "#book button")
	if got := text(p, "#problems"); !strings.Contains(got, "your name") || strings.Contains(got, "phone") {
		t.Errorf("the problems are %s", got)
	}
	wantTyped(t, p, bad)
	if got := p.MustElement("#phone").MustProperty("value").Str(); got != "+1 555 0100" {
		t.Errorf("the phone number is now %q", got)
	}
}

func TestNoScript_CancelsAndReschedules(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{noJavaScript: true, locale: "en-GB"})
	visit(t, p, s.URL+b.reschedule)
	follow(t, p, `[aria-label="Thursday 7 November"]`)
	follow(t, p, `[aria-label="Thursday 7 November, 09:30"]`)
	follow(t, p, "#move button")
	wantText(t, p, "dd strong", "Thursday 7 November 2030, 09:30–10:00")
	follow(t, p, `a[href*="/b/cancel/"]`)
	enter(t, p.MustElement("#reason"), "No script, no meeting.")
	follow(t, p, "#cancel button")
	wantText(t, p, "h1", "This booking was canceled")
}
