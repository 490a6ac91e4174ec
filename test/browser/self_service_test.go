package browser

import (
	"strings"
	"testing"
)

func TestCancel_WithAReason(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	before := len(s.openSlots(t, "intro", "2030-11-04"))
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{})
	visit(t, p, s.URL+b.page)
	follow(t, p, `a[href*="/b/cancel/"]`)
	wantText(t, p, "h1", "Cancel this booking?")
	const reason = "The harbor is closed."
	enter(t, p.MustElement("#reason"), reason)
	follow(t, p, "#cancel button")
	// right after canceling, and on every later visit
	for _, path := range []string{"", b.cancel, b.page, b.reschedule} {
		if path != "" {
			visit(t, p, s.URL+path)
		}
		wantText(t, p, "h1", "This booking was canceled")
		if got := text(p, ".booking"); !strings.Contains(got, reason) {
			t.Errorf("%s does not say why: %s", path, got)
		}
		if p.MustHas("form") {
			t.Errorf("%s still has something to send", path)
		}
	}
	if mail := s.awaitMail(t, "ada@acme.example", "anceled"); !strings.Contains(mail.parts["text/plain"], reason) {
		t.Errorf("the host reads %s", mail.parts["text/plain"])
	}
	if after := len(s.openSlots(t, "intro", "2030-11-04")); after != before {
		t.Errorf("%d slots were open, and now %d", before, after)
	}
	follow(t, p, ".actions a")
	wantText(t, p, "h1", "Intro call")
}

func TestReschedule_ToANewTime(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+b.page)
	follow(t, p, `a[href*="/b/reschedule/"]`)
	wantShown(t, p, "November 2030; Tuesday 5 November; times") // the month and day of the booking
	if p.MustHas(`[aria-label="Tuesday 5 November, 15:00"]`) {
		t.Error("its own time is offered")
	}
	p.MustEval(`() => { window.marker = true }`)
	choose(t, p, "#next")
	choose(t, p, `[aria-label="Tuesday 17 December"]`)
	choose(t, p, `[aria-label="Tuesday 17 December, 14:30"]`)
	wantText(t, p, "h1", "Reschedule this booking?")
	wantText(t, p, "dd strong", "Tuesday 17 December 2030, 14:30–15:00")
	awaitSwap(p, func() { p.MustEval(`() => { history.back() }`) })
	wantShown(t, p, "December 2030; Tuesday 17 December; times")
	awaitSwap(p, func() { p.MustEval(`() => { history.forward() }`) })
	if !p.MustEval(`() => window.marker === true`).Bool() {
		t.Error("the page was loaded anew")
	}
	follow(t, p, "#move button")
	wantText(t, p, "h1", "Your booking was rescheduled")
	wantText(t, p, "dd strong", "Tuesday 17 December 2030, 14:30–15:00")
	if invite := s.awaitMail(t, grace.email, "Rescheduled").parts["text/calendar"]; !strings.Contains(invite,
		"DTSTART:20301217T143000Z") || !strings.Contains(invite, "SEQUENCE:1") {
		t.Errorf("the mail says %s", invite)
	}
}

// The time that was chosen is taken before the button is pressed.
func TestReschedule_LostRace(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{locale: "en-GB", expects: []string{"409"}})
	visit(t, p, s.URL+b.reschedule+"?slot="+takenSlot)
	s.bookAsOther(t, "intro", takenSlot)
	follow(t, p, "#move button")
	if got := text(p, "[role=alert]"); !strings.Contains(got, "no longer available") ||
		!strings.Contains(got, "Tuesday 5 November, 10:30") {
		t.Errorf("told %q", got)
	}
	choose(t, p, "[role=alert] li:last-child a")
	follow(t, p, "#move button")
	wantText(t, p, "dd strong", "Tuesday 5 November 2030, 10:30–11:00")
}

// Two tabs: the first cancels, the second still shows the question.
func TestCanceledMeanwhile_IsSaid(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{expects: []string{"409"}})
	visit(t, p, s.URL+b.reschedule+"?slot="+takenSlot)
	s.post(t, b.cancel, nil)
	follow(t, p, "#move button")
	wantText(t, p, "h1", "This booking was canceled")
}

func TestAttendeePages_UnknownLinksSaySo(t *testing.T) {
	t.Parallel()
	s := startAt(t, monday, office{}.file())
	b := s.bookByForm(t, "/acme/intro", grace, freeSlot)[0]
	p := open(t, options{expects: []string{"404"}})
	for _, path := range []string{"/b/cancel/x", "/b/reschedule/x", "/b/booking/x", b.cancel[:len(b.cancel)-1],
		strings.Replace(b.cancel, "cancel", "reschedule", 1)} {
		visit(t, p, s.URL+path)
		wantText(t, p, "h1", "Booking not found")
	}
}
