package mail

import (
	"strings"
	"testing"
	"time"
)

func TestWhen_IsInTheRecipientsZone(t *testing.T) {
	for _, c := range []struct{ about, zone, want string }{
		{"theirs", "Asia/Kathmandu", "Tuesday 17 November 2026, 19:15–19:45 (Asia/Kathmandu, UTC+05:45)"},
		{"an unknown one", "Mars/Olympus", "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
		{"none", "", "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
	} {
		t.Run(c.about, func(t *testing.T) {
			n := sample(Booked, ToAttendee)
			n.Booking.Attendee.TimeZone, n.Workspace.TimeZone = c.zone, "Asia/Tokyo"
			_, r := compose(t, n)
			first, _, _ := strings.Cut(r.plain, "\n")
			if want := "Your booking is confirmed: Intro call with Ada Park on " + c.want + "."; first != want {
				t.Errorf("first line\n%s, want\n%s", first, want)
			}
			n.To, n.Workspace.TimeZone, n.Booking.Attendee.TimeZone = ToHost, c.zone, "Asia/Tokyo"
			if _, r := compose(t, n); !strings.Contains(r.plain, "When:        "+c.want+"\n") {
				t.Errorf("the host reads\n%s", r.plain)
			}
		})
	}
}

func TestMove_ShowsTheOldTimeWithItsOwnOffset(t *testing.T) {
	n := sample(Rescheduled, ToAttendee)
	n.OldStart = time.Date(2026, 10, 24, 8, 0, 0, 0, time.UTC)
	_, r := compose(t, n)
	const old = "Saturday 24 October 2026, 10:00 (Europe/Berlin, UTC+02:00)"
	if !strings.Contains(r.plain, "It was on "+old+".") ||
		!strings.Contains(r.html, "Old time: "+old+"</p>") {
		t.Error(r.plain, r.html)
	}
}

func TestReason_StandsInBothFacesOfAMoveAndACancelAlone(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		shown := n.Kind == Rescheduled || n.Kind == Canceled
		_, r := compose(t, n)
		if strings.Contains(r.plain, "Reason:      I am ill.") != shown ||
			strings.Contains(r.html, "I am ill.<br>Sorry!") != shown || strings.Contains(string(r.invite), "ill") {
			t.Error(r.plain, r.html)
		}
		n.Reason = ""
		if _, r := compose(t, n); strings.Contains(r.plain+r.html, "Reason") {
			t.Error(r.plain)
		}
	})
}

func TestSubject_KeepsTheTimeInSight(t *testing.T) {
	n := sample(Canceled, ToHost)
	n.Booking.EventTitle, n.Booking.Attendee.Name = strings.Repeat("Ä", 200), strings.Repeat("🙂", 200)
	_, r := compose(t, n)
	want := "Canceled: " + strings.Repeat("Ä", 59) + "… with " + strings.Repeat("🙂", 39) +
		"…, Tue 17 Nov 2026, 08:30 (America/New_York, UTC-05:00)"
	if got := r.decoded(t, "Subject"); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

func TestShorten_CutsOnlyWhatIsTooLong(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"abcde", "abcde"}, {"abcdef", "abcd…"}, {"äöüßé", "äöüßé"},
		{"äöüßéx", "äöüß…"}, {"abc def", "abc…"}} {
		if got := shorten(c[0], 5); got != c[1] {
			t.Errorf("shorten(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
