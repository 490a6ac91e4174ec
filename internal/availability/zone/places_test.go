package zone

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestCities_AreWellFormedAndSorted(t *testing.T) {
	var before entry
	for number, line := range strings.Split(strings.TrimSuffix(cities, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, zone, _ := strings.Cut(line, "|")
		if _, err := Load(zone); err != nil {
			t.Errorf("line %d, %q: %v", number+1, line, err)
		}
		e := entry{Place{name, zone}, fold(name)}
		if e.folded == "" || name != strings.TrimSpace(name) || len(name) > 60 || !utf8.ValidString(name) ||
			strings.ContainsAny(name, "()|") {
			t.Errorf("line %d: %q is no name", number+1, name)
		}
		if byName(before, e) >= 0 {
			t.Errorf("line %d: %q does not come after %q", number+1, line, before.Name)
		}
		if e.folded == before.folded && zone == before.Zone {
			t.Errorf("line %d: %q is there twice", number+1, line)
		}
		if !isOffered(zone) {
			t.Errorf("line %d: %s is a former name", number+1, zone)
		}
		before = e
	}
}

// A line that only repeats the zone's own name would make the file longer for nothing.
func TestCities_SayMoreThanTheZones(t *testing.T) {
	for line := range strings.Lines(cities) {
		if name, zone, ok := strings.Cut(strings.TrimSpace(line), "|"); ok && name == cityOf(zone) {
			t.Errorf("%s is in the name of its zone %s", name, zone)
		}
	}
}

func TestPlaces_AreWhatAPersonMayBeOffered(t *testing.T) {
	places := Places()
	for _, want := range []Place{
		{"New York", "America/New_York"}, {"Buenos Aires", "America/Argentina/Buenos_Aires"},
		{"Port-au-Prince", "America/Port-au-Prince"},
		{"Zürich", "Europe/Zurich"}, {"São Paulo", "America/Sao_Paulo"}, {"Oslo", "Europe/Oslo"},
		{"Munich", "Europe/Berlin"}, {"Doha", "Asia/Qatar"},
	} {
		if !slices.Contains(places, want) {
			t.Errorf("%v is missing", want)
		}
	}
	for _, p := range places {
		if area, _, ok := strings.Cut(p.Zone, "/"); !ok ||
			slices.Contains([]string{"Etc", "US", "Canada", "Brazil", "Chile", "Mexico"}, area) {
			t.Errorf("%v is offered", p)
		}
		if strings.Contains(p.Name, "_") || len(label(p)) > maxTextLength {
			t.Errorf("%v does not read well", p)
		}
	}
}

func TestPlaces_ListEachOnceAndNoLinkTwice(t *testing.T) {
	db, err := database()
	must(t, err)
	data := func(e entry) []byte {
		content, err := fs.ReadFile(db.fsys, e.Zone)
		must(t, err)
		return content
	}
	entries := loadIndex().entries
	for i, e := range entries[1:] {
		if byName(entries[i], e) >= 0 {
			t.Errorf("%v comes after %v", e.Place, entries[i].Place)
		}
		for _, other := range entries[:i+1] {
			if other.folded == e.folded && bytes.Equal(data(other), data(e)) {
				t.Errorf("%v and %v are the same clocks under one name", other.Place, e.Place)
			}
		}
	}
}

// formerNames would hide a zone if a name were misspelled or became a zone again.
func TestFormerNames_ExistAndAreNotOffered(t *testing.T) {
	names := mustNames(t)
	for _, name := range formerNames {
		if !slices.Contains(names, name) || isOffered(name) {
			t.Errorf("%s is no zone, or offered", name)
		}
	}
}

func TestPlaces_AreTheCallersOwn(t *testing.T) {
	Places()[0].Name = "Nowhere"
	if Places()[0].Name == "Nowhere" {
		t.Error("a caller changed everybody's list")
	}
}

func TestIndex_LeavesOutZonesThatTheDatabaseLacks(t *testing.T) {
	a := newIndex([]string{"Asia/Tokyo", "Mars/Olympus", "UTC"},
		"# a comment|UTC\n\nKyoto|Asia/Tokyo\nMunich|Europe/Berlin\n")
	var got []Place
	for _, e := range a.entries {
		got = append(got, e.Place)
	}
	if want := []Place{{"Kyoto", "Asia/Tokyo"}, {"Tokyo", "Asia/Tokyo"}}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// label returns the label with which a page lists a place.
func label(p Place) string { return p.Name + " (" + p.Zone + ")" }

func TestCurrentName_KeepsTheSameTime(t *testing.T) {
	for former, present := range presentNames {
		a, b := MustLoad(former), MustLoad(present)
		if isOffered(former) || !isOffered(present) || CurrentName(former) != present ||
			CurrentName(present) != present {
			t.Errorf("%s and %s", former, present)
		}
		for year := 2020; year < 2040; year++ {
			for _, month := range []time.Month{1, 7} {
				if at := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC); a.Offset(at) != b.Offset(at) {
					t.Errorf("%s is not %s in %d", former, present, year)
				}
			}
		}
	}
}
