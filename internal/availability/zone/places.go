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

// Place is a name that people know and the zone its clocks follow.
type Place struct{ Name, Zone string }

// String is how a page lists the place: San Francisco (America/Los_Angeles).
func (p Place) String() string {
	if p.Name == p.Zone {
		return p.Name
	}
	return p.Name + " (" + p.Zone + ")"
}

// Places lists what a person may be offered, sorted by name without regard to accents: the cities
// that zones are named after and those of cities.txt. It is empty if the tz database is unreadable.
func Places() []Place {
	var places []Place
	for _, e := range atlas().entries {
		places = append(places, e.Place)
	}
	return places
}

// The longest label that a page lists, "Name (Zone)", is shorter.
const longestText = 100

// Find looks up what a person typed. An exact IANA name, in any letter case, gives that zone alone,
// and "Name (Zone)" that place alone. Else names count without regard to case, accents and
// punctuation: the very name alone, wherever it is; else names that start with the text, then names
// with a word that does. Exact says that the text is the very name of what was found.
func Find(text string, most int) (found []Place, exact bool) {
	if most < 1 || len(text) > longestText || !utf8.ValidString(text) {
		return nil, false
	}
	a := atlas()
	if p, ok := a.labelled(text); ok {
		return []Place{p}, true
	}
	if p, ok := a.zones[zoneKey(text)]; ok && (strings.Contains(text, "/") || !a.isName(text)) {
		return []Place{p}, true
	}
	if p, ok := a.zones[zoneKey(offsetZone(text))]; ok {
		return []Place{p}, true
	}
	found, exact = a.search(fold(text))
	if city, _, ok := strings.Cut(text, ","); ok && found == nil { // Paris, France
		found, exact = a.search(fold(city))
	}
	return found[:min(most, len(found))], exact
}

// isName: EST is a zone that never had summer time, but whoever types it means New York.
func (a *index) isName(text string) bool {
	_, exact := a.search(fold(text))
	return exact
}

// offsetZone is the zone that people write as UTC+2 or GMT-05:00. Its own name counts westwards.
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
	zones   map[string]Place // every zone, legacy ones too, by zoneKey
	labels  map[string]Place // by labelKey
}

type entry struct {
	Place
	folded string // the name
}

//go:embed cities.txt
var cities string

// Reading takes milliseconds, and most commands never ask for a city.
var atlas = sync.OnceValue(func() *index {
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
			a.add(Place{ownCity(zone), zone})
		}
	}
	slices.SortFunc(a.entries, byName)
	return a
}

func (a *index) addZone(p Place) {
	a.zones[zoneKey(p.Zone)] = p
	a.labels[labelKey(p)] = p
}

// add leaves out a name that the zone already has, such as the "Sao Paulo" of the zone's name after
// the "São Paulo" of the file, and a zone that an operator's own database lacks.
func (a *index) add(p Place) {
	_, known := a.zones[zoneKey(p.Zone)]
	_, twice := a.labels[labelKey(p)]
	if !known || twice {
		return
	}
	folded := fold(p.Name)
	a.entries = append(a.entries, entry{p, folded})
	a.labels[labelKey(p)] = p
	if folded == fold(ownCity(p.Zone)) {
		a.zones[zoneKey(p.Zone)] = p
	}
}

// labelled reads how a page lists a place: "San Francisco (America/Los_Angeles)".
func (a *index) labelled(text string) (Place, bool) {
	label, closed := strings.CutSuffix(strings.TrimSpace(text), ")")
	at := strings.LastIndexByte(label, '(')
	if !closed || at < 0 {
		return Place{}, false
	}
	p, ok := a.labels[labelKey(Place{label[:at], label[at+1:]})]
	return p, ok
}

// search goes through all names: there are some 1,200, and that takes 10 to 50 µs.
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
	if exact != nil { // who types a whole name means it
		return exact, true
	}
	return append(start, word...), false
}

func zoneKey(zone string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(zone)), " ", "_")
}

func labelKey(p Place) string { return fold(p.Name) + "|" + zoneKey(p.Zone) }

// ownCity is the city in a zone's name: "Buenos Aires" in America/Argentina/Buenos_Aires.
func ownCity(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

func byName(a, b entry) int {
	return cmp.Or(strings.Compare(a.folded, b.folded), strings.Compare(a.Name, b.Name), strings.Compare(a.Zone, b.Zone))
}
