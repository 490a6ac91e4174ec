package when

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"slotd/internal/availability/zone"
)

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestTime_TellsTheRepeatedHourApart(t *testing.T) {
	for _, c := range []struct{ about, zone, at, hours24, hours12 string }{
		{"the day before", "America/New_York", "2026-10-31T05:30:00Z", "01:30", "1:30 am"},
		{"the minute before the overlap", "America/New_York", "2026-11-01T04:59:00Z", "00:59", "12:59 am"},
		{"the overlap's first minute", "America/New_York", "2026-11-01T05:00:00Z", "01:00 (UTC-04:00)",
			"1:00 am (UTC-04:00)"},
		{"the first 01:30", "America/New_York", "2026-11-01T05:30:00Z", "01:30 (UTC-04:00)", "1:30 am (UTC-04:00)"},
		{"the second 01:30", "America/New_York", "2026-11-01T06:30:00Z", "01:30 (UTC-05:00)", "1:30 am (UTC-05:00)"},
		{"the overlap's last minute", "America/New_York", "2026-11-01T06:59:00Z", "01:59 (UTC-05:00)",
			"1:59 am (UTC-05:00)"},
		{"the minute after the overlap", "America/New_York", "2026-11-01T07:00:00Z", "02:00", "2:00 am"},
		{"the day after", "America/New_York", "2026-11-02T06:30:00Z", "01:30", "1:30 am"},
		{"the skipped hour", "America/New_York", "2026-03-08T07:00:00Z", "03:00", "3:00 am"},
		{"before London's", "Europe/London", "2026-10-24T23:59:00Z", "00:59", "12:59 am"},
		{"London's first", "Europe/London", "2026-10-25T00:30:00Z", "01:30 (UTC+01:00)", "1:30 am (UTC+01:00)"},
		{"London's second", "Europe/London", "2026-10-25T01:30:00Z", "01:30 (UTC+00:00)", "1:30 am (UTC+00:00)"},
		{"after London's", "Europe/London", "2026-10-25T02:00:00Z", "02:00", "2:00 am"},
		{"before half an hour", "Australia/Lord_Howe", "2026-04-04T14:29:00Z", "01:29", "1:29 am"},
		{"half an hour, first", "Australia/Lord_Howe", "2026-04-04T14:45:00Z", "01:45 (UTC+11:00)",
			"1:45 am (UTC+11:00)"},
		{"half an hour, second", "Australia/Lord_Howe", "2026-04-04T15:15:00Z", "01:45 (UTC+10:30)",
			"1:45 am (UTC+10:30)"},
		{"after half an hour", "Australia/Lord_Howe", "2026-04-04T15:30:00Z", "02:00", "2:00 am"},
		{"late in the evening", "Africa/Cairo", "2026-10-29T21:30:00Z", "23:30 (UTC+02:00)", "11:30 pm (UTC+02:00)"},
		{"never", "Asia/Kathmandu", "2026-11-01T05:30:00Z", "11:15", "11:15 am"},
		{"UTC", "UTC", "2026-11-01T05:30:00Z", "05:30", "5:30 am"},
	} {
		at := instant(t, c.at)
		if got := InNamed(c.zone, false).Time(at); got != c.hours24 {
			t.Errorf("%s: %s in %s is %q, want %q", c.about, c.at, c.zone, got, c.hours24)
		}
		if got := InNamed(c.zone, true).Time(at); got != c.hours12 {
			t.Errorf("%s: %s in %s is %q, want %q", c.about, c.at, c.zone, got, c.hours12)
		}
	}
}

func TestTime_BothKindsOfClock(t *testing.T) {
	for hours24, hours12 := range map[string]string{
		"00:00": "12:00 am", "00:59": "12:59 am", "01:00": "1:00 am", "09:05": "9:05 am", "11:59": "11:59 am",
		"12:00": "12:00 pm", "12:30": "12:30 pm", "13:00": "1:00 pm", "14:30": "2:30 pm", "22:00": "10:00 pm",
		"23:59": "11:59 pm",
	} {
		at := instant(t, "2026-11-17T"+hours24+":59Z") // seconds are cut off, not rounded
		if got := (Local{}).Time(at); got != hours24 {
			t.Errorf("%s became %s", hours24, got)
		}
		if got := (Local{twelveHour: true}).Time(at); got != hours12 {
			t.Errorf("%s became %s, want %s", hours24, got, hours12)
		}
	}
}

func TestInstant_InEveryLength(t *testing.T) {
	berlin, at := zone.MustLoad("Europe/Berlin"), time.Date(2026, 11, 7, 13, 30, 0, 0, time.UTC)
	l, twelve := In(berlin, false), In(berlin, true)
	for _, c := range [][2]string{
		{l.ZoneName(), "Europe/Berlin"},
		{l.Zone().Name(), "Europe/Berlin"},
		{l.DayOfYear(at), "Saturday 7 November"},
		{l.Day(at), "Saturday 7 November 2026"},
		{l.At(at), "Europe/Berlin, UTC+01:00"},
		{l.Instant(at), "Saturday 7 November 2026, 14:30 (Europe/Berlin, UTC+01:00)"},
		{l.ShortInstant(at), "Sat 7 Nov 2026, 14:30 (Europe/Berlin, UTC+01:00)"},
		{twelve.Instant(at), "Saturday 7 November 2026, 2:30 pm (Europe/Berlin, UTC+01:00)"},
		{twelve.ShortInstant(at), "Sat 7 Nov 2026, 2:30 pm (Europe/Berlin, UTC+01:00)"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
}

func TestInstant_SaysTheRepeatedHoursOffsetOnce(t *testing.T) {
	l, at := InNamed("America/New_York", true), instant(t, "2026-11-01T05:30:00Z")
	for _, c := range [][2]string{
		{l.Instant(at), "Sunday 1 November 2026, 1:30 am (America/New_York, UTC-04:00)"},
		{l.ShortInstant(at), "Sun 1 Nov 2026, 1:30 am (America/New_York, UTC-04:00)"},
		{l.Span(at, at.Add(10*time.Minute)).String(),
			"Sunday 1 November 2026, 1:30 am–1:40 am (America/New_York, UTC-04:00)"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
}

func TestInNamed_FallsBackToUTC(t *testing.T) {
	at := instant(t, "2026-11-17T13:30:00Z")
	for _, name := range []string{"UTC", "", "Local", "Mars/Olympus"} {
		l := InNamed(name, false)
		if l != In(zone.MustLoad("UTC"), false) || l.ZoneName() != "UTC" || l.At(at) != "UTC+00:00" {
			t.Errorf("%q became %s, %s", name, l.ZoneName(), l.At(at))
		}
	}
}

// The program opens the tz database only once, so this test runs another process without one.
func TestInNamed_WithoutATzDatabase(t *testing.T) {
	if os.Getenv("SLOTD_TEST_NO_ZONES") != "" {
		l, at := InNamed("Europe/Berlin", false), time.Date(2026, 11, 17, 13, 30, 0, 0, time.FixedZone("", 3600))
		os.Stdout.WriteString(l.Instant(at) + "; " + l.Time(at) + "; " + l.ZoneName())
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestInNamed_WithoutATzDatabase$")
	cmd.Env = append(os.Environ(), "SLOTD_TEST_NO_ZONES=1", "ZONEINFO="+t.TempDir()+"/missing")
	out, err := cmd.CombinedOutput()
	if want := "Tuesday 17 November 2026, 12:30 (UTC+00:00); 12:30; UTC"; err != nil ||
		!strings.Contains(string(out), want) {
		t.Errorf("%v\n%s, want\n%s", err, out, want)
	}
}

// The hand-written formatting must agree with time.Format, which is slower.
func TestWords_AreThoseOfTimeFormat(t *testing.T) {
	names, err := zone.Names()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		z := zone.MustLoad(rapid.SampledFrom(names).Draw(t, "zone"))
		at := time.Unix(rapid.Int64Range(946684800, 4133980799).Draw(t, "unix"), 0) // 2000 to 2100
		wall := at.In(z.Location())
		clock, twelve := In(z, false).Time(at), In(z, true).Time(at)
		if z.Repeats(at) {
			clock, twelve = strings.TrimSuffix(clock, wall.Format(" (UTC-07:00)")),
				strings.TrimSuffix(twelve, wall.Format(" (UTC-07:00)"))
		}
		for _, c := range [][2]string{
			{clock, "15:04"}, {twelve, "3:04 pm"}, {In(z, true).Day(at), "Monday 2 January 2006"},
			{In(z, true).DayOfYear(at), "Monday 2 January"},
		} {
			if want := wall.Format(c[1]); c[0] != want {
				t.Errorf("%q, want %q", c[0], want)
			}
		}
	})
}

// On a page of times, no two minutes may read the same, not even on the days around a clock change.
func TestDayAndTime_NameOneMinuteOnly(t *testing.T) {
	for name, change := range map[string]string{
		"America/New_York": "2026-11-01T06:00:00Z", "Europe/London": "2026-10-25T01:00:00Z",
		"Australia/Lord_Howe": "2026-04-04T15:00:00Z",
		"Africa/Cairo":        "2026-10-29T21:00:00Z", "America/St_Johns": "2010-11-07T02:31:00Z",
		"Antarctica/Casey": "2010-03-04T15:00:00Z",
	} {
		for _, l := range []Local{InNamed(name, false), InNamed(name, true)} {
			seen := map[string]time.Time{}
			for minutes := -36 * 60; minutes < 36*60; minutes++ {
				at := instant(t, change).Add(time.Duration(minutes) * time.Minute)
				words := l.DayOfYear(at) + ", " + l.Time(at)
				if other, twice := seen[words]; twice {
					t.Fatalf("%s: both %s and %s are %s", name, other, at, words)
				}
				seen[words] = at
			}
		}
	}
}

func TestTimeAndDayOfYear_AllocateOnce(t *testing.T) {
	l, at := InNamed("Europe/Berlin", true), instant(t, "2026-11-17T13:30:00Z")
	if n := testing.AllocsPerRun(100, func() { l.Time(at) }); n > 1 {
		t.Errorf("Time allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { l.DayOfYear(at) }); n > 1 {
		t.Errorf("DayOfYear allocates %v times", n)
	}
}
