package zone

import (
	"testing"
	"time"
)

// The time repeats from the first occurrence of the first minute until the second occurrence of the last one.
func TestRepeats_BothOccurrencesAndNoMinuteMore(t *testing.T) {
	for _, row := range []struct{ zone, from, until string }{
		{"America/New_York", "2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z"},
		{"America/New_York", "2099-11-01T05:00:00Z", "2099-11-01T07:00:00Z"},
		{"Europe/London", "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"},
		{"Australia/Lord_Howe", "2026-04-04T14:30:00Z", "2026-04-04T15:30:00Z"}, // half an hour
		{"Africa/Casablanca", "2026-02-15T01:00:00Z", "2026-02-15T03:00:00Z"},   // set back for Ramadan
		{"America/St_Johns", "2010-11-07T01:31:00Z", "2010-11-07T03:31:00Z"},    // across midnight
		{"Antarctica/Casey", "2010-03-04T12:00:00Z", "2010-03-04T18:00:00Z"},    // three hours
	} {
		z, from, until := MustLoad(row.zone), instant(t, row.from), instant(t, row.until)
		for at := from.Add(-time.Minute); !at.After(until); at = at.Add(time.Minute) {
			want := !at.Before(from) && at.Before(until)
			if z.Repeats(at) != want || z.Repeats(at.Add(time.Minute-1)) != want {
				t.Errorf("%s at %s repeats: %v, want %v", row.zone, at, !want, want)
			}
		}
	}
}

func TestRepeats_NotWhereNothingIsPutBack(t *testing.T) {
	for _, row := range []struct{ zone, around string }{
		{"America/New_York", "2026-03-08T07:00:00Z"}, // clocks are set forward
		{"Africa/Casablanca", "2026-03-22T02:00:00Z"},
		{"Pacific/Apia", "2011-12-30T10:00:00Z"}, // a whole day is skipped
		{"Asia/Kolkata", "2026-10-25T01:00:00Z"},
		{"UTC", "2026-11-01T06:00:00Z"},
		{"America/New_York", "0001-01-01T00:00:00Z"}, // before the table, and after it
		{"America/New_York", "9999-11-01T06:00:00Z"},
	} {
		z, around := MustLoad(row.zone), instant(t, row.around)
		for minutes := -180; minutes <= 180; minutes++ {
			if at := around.Add(time.Duration(minutes) * time.Minute); z.Repeats(at) {
				t.Errorf("%s at %s repeats", row.zone, at)
			}
		}
	}
}

// An instant repeats if and only if the wall clock shows the same minute at another instant nearby.
func TestRepeats_IffAnotherInstantShowsTheSameMinute(t *testing.T) {
	const near, minute = 3 * 3600, 60
	for _, name := range []string{
		"America/New_York", "Europe/London", "Australia/Lord_Howe", "Africa/Casablanca", "Africa/Cairo",
		"America/Santiago", "America/St_Johns",
		"Atlantic/Azores", "Asia/Tehran", "Pacific/Apia", "Antarctica/Casey", "Antarctica/Troll", "Asia/Kolkata",
	} {
		z := MustLoad(name)
		z.once.Do(z.findChanges)
		for _, change := range z.changes {
			seen := map[int64]int{}
			for at := change - 3*near; at <= change+3*near; at += minute {
				seen[wallMinute(z, at)]++
			}
			for at := change - 2*near; at <= change+2*near; at += minute {
				if want := seen[wallMinute(z, at)] > 1; z.Repeats(time.Unix(at, 0)) != want {
					t.Errorf("%s at %s repeats: %v", name, time.Unix(at, 0).UTC(), !want)
				}
			}
		}
		for range 100 {
			at := between(tableFrom, tableUntil)
			if got, want := z.Repeats(time.Unix(at, 0)), shownAgain(z, at, near); got != want {
				t.Errorf("%s at %s repeats: %v", name, time.Unix(at, 0).UTC(), got)
			}
		}
	}
}

func shownAgain(z *Zone, unix, near int64) bool {
	for other := unix - near; other <= unix+near; other += 60 {
		if other != unix && wallMinute(z, other) == wallMinute(z, unix) {
			return true
		}
	}
	return false
}

// wallMinute uses the time package, not the table that is under test.
func wallMinute(z *Zone, unix int64) (minute int64) {
	return floorDiv(unix+z.offsetFromLocation(unix), 60)
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	must(t, err)
	return at
}
