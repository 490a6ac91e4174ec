package holidays

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rickar/cal/v2"

	"slotd/internal/availability/zone"
)

func TestIn_TheDaysThatEverybodyKnows(t *testing.T) {
	for _, c := range []struct{ code, date, name string }{
		{"de", "2027-03-26", "Karfreitag"},
		{"de", "2027-10-03", "Tag der Deutschen Einheit"},
		{"de-by", "2027-11-01", "Allerheiligen"},
		{"us", "2027-11-25", "Thanksgiving Day"},
		{"us", "2027-07-04", "Independence Day"},
		{"us", "2027-07-05", "Independence Day (observed)"},
		{"gb", "2027-12-27", "Christmas Day (observed)"},
		{"fr", "2027-07-14", "Fête nationale"},
		{"jp", "2027-02-23", "Emperor's Birthday"},
		{"au", "2027-04-25", "Anzac Day"},
		{"au-vic", "2027-11-02", "Melbourne Cup"},
	} {
		got := In(c.code, date(c.date), date(c.date)+1)
		if len(got) != 1 || !strings.Contains(strings.ToLower(got[0].Name), strings.ToLower(c.name)) {
			t.Errorf("%s %s: %v, want %s", c.code, c.date, got, c.name)
		}
	}
}

func TestIn_WhatIsObservedInTheYearBeforeIsThere(t *testing.T) {
	// 1 January 2028 is a Saturday, and observed on the Friday before.
	got := In("us", date("2027-12-31"), date("2028-01-01"))
	if len(got) != 1 || got[0].Name != "New Year's Day (observed)" {
		t.Errorf("%v", got)
	}
}

func TestIn_AnyCountryAnyYearInOrderAndInside(t *testing.T) {
	from, until := date("2000-01-01"), date("2100-12-31")
	for _, c := range Countries() {
		got := In(c.Code, from, until)
		if len(got) < 100*4 {
			t.Errorf("%s: only %d in a century", c.Name, len(got))
		}
		for i, h := range got {
			if h.Date < from || h.Date >= until || i > 0 && h.Date <= got[i-1].Date || strings.TrimSpace(h.Name) == "" {
				t.Fatalf("%s: %v after %v", c.Name, h, got[max(i-1, 0)])
			}
		}
	}
	if got := In("xx", from, until); got != nil || Name("xx") != "" {
		t.Errorf("a country that is none has %v", got)
	}
	if got := In("de", until, from); got != nil {
		t.Errorf("a range that ends before it begins has %v", got)
	}
}

// The library computes in a time zone. If clocks are set forward at midnight there, a holiday would move to the day
// before.
func TestIn_TheServersZoneHasNoSay(t *testing.T) {
	if cal.DefaultLoc != time.UTC {
		t.Error("the library counts in", cal.DefaultLoc)
	}
}

func TestCountries_AreAllThatTheLibraryHas(t *testing.T) {
	all := Countries()
	if !slices.IsSortedFunc(all, func(a, b Country) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not by name")
	}
	for _, code := range libraryPackages(t) {
		listed := slices.ContainsFunc(all,
			func(c Country) bool { return c.Code == code && c.Name != "" && c.Name == Name(code) })
		isCountry := code != "aa" && code != "ecb" && code != "nc" && code != "tests"
		if listed != isCountry {
			t.Errorf("%s: listed: %t", code, listed)
		}
	}
}

func libraryPackages(t *testing.T) (names []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/rickar/cal/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			names = append(names, filepath.Base(f))
		}
	}
	if len(names) < 30 {
		t.Fatal(names)
	}
	return names
}

func date(s string) zone.Date {
	d, err := zone.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}
