package zone

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Place is a name that people know, and its time zone.
type Place struct{ Name, Zone string }

// String returns the place as pages list it: San Francisco (America/Los_Angeles).
func (p Place) String() string {
	if p.Name == p.Zone {
		return p.Name
	}
	return p.Name + " (" + p.Zone + ")"
}

// Places returns the places to offer to people, sorted by name without regard to accents: the cities that zones are
// named after, and those in cities.txt. It is empty if the tz database cannot be read.
func Places() []Place {
	var places []Place
	for _, e := range loadIndex().entries {
		places = append(places, e.Place)
	}
	return places
}

// maxTextLength is longer than the longest label that a page lists, "Name (Zone)".
const maxTextLength = 100

// Find returns at most limit places that match what a person typed. An exact IANA name, in any letter case, returns
// only that zone, and "Name (Zone)" only that place. Otherwise names are compared without regard to case, accents
// and punctuation: if the text is a whole name, Find returns all places with that name; if not, the names that start
// with the text, and then the names that contain a word that does. exact reports whether the text is the whole name
// of what was found.
func Find(text string, limit int) (found []Place, exact bool) {
	if limit < 1 || len(text) > maxTextLength || !utf8.ValidString(text) {
		return nil, false
	}
	a := loadIndex()
	if p, ok := a.byLabel(text); ok {
		return []Place{p}, true
	}
	if p, ok := a.zones[zoneKey(text)]; ok && (strings.Contains(text, "/") || !a.hasPlace(text)) {
		return []Place{p}, true
	}
	if p, ok := a.zones[zoneKey(offsetZone(text))]; ok {
		return []Place{p}, true
	}
	found, exact = a.search(fold(text))
	if city, _, ok := strings.Cut(text, ","); ok && found == nil { // Paris, France
		found, exact = a.search(fold(city))
	}
	return found[:min(limit, len(found))], exact
}

// hasPlace reports whether text is the whole name of a place. Places take precedence over zones without a slash:
// EST is a zone that never had summer time, but people who type it mean New York.
func (a *index) hasPlace(text string) bool {
	_, exact := a.search(fold(text))
	return exact
}

// offsetZone returns the zone that people write as UTC+2 or GMT-05:00. The sign in its IANA name is inverted.
func offsetZone(text string) string {
	text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	text = strings.TrimPrefix(strings.TrimPrefix(text, "UTC"), "GMT")
	if text == "" || text[0] != '+' && text[0] != '-' {
		return ""
	}
	hours, err := strconv.Atoi(strings.TrimSuffix(text[1:], ":00"))
	if err != nil || hours < 0 || hours > 14 {
		return ""
	}
	sign := "-"
	if text[0] == '-' {
		sign = "+"
	}
	return "Etc/GMT" + sign + strconv.Itoa(hours)
}

type index struct {
	entries []entry
	zones   map[string]Place // all zones, including legacy ones, by zoneKey
	labels  map[string]Place // by labelKey
}

type entry struct {
	Place
	folded string // the folded name
}

//go:embed cities.txt
var cities string

// loadIndex builds the index at first use: that takes milliseconds, and most commands never look up a city.
var loadIndex = sync.OnceValue(func() *index {
	names, err := Names()
	if err != nil {
		return &index{}
	}
	return newIndex(names, cities)
})

func newIndex(zones []string, cities string) *index {
	a := &index{zones: map[string]Place{}, labels: map[string]Place{}}
	for _, zone := range zones {
		a.addZone(Place{zone, zone})
	}
	for line := range strings.Lines(cities) {
		name, zone, ok := strings.Cut(strings.TrimSpace(line), "|")
		if ok && !strings.HasPrefix(line, "#") {
			a.add(Place{name, zone})
		}
	}
	for _, zone := range zones {
		if isOffered(zone) {
			a.add(Place{cityOf(zone), zone})
		}
	}
	slices.SortFunc(a.entries, byName)
	return a
}

func (a *index) addZone(p Place) {
	a.zones[zoneKey(p.Zone)] = p
	a.labels[labelKey(p)] = p
}

// add adds a place. It skips a name that the zone already has, such as "Sao Paulo" from the zone's name after
// "São Paulo" from the file, and a zone that the operator's own database lacks.
func (a *index) add(p Place) {
	_, known := a.zones[zoneKey(p.Zone)]
	_, duplicate := a.labels[labelKey(p)]
	if !known || duplicate {
		return
	}
	folded := fold(p.Name)
	a.entries = append(a.entries, entry{p, folded})
	a.labels[labelKey(p)] = p
	if folded == fold(cityOf(p.Zone)) {
		a.zones[zoneKey(p.Zone)] = p
	}
}

// byLabel looks up a place by the label that pages list: "San Francisco (America/Los_Angeles)".
func (a *index) byLabel(text string) (Place, bool) {
	label, closed := strings.CutSuffix(strings.TrimSpace(text), ")")
	at := strings.LastIndexByte(label, '(')
	if !closed || at < 0 {
		return Place{}, false
	}
	p, ok := a.labels[labelKey(Place{label[:at], label[at+1:]})]
	return p, ok
}

// search returns the places whose folded name matches the key. It scans all names: there are about 1,200, which
// takes 10 to 50 µs.
func (a *index) search(key string) (found []Place, isExact bool) {
	if key == "" {
		return nil, false
	}
	var exact, start, word []Place
	inside := " " + key
	for _, e := range a.entries {
		switch {
		case e.folded == key:
			exact = append(exact, e.Place)
		case strings.HasPrefix(e.folded, key):
			start = append(start, e.Place)
		case strings.Contains(e.folded, inside):
			word = append(word, e.Place)
		}
	}
	if exact != nil { // a whole name means exactly that name
		return exact, true
	}
	return append(start, word...), false
}

func zoneKey(zone string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(zone)), " ", "_")
}

func labelKey(p Place) string { return fold(p.Name) + "|" + zoneKey(p.Zone) }

// cityOf returns the city in a zone's name: "Buenos Aires" for America/Argentina/Buenos_Aires.
func cityOf(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

func byName(a, b entry) int {
	return cmp.Or(strings.Compare(a.folded, b.folded), strings.Compare(a.Name, b.Name), strings.Compare(a.Zone, b.Zone))
}
