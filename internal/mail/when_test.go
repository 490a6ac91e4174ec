package mail

import (
	"strings"
	"testing"
	"time"
)

func TestWhen_NamesWeekdayZoneAndOffset(t *testing.T) {
	for _, c := range []struct {
		about, zone, start string
		minutes            int
		want               string
	}{
		{"an ordinary day", "Europe/Berlin", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 14:30–15:00 (Europe/Berlin, UTC+01:00)"},
		{"summer", "Europe/Berlin", "2026-07-17T13:30:00Z", 30, "Friday 17 July 2026, 15:30–16:00 (Europe/Berlin, UTC+02:00)"},
		{"west", "America/St_Johns", "2026-11-17T13:30:00Z", 45, "Tuesday 17 November 2026, 10:00–10:45 (America/St_Johns, UTC-03:30)"},
		{"three quarters of an hour", "Asia/Kathmandu", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 19:15–19:45 (Asia/Kathmandu, UTC+05:45)"},
		{"another date than in UTC", "Pacific/Kiritimati", "2026-12-31T10:00:00Z", 30, "Friday 1 January 2027, 00:00–00:30 (Pacific/Kiritimati, UTC+14:00)"},
		{"ends at midnight", "Europe/Berlin", "2026-11-17T22:30:00Z", 30, "Tuesday 17 November 2026, 23:30 – Wednesday 18 November 2026, 00:00 (Europe/Berlin, UTC+01:00)"},
		{"ends on another day", "Asia/Kolkata", "2026-11-17T18:00:00Z", 90, "Tuesday 17 November 2026, 23:30 – Wednesday 18 November 2026, 01:00 (Asia/Kolkata, UTC+05:30)"},
		{"the repeated hour, first time", "Europe/Berlin", "2026-10-25T00:15:00Z", 30, "Sunday 25 October 2026, 02:15–02:45 (Europe/Berlin, UTC+02:00)"},
		{"the repeated hour, second time", "Europe/Berlin", "2026-10-25T01:15:00Z", 30, "Sunday 25 October 2026, 02:15–02:45 (Europe/Berlin, UTC+01:00)"},
		{"clocks go back meanwhile", "Europe/Berlin", "2026-10-25T00:30:00Z", 60, "Sunday 25 October 2026, 02:30 UTC+02:00 – 02:30 UTC+01:00 (Europe/Berlin)"},
		{"clocks go forward meanwhile", "America/New_York", "2026-03-08T06:30:00Z", 60, "Sunday 8 March 2026, 01:30 UTC-05:00 – 03:30 UTC-04:00 (America/New_York)"},
		{"half an hour's change", "Australia/Lord_Howe", "2026-10-03T15:00:00Z", 60, "Sunday 4 October 2026, 01:30 UTC+10:30 – 03:00 UTC+11:00 (Australia/Lord_Howe)"},
		{"both", "Europe/Berlin", "2026-10-24T21:30:00Z", 300, "Saturday 24 October 2026, 23:30 UTC+02:00 – Sunday 25 October 2026, 03:30 UTC+01:00 (Europe/Berlin)"},
		{"UTC", "UTC", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
		{"an unknown zone", "Mars/Olympus", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
		{"no zone", "", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
	} {
		t.Run(c.about, func(t *testing.T) {
			n := sample(Booked, ToAttendee)
			n.Booking.Attendee.TimeZone = c.zone
			n.Booking.StartsAt, _ = time.Parse(time.RFC3339, c.start)
			n.Booking.EndsAt = n.Booking.StartsAt.Add(time.Duration(c.minutes) * time.Minute)
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
	n.Was = time.Date(2026, 10, 24, 8, 0, 0, 0, time.UTC)
	_, r := compose(t, n)
	const old = "Saturday 24 October 2026, 10:00 (Europe/Berlin, UTC+02:00)"
	if !strings.Contains(r.plain, "It was on "+old+".") || !strings.Contains(r.html, "Before: "+strings.ReplaceAll(old, "+", "&#43;")+"</p>") {
		t.Error(r.plain, r.html)
	}
}

func TestSubject_KeepsTheTimeInSight(t *testing.T) {
	n := sample(Canceled, ToHost)
	n.Booking.EventTitle, n.Booking.Attendee.Name = strings.Repeat("Ä", 200), strings.Repeat("🙂", 200)
	_, r := compose(t, n)
	want := "Canceled: " + strings.Repeat("Ä", 59) + "… with " + strings.Repeat("🙂", 39) + "…, Tue 17 Nov 2026, 08:30 (America/New_York, UTC-05:00)"
	if got := r.decoded(t, "Subject"); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

func TestShorten_CutsOnlyWhatIsTooLong(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"abcde", "abcde"}, {"abcdef", "abcd…"}, {"äöüßé", "äöüßé"}, {"äöüßéx", "äöüß…"}, {"abc def", "abc…"}} {
		if got := shorten(c[0], 5); got != c[1] {
			t.Errorf("shorten(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
