package browser

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestZone_IsTheBrowsersOwn(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	// Compare the offset, because Chromium spells it Katmandu.
	for zone, want := range map[string]struct{ offset, first, booked string }{
		"Asia/Kathmandu":   {"UTC+05:45", "Monday 4 November, 14:45", "Monday 4 November 2030, 14:45–15:15"},
		"America/New_York": {"UTC-05:00", "Monday 4 November, 04:30", "Monday 4 November 2030, 04:30–05:00"},
	} {
		t.Run(strings.ReplaceAll(zone, "/", "-"), func(t *testing.T) {
			t.Parallel()
			p := open(t, options{zone: zone, locale: "en-GB"})
			requests := watchRequests(t, p)
			visit(t, p, s.URL+"/acme/intro")
			p.MustWait(`offset => document.querySelector(".zone strong").textContent.endsWith(offset)`, want.offset)
			if got := requests.pageKinds(t); !slices.Equal(got, []string{"Document", "Fetch"}) {
				t.Errorf("the first visit asked for %v", got)
			}
			if address(p) != s.URL+"/acme/intro" {
				t.Errorf("the address became %s", address(p))
			}
			visit(t, p, s.URL+"/acme/intro")
			if got := text(p, ".zone strong"); !strings.HasSuffix(got, want.offset) {
				t.Errorf("the second visit shows %s", got)
			}
			if got := requests.pageKinds(t); !slices.Equal(got, []string{"Document"}) {
				t.Errorf("the second visit asked for %v", got)
			}
			choose(t, p, `[aria-label="`+want.first+`"]`)
			grace.fillIn(t, p)
			follow(t, p, "#book button")
			wantText(t, p, "dd strong", want.booked)
			if got := text(p, ".booking"); !strings.Contains(got, want.offset) ||
				!strings.Contains(got, "For Ada Park: Monday 4 November 2030, ") {
				t.Errorf("the confirmation says %s", got)
			}
		})
	}
}

func TestZone_ThatWasChosenStays(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{zone: "America/New_York", locale: "en-GB"})
	visit(t, p, s.URL+"/acme/intro")
	p.MustWait(`() => document.querySelector(".zone strong").textContent.startsWith("America/New_York")`)
	press(t, p.MustElement("summary"))
	enter(t, p.MustElement("#tz"), "tokyo")
	choose(t, p, ".zone button")
	const label = "Asia/Tokyo, UTC+09:00"
	wantZone(t, p, label)
	choose(t, p, "#next")
	wantZone(t, p, label)
	choose(t, p, `[aria-label="Tuesday 17 December"]`)
	wantZone(t, p, label)
	choose(t, p, `[aria-label="Tuesday 17 December, 23:30"]`)
	wantText(t, p, ".picked p", label+" · Change")
	choose(t, p, ".picked a")
	wantZone(t, p, label)
}

// Tests cannot see the list that Chromium shows. They check that the options exist and that one works as it is.
func TestZone_PlacesAreOfferedWhileTyping(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := open(t, options{})
	visit(t, p, s.URL+"/acme/intro")
	press(t, p.MustElement("summary"))
	press(t, p.MustElement("#tz"))
	p.MustWait(`() => [...document.getElementById("places").options].some(o => o.value === "San Francisco (America/Los_Angeles)")`)
	enter(t, p.MustElement("#tz"), "San Francisco (America/Los_Angeles)")
	choose(t, p, ".zone button")
	wantZone(t, p, "America/Los_Angeles, UTC-08:00")
}

const nightShift = `
workspace: {slug: night, name: Night, time_zone: America/New_York}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {sun: ["00:30-02:30"]}}}
event_types:
  - {slug: shift, title: Shift, duration_minutes: 30, location: {type: video}}
`

func TestZone_TheHourThatComesTwiceIsToldApart(t *testing.T) {
	t.Parallel()
	s := startAt(t, time.Date(2030, 10, 30, 12, 0, 0, 0, time.UTC), nightShift)
	p := open(t, options{zone: "America/New_York", locale: "en-GB"})
	visit(t, p, s.URL+"/night/shift?date=2030-11-03")
	var times []string
	for _, a := range p.MustElements(".times a") {
		times = append(times, a.MustText())
	}
	want := []string{"00:30", "01:00 (UTC-04:00)", "01:30 (UTC-04:00)", "01:00 (UTC-05:00)", "01:30 (UTC-05:00)",
		"02:00"}
	if !slices.Equal(times, want) {
		t.Errorf("offered %q, want %q", times, want)
	}
	screenshot(t, p, "event-clocks-go-back")
	choose(t, p, `[aria-label="Sunday 3 November, 01:30 (UTC-05:00)"]`)
	grace.fillIn(t, p)
	follow(t, p, "#book button")
	if got := text(p, ".booking"); !strings.Contains(got, "01:30 UTC-05:00") &&
		!strings.Contains(got, "America/New_York, UTC-05:00") {
		t.Errorf("the confirmation says %s", got)
	}
	wantInvites(t, s, "20301103T063000Z")
}

func TestHours_AreCountedAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	for locale, want := range map[string]string{
		"en-US": "Tuesday 5 November, 2:30 pm; Sunday", "en-GB": "Tuesday 5 November, 14:30; Monday",
		"de-DE": "Tuesday 5 November, 14:30; Monday",
	} {
		t.Run(locale, func(t *testing.T) {
			t.Parallel()
			p := open(t, options{locale: locale})
			visit(t, p, s.URL+"/acme/intro?date=2030-11-05")
			got := p.MustEval(`() => document.querySelectorAll(".times a")[11].ariaLabel + "; " + document.querySelector("th .unseen").textContent`).Str()
			if got != want {
				t.Errorf("says %s, want %s", got, want)
			}
		})
	}
}
