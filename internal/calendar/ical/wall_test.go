package ical

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// instants finds exactly the minutes at which the clock shows the time.
func TestInstants_AreThoseAtWhichTheClockShowsIt(t *testing.T) {
	zones := []string{
		"America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo", "America/Havana",
		"Asia/Kathmandu",
		"Africa/Casablanca", "Antarctica/Troll", "Pacific/Kiritimati", "Etc/GMT+12", "UTC",
	}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		wall := nearTransition(t, zone)
		first, last, exists := instants(wall, zone)
		shown := minutesShowing(wall, zone)
		if exists != (len(shown) > 0) {
			t.Fatalf("%s: exists is %v, the clock shows it %d times", wall, exists, len(shown))
		}
		if exists && (!first.Equal(shown[0]) || !last.Equal(shown[len(shown)-1])) {
			t.Fatalf("%s: %s and %s, want %s", wall, first, last, shown)
		}
		if !exists && (clockAt(first, zone).After(wall) || clockAt(last, zone).Before(wall)) {
			t.Fatalf("%s: %s and %s are not on both sides of the gap", wall, first, last)
		}
	})
}

// nearTransition draws a wall time within hours of a clock change, if there is one.
func nearTransition(t *rapid.T, zone *time.Location) time.Time {
	at := time.Date(1985, 1, 1, 0, rapid.IntRange(0, 100*365*24*60).Draw(t, "minute"), 0, 0, time.UTC)
	if _, change := at.In(zone).ZoneBounds(); !change.IsZero() {
		at = change.UTC().Add(time.Duration(rapid.IntRange(-30*60, 30*60).Draw(t, "around")) * time.Minute)
	}
	return clockAt(at, zone).Add(time.Duration(rapid.IntRange(-120, 120).Draw(t, "off")) * time.Minute)
}

// clockAt returns what the clock shows, as if it were UTC.
func clockAt(at time.Time, zone *time.Location) time.Time {
	return at.UTC().Add(offsetAt(at, zone))
}

func minutesShowing(wall time.Time, zone *time.Location) (shown []time.Time) {
	for minute := -26 * 60; minute <= 26*60; minute++ {
		if at := wall.Add(time.Duration(minute) * time.Minute); clockAt(at, zone).Equal(wall) {
			shown = append(shown, at)
		}
	}
	return shown
}
