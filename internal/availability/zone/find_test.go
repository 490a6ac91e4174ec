package zone

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func found(text string, limit int) []Place {
	places, _ := Find(text, limit)
	return places
}

func TestFind_SaysWhetherTheNameIsExact(t *testing.T) {
	for text, want := range map[string]bool{
		"Berlin": true, "berlin": true, "Europe/Berlin": true, "Berlin (Europe/Berlin)": true, "India": true,
		"IST": true, "EST": true, "UTC+2": true, "portland": true,
		"Berl": false, "fort": false, "Mountain": false, "nowhere": false, "": false,
	} {
		if _, exact := Find(text, 9); exact != want {
			t.Errorf("Find(%q): %v", text, exact)
		}
	}
}

func TestFind_WhatPeopleMean(t *testing.T) {
	for text, want := range map[string]string{
		"India": "Asia/Kolkata", "France": "Europe/Paris", "Spain": "Europe/Madrid", "EST": "America/New_York",
		"mst": "America/Denver", "sf": "America/Los_Angeles", "uk": "Europe/London",
		"UTC+2": "Etc/GMT-2", "gmt -05:00": "Etc/GMT+5", "+0": "Etc/GMT-0", "UTC": "UTC", "utc+14": "Etc/GMT-14",
		"Singapore": "Asia/Singapore",
	} {
		if got := found(text, 9); len(got) != 1 || got[0].Zone != want {
			t.Errorf("Find(%q) = %v, want %s", text, got, want)
		}
	}
	for _, text := range []string{"UTC+15", "UTC+5:30", "UTC+", "+", "-", "UTC--2", "UTC+-2", "UTC+2a", "GMTUTC"} {
		if got := found(text, 9); got != nil {
			t.Errorf("Find(%q) = %v", text, got)
		}
	}
	if got := found("IST", 9); len(got) != 3 {
		t.Errorf("IST is %v", got)
	}
}

func TestFind_ExactZoneInAnyCaseIsTheOnlyOne(t *testing.T) {
	for _, name := range mustNames(t) {
		if !strings.Contains(name, "/") && loadIndex().hasPlace(name) {
			continue // EST and similar names mean what people mean by them
		}
		for _, text := range []string{name, strings.ToLower(name), strings.ToUpper(name), " " + name + "\t",
			strings.ReplaceAll(name, "_", " ")} {
			if got := found(text, 9); len(got) != 1 || got[0].Zone != name {
				t.Errorf("Find(%q) = %v", text, got)
			}
		}
	}
	for text, want := range map[string]Place{
		"europe/berlin": {"Berlin", "Europe/Berlin"}, "AMERICA/SAO_PAULO": {"São Paulo", "America/Sao_Paulo"},
		"america/new york": {"New York", "America/New_York"},
		"utc":              {"UTC", "UTC"}, "etc/gmt+5": {"Etc/GMT+5", "Etc/GMT+5"},
		"us/pacific": {"US/Pacific", "US/Pacific"}, "Asia/Calcutta": {"Asia/Calcutta", "Asia/Calcutta"},
	} {
		if got := found(text, 9); !slices.Equal(got, []Place{want}) {
			t.Errorf("Find(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestFind_PutsTheBestFirst(t *testing.T) {
	for text, want := range map[string]string{
		"sao paulo": "São Paulo (America/Sao_Paulo)", "São  Paulo": "São Paulo (America/Sao_Paulo)",
		"Sa\u0303o Paulo": "São Paulo (America/Sao_Paulo)",
		"new-york":        "New York (America/New_York)", "NEW_YORK": "New York (America/New_York)",
		"  new \u00a0 york ": "New York (America/New_York)",
		"zurich":             "Zürich (Europe/Zurich)", "st johns": "St. John's (America/Antigua)",
		"XIAN": "Xi'an (Asia/Shanghai)", "Xi’an": "Xi'an (Asia/Shanghai)",
		"washington": "Washington (America/New_York)", "Washington, D.C.": "Washington DC (America/New_York)",
		"san fr":  "San Francisco (America/Los_Angeles)",
		"janeiro": "Rio de Janeiro (America/Sao_Paulo)", "de jan": "Rio de Janeiro (America/Sao_Paulo)",
		"łódź": "Łódź (Europe/Warsaw)", "Lodz": "Łódź (Europe/Warsaw)",
		"tromso": "Tromsø (Europe/Oslo)", "İzmir": "Izmir (Europe/Istanbul)", "KÖLN": "Köln (Europe/Berlin)",
		"HÀ NỘI": "Hà Nội (Asia/Ho_Chi_Minh)", "hanoi": "Hanoi (Asia/Ho_Chi_Minh)",
		"kiev": "Kiev (Europe/Kyiv)", "saigon": "Saigon (Asia/Ho_Chi_Minh)", "bombay": "Bombay (Asia/Kolkata)",
		"wien": "Wien (Europe/Vienna)",
		"doha": "Doha (Asia/Qatar)", "yellowknife": "Yellowknife (America/Edmonton)",
		"canberra": "Canberra (Australia/Sydney)", "pierre": "Pierre (America/Chicago)",
		"fredericton": "Fredericton (America/Moncton)", "bern": "Bern (Europe/Zurich)", "roma": "Roma (Europe/Rome)",
		"rom":  "Rom (Europe/Rome)",
		"rome": "Rome (Europe/Rome)",
		"york": "York (Europe/London)", "ondon": "",
		"Bangalore": "Bangalore (Asia/Kolkata)", "mumbai": "Mumbai (Asia/Kolkata)",
		"München": "München (Europe/Berlin)", "Monaco di Baviera": "Monaco di Baviera (Europe/Berlin)",
		"Geneva": "Geneva (Europe/Zurich)", "Ciudad Juárez": "Ciudad Juárez (America/Ciudad_Juarez)", "aolo": "", "atlantis": "", "berlin wall": "", "/": "", "(": "",
		"()": "", ")": "", "Москва": "",
	} {
		got := found(text, 9)
		if want == "" && got != nil || want != "" && (len(got) == 0 || label(got[0]) != want) {
			t.Errorf("Find(%q) = %v, want %s first", text, got, want)
		}
	}
}

func TestFind_ListsTheNameAloneOrStartsBeforeWords(t *testing.T) {
	a := newIndex([]string{"Europe/London", "Asia/Tokyo"}, strings.Join([]string{
		"A Mar|Asia/Tokyo", "Amar|Asia/Tokyo", "Mar|Asia/Tokyo", "Mar|Europe/London", "Mar del Plata|Asia/Tokyo",
		"Marburg|Asia/Tokyo", "Viña del Mar|Asia/Tokyo",
	}, "\n"), "")
	want := []Place{
		{"Mar", "Asia/Tokyo"}, {"Mar", "Europe/London"}, {"Mar del Plata", "Asia/Tokyo"}, {"Marburg", "Asia/Tokyo"},
		{"A Mar", "Asia/Tokyo"}, {"Viña del Mar", "Asia/Tokyo"},
	}
	if got, _ := a.search("ma"); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got, _ := a.search("mar"); !slices.Equal(got, want[:2]) {
		t.Errorf("%v", got)
	}
}

func TestFind_SharedNamesAreAllFound(t *testing.T) {
	for text, want := range map[string][]string{
		"portland":   {"America/Los_Angeles", "America/New_York"},
		"Birmingham": {"America/Chicago", "Europe/London"},
		"cordoba":    {"America/Argentina/Cordoba", "Europe/Madrid"},
		"san jose":   {"America/Los_Angeles", "America/Costa_Rica"},
		"hamilton":   {"America/Toronto", "Atlantic/Bermuda", "Pacific/Auckland"},
	} {
		var zones []string
		for _, p := range found(text, len(want)) {
			zones = append(zones, p.Zone)
		}
		if !slices.Equal(zones, want) {
			t.Errorf("Find(%q) is in %v, want %v", text, zones, want)
		}
	}
}

// A label that a page lists must find exactly that place when a guest sends it, and so must the bare name.
func TestFind_TakesBackWhatItListed(t *testing.T) {
	for _, p := range Places() {
		for _, text := range []string{label(p), strings.ToUpper(label(p)), p.Name + "(" + p.Zone + ") "} {
			if got := found(text, 9); !slices.Equal(got, []Place{p}) {
				t.Errorf("Find(%q) = %v", text, got)
			}
		}
		if _, isZone := loadIndex().zones[zoneKey(p.Name)]; !isZone && !slices.Contains(found(p.Name, 9), p) {
			t.Errorf("Find(%q) does not find %v", p.Name, p)
		}
	}
	for _, text := range []string{"UTC (UTC)", "Etc/GMT+5 (Etc/GMT+5)"} {
		if got := found(text, 9); len(got) != 1 || label(got[0]) != text {
			t.Errorf("Find(%q) = %v", text, got)
		}
	}
	if got := found("San Francisco (Europe/Berlin)", 9); got != nil {
		t.Errorf("a city in another city's zone is %v", got)
	}
}

func TestFind_RefusesWhatNobodyTypes(t *testing.T) {
	for _, text := range []string{"", " ", "\t\n", "-", "...", "\x00", "\xff", "Berlin\xff",
		"Europe/Berlin" + strings.Repeat(" ", 88), strings.Repeat("a", 1<<20)} {
		if got := found(text, 9); got != nil {
			t.Errorf("Find(%.40q) = %v", text, got)
		}
	}
	if got := found("Europe/Berlin"+strings.Repeat(" ", 87), 9); len(got) != 1 {
		t.Errorf("100 bytes are too many: %v", got)
	}
}

func TestFind_GivesNoMoreThanAskedFor(t *testing.T) {
	for limit, want := range map[int]int{-1: 0, 0: 0, 1: 1, 2: 2, 5: 5} {
		if got := found("san", limit); len(got) != want || want == 0 && got != nil {
			t.Errorf("Find(san, %d) = %v", limit, got)
		}
	}
}

func TestFind_WithAnUnreadableDatabase(t *testing.T) {
	before := loadIndex
	t.Cleanup(func() { loadIndex = before })
	loadIndex = func() *index { return &index{} }
	if found("Berlin", 9) != nil || found("Berlin (Europe/Berlin)", 9) != nil || len(Places()) != 0 {
		t.Error("places came from somewhere else")
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{"san", "Zürich", "(", "a (b", ")(", "America/New_York", "İ", "Sa\u0303o", "\xff", "ſ",
		"K"} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		places := found(text, limit)
		if len(places) > max(limit, 0) || len(places) > 0 && !utf8.ValidString(text) {
			t.Fatalf("Find(%q, %d) = %v", text, limit, places)
		}
		for _, p := range places {
			if _, err := Load(p.Zone); err != nil {
				t.Fatal(err)
			}
			if again := found(label(p), 9); !slices.Equal(again, []Place{p}) {
				t.Fatalf("Find(%q) = %v", label(p), again)
			}
		}
		if once := Fold(text); Fold(once) != once {
			t.Fatalf("%q folds to %q and on to %q", text, once, Fold(once))
		}
	})
}
