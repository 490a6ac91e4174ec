package when

import (
	"testing"
	"time"
)

func TestSpan_NamesWeekdayZoneAndOffset(t *testing.T) {
	for _, c := range []struct {
		about, zone, start string
		minutes            int
		want               string
	}{
		{"an ordinary day", "Europe/Berlin", "2026-11-17T13:30:00Z", 30,
			"Tuesday 17 November 2026, 14:30–15:00 (Europe/Berlin, UTC+01:00)"},
		{"summer", "Europe/Berlin", "2026-07-17T13:30:00Z", 30,
			"Friday 17 July 2026, 15:30–16:00 (Europe/Berlin, UTC+02:00)"},
		{"west", "America/St_Johns", "2026-11-17T13:30:00Z", 45,
			"Tuesday 17 November 2026, 10:00–10:45 (America/St_Johns, UTC-03:30)"},
		{"three quarters of an hour", "Asia/Kathmandu", "2026-11-17T13:30:00Z", 30,
			"Tuesday 17 November 2026, 19:15–19:45 (Asia/Kathmandu, UTC+05:45)"},
		{"another date than in UTC", "Pacific/Kiritimati", "2026-12-31T10:00:00Z", 30,
			"Friday 1 January 2027, 00:00–00:30 (Pacific/Kiritimati, UTC+14:00)"},
		{"ends at midnight", "Europe/Berlin", "2026-11-17T22:30:00Z", 30,
			"Tuesday 17 November 2026, 23:30 – Wednesday 18 November 2026, 00:00 (Europe/Berlin, UTC+01:00)"},
		{"ends on another day", "Asia/Kolkata", "2026-11-17T18:00:00Z", 90,
			"Tuesday 17 November 2026, 23:30 – Wednesday 18 November 2026, 01:00 (Asia/Kolkata, UTC+05:30)"},
		{"the repeated hour, first time", "Europe/Berlin", "2026-10-25T00:15:00Z", 30,
			"Sunday 25 October 2026, 02:15–02:45 (Europe/Berlin, UTC+02:00)"},
		{"the repeated hour, second time", "Europe/Berlin", "2026-10-25T01:15:00Z", 30,
			"Sunday 25 October 2026, 02:15–02:45 (Europe/Berlin, UTC+01:00)"},
		{"clocks go back meanwhile", "Europe/Berlin", "2026-10-25T00:30:00Z", 60,
			"Sunday 25 October 2026, 02:30 UTC+02:00 – 02:30 UTC+01:00 (Europe/Berlin)"},
		{"clocks go forward meanwhile", "America/New_York", "2026-03-08T06:30:00Z", 60,
			"Sunday 8 March 2026, 01:30 UTC-05:00 – 03:30 UTC-04:00 (America/New_York)"},
		{"half an hour's change", "Australia/Lord_Howe", "2026-10-03T15:00:00Z", 60,
			"Sunday 4 October 2026, 01:30 UTC+10:30 – 03:00 UTC+11:00 (Australia/Lord_Howe)"},
		{"both", "Europe/Berlin", "2026-10-24T21:30:00Z", 300,
			"Saturday 24 October 2026, 23:30 UTC+02:00 – Sunday 25 October 2026, 03:30 UTC+01:00 (Europe/Berlin)"},
		{"UTC", "UTC", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
		{"an unknown zone", "Mars/Olympus", "2026-11-17T13:30:00Z", 30,
			"Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
		{"no zone", "", "2026-11-17T13:30:00Z", 30, "Tuesday 17 November 2026, 13:30–14:00 (UTC+00:00)"},
	} {
		start := instant(t, c.start)
		s := InNamed(c.zone, false).Span(start, start.Add(time.Duration(c.minutes)*time.Minute))
		if got := s.String(); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.about, got, c.want)
		}
	}
}

func TestSpan_OnATwelveHourClock(t *testing.T) {
	for _, c := range []struct {
		about, zone, start string
		minutes            int
		want               string
	}{
		{"an ordinary day", "Europe/Berlin", "2026-11-17T13:30:00Z", 30,
			"Tuesday 17 November 2026, 2:30 pm–3:00 pm (Europe/Berlin, UTC+01:00)"},
		{"across noon", "Europe/Berlin", "2026-11-17T10:30:00Z", 30,
			"Tuesday 17 November 2026, 11:30 am–12:00 pm (Europe/Berlin, UTC+01:00)"},
		{"ends at midnight", "Europe/Berlin", "2026-11-17T22:30:00Z", 30,
			"Tuesday 17 November 2026, 11:30 pm – Wednesday 18 November 2026, 12:00 am (Europe/Berlin, UTC+01:00)"},
		{"clocks go back meanwhile", "America/New_York", "2026-11-01T05:30:00Z", 60,
			"Sunday 1 November 2026, 1:30 am UTC-04:00 – 1:30 am UTC-05:00 (America/New_York)"},
	} {
		start := instant(t, c.start)
		s := InNamed(c.zone, true).Span(start, start.Add(time.Duration(c.minutes)*time.Minute))
		if got := s.String(); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.about, got, c.want)
		}
	}
}
