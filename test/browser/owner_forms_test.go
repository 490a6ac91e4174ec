package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// The space bar toggles the focused cell, however it got the focus.
func TestHoursGrid_KeysAreAboutTheCellWithTheFocus(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := s.openAs(t, s.session(t, "acme"), options{width: 1200, locale: "en-GB"})
	visit(t, p, s.URL+"/settings/hours/default")
	before := p.MustElement("#sun").MustProperty("value").Str()
	p.MustEval(`() => document.querySelector("[data-day='6'][data-row='20']").focus()`)
	must(t, p.Keyboard.Press(input.Space))
	if got := p.MustElement("#sun").MustProperty("value").Str(); got == before ||
		!strings.Contains(got, "10:00-10:30") {
		t.Errorf("Sunday is %q, was %q", got, before)
	}
	if got := p.MustEval(`() => [...document.querySelectorAll("[role=gridcell][tabindex='0']")].map((c) => c.dataset.day + "/" + c.dataset.row).join()`).Str(); got != "6/20" {
		t.Errorf("Tab leads to %s", got)
	}
	// marks the form as submitted, so that the browser does not ask whether to leave the page
	p.MustElement("#sun").MustEval(`() => this.form.dispatchEvent(new Event("submit"))`)
}

// The script has no sentences of its own: it fills in those of the page.
func TestHoursGrid_SpeaksThePagesSentences(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	p := s.openAs(t, s.session(t, "acme"), options{width: 1200, locale: "en-GB"})
	visit(t, p, s.URL+"/settings/hours/default")
	if got := text(p, "[data-first]"); got != "Copy Monday to Tuesday–Friday" {
		t.Errorf("at first the button says %q", got)
	}
	for i, want := range map[int]string{0: "Copy Monday to Tuesday–Friday", 2: "Copy Wednesday to the other weekdays",
		5: "Copy Saturday to Monday–Friday"} {
		p.MustEval(`(i) => {
			const days = document.getElementById("copy-day");
			days.selectedIndex = i;
			days.dispatchEvent(new Event("change"));
		}`, i)
		if got := text(p, "[data-first]"); got != want {
			t.Errorf("day %d: the button says %q, want %q", i, got, want)
		}
		if got, want := text(p, "[data-any]"), strings.Fields(want)[1]; got != "Copy "+want+" to every day" {
			t.Errorf("day %d: the other button says %q", i, got)
		}
	}
	cell := p.MustElement("[data-day='6'][data-row='20']")
	says := func(typed, wantLabel, wantStatus string) {
		t.Helper()
		p.MustEval(`(typed) => {
			const sunday = document.getElementById("sun");
			sunday.value = typed;
			sunday.dispatchEvent(new Event("input"));
		}`, typed)
		if got := *cell.MustAttribute("aria-label"); got != wantLabel {
			t.Errorf("the cell is %q, want %q", got, wantLabel)
		}
		cell.MustFocus()
		must(t, p.Keyboard.Press(input.Space))
		if got := text(p, "#status"); got != wantStatus {
			t.Errorf("the status is %q, want %q", got, wantStatus)
		}
	}
	says("10:00-10:15", "Sunday 10:00, partly open", "Sunday: 10:00-10:30")
	says("10:00-10:30", "Sunday 10:00", "Sunday: closed")
	says("nonsense", "Sunday 10:00", "Sunday: fix the hours you typed first.")
	if got := *p.MustElement("[role=grid]").MustAttribute("aria-label"); got != "Weekly hours" {
		t.Errorf("the grid is called %q", got)
	}
	p.MustElement("[data-any]").MustEval(`() => this.click()`)
	if got := text(p, "#status"); got != "Copied." {
		t.Errorf("the status is %q after copying", got)
	}
	p.MustElement("#sun").MustEval(`() => this.form.dispatchEvent(new Event("submit"))`) // no question before leaving
}

// Two owners edit the same event type: the second to save sees what the first one saved next to their own input.
func TestConflict_IsAPageThatReadsWell(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	session := s.session(t, "acme")
	mine := s.openAs(t, session, options{width: 1200, locale: "en-GB", expects: []string{"409"}})
	theirs := s.openAs(t, session, options{locale: "en-GB"})
	visit(t, mine, s.URL+"/settings/event-types/intro")
	visit(t, theirs, s.URL+"/settings/event-types/intro")
	enter(t, theirs.MustElement("#title"), "Theirs")
	enter(t, theirs.MustElement("#description"), "Theirs too")
	followLabel(t, theirs, "main button", "Save")
	enter(t, mine.MustElement("#title"), "Mine")
	followLabel(t, mine, "main button", "Save")
	if got := text(mine, "#theirs"); !strings.Contains(got, "Title is now “Theirs”.") ||
		!strings.Contains(got, "Description is now “Theirs too” (changed by") {
		t.Errorf("it says %s", got)
	}
	wantOwnerPage(t, mine, "conflict")
}
