package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
)

func TestBook_WithoutAPageLoadBetweenMonthDayAndTime(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme")
	awaitLoad(t, p, func() { pressAt(t, p, pointInside(t, p.MustElement(".events .card"))) })
	requests := watchRequests(t, p)
	p.MustEval(`() => { window.marker = "still the same page" }`)

	steps := []struct{ press, shows string }{
		{"", "November 2030; Monday 4 November; times"},
		{"#next", "December 2030; Monday 2 December; times"},
		{`[aria-label="Tuesday 17 December"]`, "December 2030; Tuesday 17 December; times"},
		{`[aria-label="Tuesday 17 December, 14:30"]`, "form for Tuesday 17 December 2030, 14:30–15:00"},
	}
	wantShown(t, p, steps[0].shows)
	for _, step := range steps[1:] {
		choose(t, p, step.press)
		wantShown(t, p, step.shows)
		wantRoundTrips(t, requests, 1)
	}
	for _, at := range []int{2, 1, 0} {
		awaitSwap(p, func() { p.MustEval(`() => { history.back() }`) })
		wantShown(t, p, steps[at].shows)
		wantRoundTrips(t, requests, 1)
	}
	for _, at := range []int{1, 2, 3} {
		awaitSwap(p, func() { p.MustEval(`() => { history.forward() }`) })
		wantShown(t, p, steps[at].shows)
		wantRoundTrips(t, requests, 1)
	}
	if got := p.MustEval(`() => window.marker`).Str(); got != "still the same page" {
		t.Errorf("the page was loaded anew: the marker is %q", got)
	}
	grace.fillIn(t, p)
	follow(t, p, "#book button")
	wantText(t, p, "h1", "Your booking is confirmed")
	wantText(t, p, "dd strong", "Tuesday 17 December 2030, 14:30–15:00")
	wantInvites(t, s, "20301217T143000Z")
}

// wantShown checks where the guest is: at a day of a month, or at the form.
func wantShown(t *testing.T, p *rod.Page, want string) {
	t.Helper()
	got := p.MustEval(`() => {
		const text = selector => document.querySelector(selector)?.textContent
		if (text(".picked h2")) return "form for " + text(".picked h2")
		return [text("#month"), text("#day"), document.querySelectorAll(".times a").length ? "times" : "none"].join("; ")
	}`).Str()
	if got != want {
		t.Errorf("shown is %q, want %q", got, want)
	}
}

// wantRoundTrips fails the test unless the page made want requests since the last check, none of them a page load.
func wantRoundTrips(t *testing.T, r *requests, want int) {
	t.Helper()
	got := r.sinceLast(t)
	if documents := slices.DeleteFunc(slices.Clone(got),
		func(r request) bool { return r.kind != "Document" }); len(documents) > 0 {
		t.Errorf("loaded %v", documents)
	}
	if len(got) != want {
		t.Errorf("%d requests, want %d: %v", len(got), want, got)
	}
}

// wantInvites waits for the mails to guest and host, and checks the invite in each.
func wantInvites(t *testing.T, s *program, start string) {
	t.Helper()
	for _, to := range []string{grace.email, "ada@acme.example"} {
		m := s.awaitMail(t, to, "")
		if invite := m.parts["text/calendar"]; !strings.Contains(invite, "BEGIN:VEVENT") ||
			!strings.Contains(invite, "DTSTART:"+start) {
			t.Errorf("the mail to %s invites to something else:\n%s", to, invite)
		}
	}
}

func TestBook_LostRaceKeepsWhatWasTypedAndOffersOthers(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB", zoom: 2, expects: []string{"409"}})
	visit(t, p, s.URL+"/acme/intro?slot="+freeSlot)
	grace.fillIn(t, p)
	s.bookAsOther(t, "intro", freeSlot)
	follow(t, p, "#book button")
	if got := text(p, "[role=alert]"); !strings.Contains(got, "no longer available") {
		t.Errorf("told %q", got)
	}
	wantText(t, p, "#book s", "Tuesday 5 November 2030, 15:00–15:30")
	wantTyped(t, p, grace)
	var offered []string
	for _, option := range p.MustElements("label.option") {
		offered = append(offered, strings.TrimSpace(option.MustText()))
	}
	if want := []string{"Tuesday 5 November, 14:00", "Tuesday 5 November, 14:30",
		"Tuesday 5 November, 15:30"}; !slices.Equal(offered, want) {
		t.Errorf("offered %q, want %q", offered, want)
	}
	press(t, p.MustElements("label.option")[2])
	follow(t, p, "#book button")
	wantText(t, p, "dd strong", "Tuesday 5 November 2030, 15:30–16:00")
}

// wantTyped fails the test if the form has lost what the guest typed.
func wantTyped(t *testing.T, p *rod.Page, g guest) {
	t.Helper()
	value := func(selector string) string { return p.MustElement(selector).MustProperty("value").Str() }
	if got := (guest{value("#name"), value("#email"), value("#notes")}); got != g {
		t.Errorf("the form holds %q, want %q", got, g)
	}
}

func TestBook_DoubleClickMakesOneBooking(t *testing.T) {
	t.Parallel()
	// without a script, the server prevents the second booking
	for name, noJavaScript := range map[string]bool{"with script": false, "without": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startAt(t, monday, office{}.file())
			before := len(s.openSlots(t, "intro", "2030-11-04"))
			p := open(t, options{noJavaScript: noJavaScript})
			visit(t, p, s.URL+"/acme/intro?slot="+freeSlot)
			grace.fillIn(t, p)
			requests := watchRequests(t, p)
			at := pointInside(t, p.MustElement("#book button"))
			answers := holdBooked(t, p)
			awaitLoad(t, p, func() {
				p.MustEval(`() => { window.setTimeout = () => 0 }`) // after a while the page would send the form again
				pressAt(t, p, at)
				answer := answers.next(t) // the guest does not see it before the second click
				pressAt(t, p, at)
				if noJavaScript {
					answer = answers.next(t)
				}
				answers.release(t, answer)
			})
			wantText(t, p, "h1", "Your booking is confirmed")
			want := 1
			if noJavaScript {
				want = 2
			}
			if sent := requests.posts(t); sent != want {
				t.Errorf("the form was sent %d times, want %d", sent, want)
			}
			if after := len(s.openSlots(t, "intro", "2030-11-04")); after != before-1 {
				t.Errorf("%d slots were open, and now %d", before, after)
			}
		})
	}
}

// The form keeps what the guest typed when they go back to choose another time.
func TestBook_ChangingTheTimeKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro?slot="+freeSlot)
	grace.fillIn(t, p)
	choose(t, p, ".picked a")
	choose(t, p, `[aria-label="Tuesday 5 November, 11:00"]`)
	wantTyped(t, p, grace)
}
