package inputs

import (
	"slices"
	"strings"
	"testing"

	"slotd/internal/web/owner/page"
)

func TestMinutes_AsPeopleTypeThem(t *testing.T) {
	for typed, want := range map[string]int{
		"30": 30, "0": 0, " 45 ": 45, "1h": 60, "1 h 30 m": 90, "1h30m": 90, "2 hours": 120, "1 Hour": 60,
		"1 day": 1440, "2 days, 3 hours": 3060, "1 week": 10080, "90 min": 90,
		"": -1, "h": -1, "1 fortnight": -1, "1.5 hours": -1, "-30": -30, "1 hour ago": -1, "٣٠": -1,
		"1h " + strings.Repeat("1h ", 100): -1,
	} {
		if got := readMinutes(typed); got != want {
			t.Errorf("%.40q is %d, want %d", typed, got, want)
		}
	}
	for minutes := range 3000 {
		if got := readMinutes(page.SpellMinutes(minutes)); got != minutes {
			t.Errorf("%d is spelled %s and read %d", minutes, page.SpellMinutes(minutes), got)
		}
	}
}

func TestMinutes_ListsReadBackAsSpelled(t *testing.T) {
	for _, minutes := range [][]int{{}, {60}, {1440, 60}, {10080, 1, 90, 40320}} {
		if got := readMinutesList(spellMinutes(minutes)); got == nil || !slices.Equal(got, minutes) {
			t.Errorf("%v became %v", minutes, got)
		}
	}
}
